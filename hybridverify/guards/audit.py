"""A file with a sample of what judges were shown and what they said, for people to read: one JSON object a line.

The texts of a row and the seed alone decide whether it is in the sample, so that two runs over the same rows write
the same ones. No setting of a backend is written: no address, no key.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hybridverify.errors import ConfigError, refuse_unknown
from hybridverify.guards.foreign import picked
from hybridverify.judges.base import Answered, Prompt, Subject
from hybridverify.types import Grade, Verdict

_LOGGER = logging.getLogger("hybridverify")
_MAX_TEXT = 20_000
"""The most characters of a text in a line. Of a longer text the end is kept."""
_MAX_REMEMBERED = 200_000


@dataclass(frozen=True)
class AuditSettings:
    """Settings: `share` of the judged rows is written to `path`, drawn by `seed`, until the file has `max_mb`
    megabytes."""

    path: str
    share: float = 0.01
    seed: int = 0
    max_mb: float = 64.0

    def __post_init__(self) -> None:
        if not isinstance(self.path, (str, os.PathLike)) or not os.fspath(self.path):
            raise ConfigError(f"audit.path: expected a file name, got {self.path!r}")
        for name, most in (("share", 1.0), ("max_mb", 1e6)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= most:
                raise ConfigError(f"audit.{name}: expected a number in [0, {most:g}], got {value!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise ConfigError(f"audit.seed: expected a whole number, got {self.seed!r}")

    @classmethod
    def from_setting(cls, setting: object) -> AuditSettings | None:
        """Build from a path or a mapping; None means no audit. Raises ConfigError with the nearest known name."""
        if setting is None or isinstance(setting, AuditSettings):
            return setting
        if isinstance(setting, (str, os.PathLike)):
            return cls(os.fspath(setting))
        if not isinstance(setting, Mapping):
            raise ConfigError(f"audit: expected a path or a mapping, got {setting!r}")
        refuse_unknown("audit", setting, [field.name for field in fields(cls)])
        if "path" not in setting:
            raise ConfigError("audit.path: an audit needs the file to write to")
        return cls(**setting)


class AuditFile:
    """Appends lines. Safe for threads, and for several processes with one file on a local disk.

    A file that cannot be written causes one warning and stops nothing.
    """

    def __init__(self, settings: AuditSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._written: set[int] = set()
        self._closed = False

    def wants(self, subject: Subject) -> bool:
        """Whether this row is in the sample."""
        settings = self.settings
        return not self._closed and picked(subject, settings.share, settings.seed, "audit")

    def add(self, rows: Iterable[tuple[Subject, Grade, Sequence[Answered]]]) -> None:
        """Write the rows that this process has not written before, each line in one piece."""
        lines = dict(entry for row in rows for entry in _lines(*row))
        with self._lock:
            fresh = {asked: line for asked, line in lines.items() if asked not in self._written}
            if not fresh or self._closed:
                return
            if len(self._written) < _MAX_REMEMBERED:
                self._written.update(fresh)
            try:
                self._append(list(fresh.values()))
            except OSError as error:
                self._close(str(error.strerror or error))

    def _append(self, lines: list[bytes]) -> None:
        path = Path(self.settings.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            for line in lines:
                if os.fstat(descriptor).st_size + len(line) > self.settings.max_mb * 1_000_000:
                    self._close(f"it is full ({self.settings.max_mb:g} MB)")
                    return
                if os.write(descriptor, line) < len(line):  # O_APPEND keeps lines of several processes apart
                    raise OSError("half a line could be written")
        finally:
            os.close(descriptor)

    def _close(self, reason: str) -> None:
        self._closed = True
        _LOGGER.warning("audit file %s gets no more rows: %s", self.settings.path, reason)


def _lines(subject: Subject, grade: Grade, asked: Sequence[Answered]) -> list[tuple[int, bytes]]:
    """One line for each judge's answer, with a key that is equal for equal questions to the same judge."""
    sample = subject.sample
    common: dict[str, Any] = {
        "data_source": sample.data_source,
        "question": sample.question,
        "references": list(sample.references),
        "answer": subject.answer,
        "rule": _verdict(grade.rule),
        "grade": {"score": grade.score, "graded": grade.graded, "outcome": grade.outcome.value},
        "policy": grade.policy,
        "fingerprint": grade.fingerprint,
    }
    lines = []
    for answer, vote in zip(asked, grade.votes, strict=True):
        prompt = _shown(answer.request.prompt) if answer.request else ""
        row = {
            "judge": vote.source,
            "prompt": prompt,
            "reply": answer.reply,
            "verdict": {**_verdict(vote), "p_yes": vote.p_yes, "p_mass": vote.p_mass, "cached": vote.cached},
            "checks": [_verdict(check) for check in grade.checks if _is_of(check.source, vote.source)],
            **common,
        }
        text = json.dumps({name: _bounded(value) for name, value in row.items()}, ensure_ascii=True)
        lines.append((hash((vote.source, prompt, subject.answer)), text.encode("ascii") + b"\n"))
    return lines


def _shown(prompt: Prompt) -> str:
    return prompt.text or "\n\n".join(f"{message.role}: {message.content}" for message in prompt.messages)


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "source": verdict.source,
        "outcome": verdict.outcome.value,
        "score": verdict.score,
        "reason": verdict.reason,
    }


def _is_of(check: str, vote: str) -> bool:
    return check.partition(":")[2] == vote.partition(":")[2]


def _bounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_bounded(item) for item in value[:100]]
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        return f"[{len(value) - _MAX_TEXT} characters left out] {value[-_MAX_TEXT:]}"
    return value
