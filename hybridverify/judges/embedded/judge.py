"""Judge `embedded`: a small cross-encoder of our own that runs on any laptop, without a server or a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.judges.base import Prompt, Request, Subject
from hybridverify.judges.embedded.inputs import VERSION, Shown, shown
from hybridverify.judges.embedded.kinds import is_mathematical
from hybridverify.judges.embedded.model import CrossEncoder, card
from hybridverify.judges.embedded.overlap import plain_words
from hybridverify.judges.locked import Locked
from hybridverify.types import Outcome, Verdict

KINDS = ("text", "all")
_SCORES = ("label", "p_yes")
UNSHARED = 0.7
"""Threshold for an answer that shares no word with the reference. People find one of eight such answers right, but
everything that can be said without knowing the answer is among them."""
_RUN = 20
"""Words of an answer that says one or two words again and again."""
BAND = 0.01
"""About the threshold nothing is decided: scores of other processors and versions of ONNX Runtime lie within it."""


class EmbeddedJudge(Locked):
    """Decides by P(correct) of a model with 22 million parameters that ships with the library.

    `kinds="text"` asks it about names, phrases, sentences and dates; where the reference or the answer is
    mathematics its verdict is `undecided`, because it cannot compute. `kinds="all"` asks it about everything.
    `threshold` (by default the model card's) parts correct from incorrect; within `abstain=(low, high)`, by default
    .01 about the threshold, nothing is decided. An answer that shares no word with the reference is correct from .70
    on only. `score="p_yes"` makes P(correct) the score, which is otherwise 0 or 1; for an answer without a shared word
    that falls short of .70 it is P(correct) times threshold / .70, so that no incorrect answer is paid the threshold or
    more. `threads` rows are scored side by side. Loading waits for the first question. Raises ConfigError, and
    JudgeUnavailable where onnxruntime or tokenizers is missing.

    >>> judge = EmbeddedJudge()
    >>> from hybridverify.types import Sample
    >>> judge.prepare([Subject(Sample("x = 4", "4"), "4", True, "x = 4")])[0].reason
    'kind: mathematics, which this judge is not asked about'
    """

    concurrent = True
    needs_reference = True

    def __init__(
        self,
        *,
        kinds: str = "text",
        score: str = "label",
        threshold: float | None = None,
        abstain: Sequence[float] | None = None,
        weight: float = 1.0,
        name: str = "embedded",
        threads: int = 1,
    ) -> None:
        self.kinds = _one_of("kinds", kinds, KINDS)
        self.score = _one_of("score", score, _SCORES)
        self.threshold = _probability("threshold", card()["threshold"] if threshold is None else threshold)
        self.abstain = _about(self.threshold) if abstain is None else _band(abstain)
        if not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise ConfigError(f"weight: expected a finite number, got {weight!r}")
        if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
            raise ConfigError(f"threads: expected a whole number of at least 1, got {threads!r}")
        self.weight, self.name = float(weight), name
        self._model = CrossEncoder(threads)
        self._usage = {"requests": 0.0, "seconds": 0.0}
        super().__init__()

    @property
    def source(self) -> str:
        """How this judge signs its verdicts."""
        return f"judge:{self.name}"

    def ensure_ready(self, timeout_s: float) -> None:
        """Load the model. Raises JudgeUnavailable."""
        self._model.load()

    def identity(self) -> Mapping[str, Any]:
        """Model, version of what it is shown, kinds and scoring; no weight and no number of threads."""
        scoring = {"score": self.score, "threshold": self.threshold, "abstain": self.abstain}
        if self.score == "p_yes":
            scoring["unshared"] = UNSHARED
        return {
            "preset": "embedded",
            "version": VERSION,
            "model": card()["name"],
            "revision": card()["sha256"]["model.onnx"],
            "kinds": self.kinds,
            "scoring": scoring,
        }

    def prepare(self, subjects: Sequence[Subject]) -> list[Request | Verdict]:
        """What the model is shown of each subject; a row that it is not asked about gets its verdict here."""
        return [self._prepared(subject) for subject in subjects]

    def _prepared(self, subject: Subject) -> Request | Verdict:
        sample = subject.sample
        if not any(reference.strip() for reference in sample.references):
            reason = "there is no reference to show to the judge"
            return Verdict(Outcome.BAD_REFERENCE, 0.0, self.source, subject.answer, reason)
        if self.kinds == "text" and is_mathematical(sample.question, sample.references, subject.answer):
            reason = "kind: mathematics, which this judge is not asked about"
            return Verdict(Outcome.UNDECIDED, 0.0, self.source, subject.answer, reason)
        row = shown(subject)
        if unread := _unreadable(row):
            outcome, reason = unread
            return Verdict(outcome, 0.0, self.source, subject.answer, reason)
        payload = [row.question, row.reference, row.answer, *row.marks]
        return Request(Prompt(text=row.answer), payload, subject.answer, {"shown": row})

    def decide(self, requests: Sequence[Request]) -> list[Verdict]:
        """Score all rows. Raises JudgeUnavailable where the model cannot be loaded."""
        if not requests:
            return []
        begin = time.perf_counter()
        rows: list[Shown] = [request.extra["shown"] for request in requests]
        chances = self._model.score(rows)
        with self._lock:
            self._usage["requests"] += len(requests)
            self._usage["seconds"] += time.perf_counter() - begin
        return [self._verdict(chance, request) for chance, request in zip(chances, requests, strict=True)]

    def _verdict(self, chance: float, request: Request) -> Verdict:
        chance = round(chance, 6)
        reason = f"P(correct) = {chance:.3f}"
        if self.abstain[0] <= chance <= self.abstain[1]:
            outcome, score, reason = Outcome.UNDECIDED, 0.0, f"{reason} lies in the band of no verdict"
        else:
            needed = max(self.threshold, UNSHARED) if _shares_nothing(request) else self.threshold
            correct = chance >= needed
            outcome = Outcome.CORRECT if correct else Outcome.INCORRECT
            score = self._scored(chance, needed) if self.score == "p_yes" else float(correct)
        return Verdict(outcome, score, self.source, request.answer, reason, p_yes=chance, p_mass=1.0)

    def _scored(self, chance: float, needed: float) -> float:
        """P(correct) as the score. Where more is needed than the threshold, what falls short of it is scaled down, so
        that an incorrect answer is never paid as much as the threshold."""
        return chance if chance >= needed else chance * self.threshold / needed

    def usage(self) -> dict[str, float]:
        """Counters since this judge was made."""
        with self._lock:
            return dict(self._usage)

    def close(self) -> None:
        """Forget the loaded model; a later question loads it again."""
        self._model.close()


def _unreadable(row: Shown) -> tuple[Outcome, str] | None:
    """What the model was never shown in training, so that its score would mean nothing."""
    said = plain_words(row.answer)
    if not said and plain_words(row.reference):
        return Outcome.INCORRECT, "the answer adds no word and no number to the question"
    if len(said) >= _RUN and len(set(said)) <= 2:
        return Outcome.UNDECIDED, "the answer only repeats itself"
    return None


def _shares_nothing(request: Request) -> bool:
    """No word of content in any form, and fewer than half of its letters, by the hints."""
    said = request.extra["shown"].marks
    return "words:0" in said and not {"letters:0", "letters:1"}.isdisjoint(said)


def _one_of(setting: str, value: object, known: Sequence[str]) -> str:
    if value not in known:
        raise ConfigError(f"{setting}: expected {' or '.join(known)}, got {value!r}")
    return str(value)


def _probability(setting: str, value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise ConfigError(f"{setting}: expected a number in [0, 1], got {value!r}")
    return float(value)


def _about(threshold: float) -> tuple[float, float]:
    return max(0.0, round(threshold - BAND, 6)), min(1.0, round(threshold + BAND, 6))


def _band(value: Sequence[float]) -> tuple[float, float]:
    ends = tuple(_probability("abstain", end) for end in value)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise ConfigError(f"abstain: expected [low, high] within [0, 1], got {list(value)!r}")
    return ends[0], ends[1]
