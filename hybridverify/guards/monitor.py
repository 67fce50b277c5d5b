"""Watches which answers judges rescue: a policy in training that learns to talk a judge round shows here first.

`Monitor.observe` counts; `report` gives numbers and words. Each alarm is logged once, through the logger
`hybridverify`, and is kept in the report. The monitor changes no grade. With `act`, pipeline/holding.py compares the
judges' votes with the same counts.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from hybridverify.errors import ConfigError, refuse_unknown
from hybridverify.guards.monitor_report import TOLD, MonitorReport, rate, shown_safely
from hybridverify.guards.repeats import Accepted, Repeats
from hybridverify.types import CORRECT, SURE, Verdict

_LOGGER = logging.getLogger("hybridverify")
_BROKEN_SHARE = 0.1
_LEAST_CANARIES = 10
"""With fewer canaries than this, their share says nothing."""


class Observed(NamedTuple):
    """One row that judges were asked about. `votes` are those before the panel, `checks` the verdicts of second
    questions."""

    answer: str
    question: str
    references: tuple[str, ...]
    rule: Verdict
    judge: Verdict
    votes: tuple[Verdict, ...] = ()
    checks: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Watch:
    """Settings: when the monitor calls something suspicious.

    `window`: how many rows the rolling window has, and the first window that it is compared with. `max_drift`: how
    far the rolling rescue rate may move from the first one. `max_rescue_rate`: the highest rolling rate; 1.0 is no
    bound. `max_repeats`: against how many different references one text may be accepted; spellings of one reference
    count as one.

    `act` (off): further accepts of such a text, for references that it was not accepted against before, become
    undecided. A sure verdict of a rule stands. Verdicts then depend on the rows before them, so this is for training
    runs; each process counts for itself.
    """

    window: int = 500
    max_drift: float = 0.2
    max_rescue_rate: float = 1.0
    max_repeats: int = 20
    act: bool = False

    def __post_init__(self) -> None:
        for name in ("window", "max_repeats"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"monitor.{name}: expected a whole number from 1, got {value!r}")
        for name in ("max_drift", "max_rescue_rate"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
                raise ConfigError(f"monitor.{name}: expected a number in [0, 1], got {value!r}")
        if not isinstance(self.act, bool):
            raise ConfigError(f"monitor.act: expected true or false, got {self.act!r}")

    @classmethod
    def from_setting(cls, setting: Mapping[str, Any] | Watch | None) -> Watch:
        """Build from a mapping; a `Watch` is returned as it is. Raises ConfigError with the nearest known name."""
        if isinstance(setting, Watch):
            return setting
        refuse_unknown("monitor", {} if setting is None else setting, [field.name for field in fields(cls)])
        return cls(**(setting or {}))

    def describe(self) -> dict[str, Any]:
        """The settings that may change a grade, for fingerprints: none unless `act` is on."""
        return {"act": True, "max_repeats": self.max_repeats} if self.act else {}


class Monitor:
    """Counts over the rows that judges were asked about and the rules had not accepted. Safe for threads.

    >>> monitor = Monitor(Watch(window=2))
    >>> from hybridverify.types import Outcome
    >>> said = Verdict(Outcome.CORRECT, 1.0, "judge:tinyv")
    >>> monitor.observe([Observed("a half", "", ("1/2",), Verdict(Outcome.UNDECIDED), said, (said,))])
    >>> monitor.report().numbers["rescue_rate"]
    1.0
    """

    def __init__(self, watch: Watch | None = None) -> None:
        self.watch = watch or Watch()
        self.repeats = Repeats(self.watch.max_repeats)
        self._lock = threading.Lock()
        self._counts: dict[str, float] = dict.fromkeys(
            ("asked", "rescued", "answer_chars", "reference_chars"), 0
        )
        self._votes: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._canaries: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._first = [0, 0]
        self._recent: deque[bool] = deque(maxlen=self.watch.window)
        self._alarms: dict[str, str] = {}

    def observe(self, rows: Iterable[Observed]) -> None:
        """Count the rows of a batch, then check for alarms."""
        rows = list(rows)
        asked = [row for row in rows if row.rule.outcome is not CORRECT and row.judge.outcome in SURE]
        rescued = [row for row in asked if row.judge.score >= 0.5]
        self.repeats.add_all([Accepted(row.answer, row.question, row.references) for row in rescued])
        with self._lock:
            self._count_votes(rows)
            self._count(asked, rescued)
            fresh = {name: text for name, text in self._suspicions() if name not in self._alarms}
            self._alarms.update(fresh)
        for text in fresh.values():
            _LOGGER.warning("judges: %s", text)

    def numbers(self) -> dict[str, float]:
        """Counts and rates as floats, for the metrics of a training step."""
        with self._lock:
            return self._numbers()

    def report(self) -> MonitorReport:
        """The numbers, the most repeated rescued texts, and the alarms so far."""
        with self._lock:
            repeated = self.repeats.repeated()[:TOLD]
            return MonitorReport(self._numbers(), tuple(repeated), tuple(self._alarms.values()))

    def _count_votes(self, rows: Sequence[Observed]) -> None:
        for row in rows:
            for vote in row.votes:
                if vote.outcome in SURE:
                    _add(self._votes[vote.source], vote.score >= 0.5)
            for check in row.checks:
                if check.sure and check.source.startswith("canary:"):
                    _add(self._canaries[check.source], check.outcome is CORRECT)

    def _count(self, asked: Sequence[Observed], rescued: Sequence[Observed]) -> None:
        said = [row.judge.score >= 0.5 for row in asked]
        self._recent.extend(said)
        first = said[: self.watch.window - self._first[0]]
        self._first = [self._first[0] + len(first), self._first[1] + sum(first)]
        counts = self._counts
        counts["asked"] += len(asked)
        counts["rescued"] += len(rescued)
        counts["answer_chars"] += sum([len(row.answer) for row in rescued])
        counts["reference_chars"] += sum([min(map(len, row.references), default=0) for row in rescued])

    def _suspicions(self) -> list[tuple[str, str]]:
        watch, found = self.watch, []
        if self._first[0] == watch.window == len(self._recent):
            first, now = rate(*self._first[::-1]), rate(sum(self._recent), len(self._recent))
            if abs(now - first) > watch.max_drift:
                found.append(("drift", f"the rescue rate moved from {first:.2f} to {now:.2f}"))
            if now > watch.max_rescue_rate:
                found.append(("rate", f"the rescue rate is {now:.2f}, above {watch.max_rescue_rate:.2f}"))
        worst = self.repeats.worst
        if worst.references > watch.max_repeats:
            told = (
                f'"{shown_safely(worst.text)}" was accepted against {worst.references} different references'
            )
            found.append(("repeated", told))
        for source, (seen, broken) in self._canaries.items():
            if seen >= _LEAST_CANARIES and broken > _BROKEN_SHARE * seen:
                found.append(
                    (source, f"{source}: {broken} of {seen} accepts held for a foreign reference too")
                )
        return found

    def _numbers(self) -> dict[str, float]:
        counts = self._counts
        numbers: dict[str, float] = {
            **counts,
            "alarms": float(len(self._alarms)),
            "repeats": float(self.repeats.worst.references),
            "rescue_rate": rate(counts["rescued"], counts["asked"]),
            "first_rescue_rate": rate(*self._first[::-1]),
            "recent_rescue_rate": rate(sum(self._recent), len(self._recent)),
            "length_ratio": rate(counts["answer_chars"], counts["reference_chars"]),
        }
        numbers.update({f"accept_rate:{name}": rate(yes, seen) for name, (seen, yes) in self._votes.items()})
        numbers.update({f"broken_rate:{name}": rate(no, seen) for name, (seen, no) in self._canaries.items()})
        return numbers


def _add(entry: list[int], hit: bool) -> None:
    entry[0] += 1
    entry[1] += hit
