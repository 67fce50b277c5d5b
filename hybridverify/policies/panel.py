"""How the votes of several judges become one verdict. Pure arithmetic, like the policies.

Only readable verdicts vote: a failed, unparseable or invalid reply is no vote and no objection.
"""

from __future__ import annotations

import math
import operator
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from hybridverify.errors import ConfigError, Fault, did_you_mean
from hybridverify.types import SKIPPED, Outcome, Verdict

Combine = Callable[[Sequence[Verdict], Sequence[float]], "Verdict | float"]

LABEL_COMBINES = ("majority", "weighted", "all", "any")
SCORE_COMBINES = ("mean", "min", "max")
FULL_COMBINES = ("add", "product")
"""Combinations that need a vote of every judge: leaving out a term would change the scale unnoticed."""
CASCADE = "cascade"
"""Not a vote: the judges are asked in order, each about the rows that the judges before it left open."""
NO_QUORUM = "no quorum"
"""How the reason of a panel begins that too few judges gave a verdict to."""
LEFT_OPEN = (Outcome.UNDECIDED, Outcome.UNPARSEABLE, Outcome.TOO_LONG)
"""Outcomes that hand a row on to the next judge, because its cause is the row. An engine that failed is waited for."""
FOLDS: Mapping[str, Callable[[float, float], float]] = {
    "add": lambda total, term: total + term,
    "sub": lambda total, term: total - term,
    "mul": lambda total, term: total * term,
    "product": lambda total, term: total * term,
    "min": min,
    "max": max,
}


@dataclass(frozen=True)
class Panel:
    """How votes become a verdict.

    `combine` is a name (`majority mean weighted product min max all any add cascade`), a list with one fold (`add sub
    mul min max`) for each judge, or a callable `(votes, weights) -> Verdict | float`. `quorum` is a share of the
    judges: more than this share must have voted (0.5 is strictly more than half), and it always suffices if all did.
    Below the quorum, and on a tie, the panel is undecided.
    """

    combine: str | tuple[str, ...] | Combine = "majority"
    quorum: float = 0.5

    def __post_init__(self) -> None:
        if isinstance(self.quorum, bool) or not isinstance(self.quorum, (int, float)):
            raise ConfigError(f"panel.quorum: expected a number in [0, 1], got {self.quorum!r}")
        if not 0.0 <= self.quorum <= 1.0:
            raise ConfigError(f"panel.quorum: expected a number in [0, 1], got {self.quorum!r}")
        names = (*LABEL_COMBINES, *SCORE_COMBINES, *FULL_COMBINES, CASCADE)
        if isinstance(self.combine, str) and self.combine not in names:
            raise ConfigError(
                f"panel.combine: no combination {self.combine!r}; {did_you_mean(self.combine, names)}"
            )
        if isinstance(self.combine, tuple):
            for name in self.combine:
                if name not in FOLDS:
                    raise ConfigError(f"panel.combine: no fold {name!r}; {did_you_mean(str(name), FOLDS)}")

    @classmethod
    def from_setting(cls, setting: Mapping[str, Any] | Panel | None, judges: int) -> Panel:
        """Build from `{combine: ..., quorum: ...}` for that many judges. Raises ConfigError."""
        if isinstance(setting, Panel):
            panel = setting
        else:
            options = dict(setting or {})
            for name in options:
                if name not in ("combine", "quorum"):
                    raise ConfigError(
                        f"panel.{name}: no such option; {did_you_mean(name, ('combine', 'quorum'))}"
                    )
            if isinstance(options.get("combine"), list):
                options["combine"] = tuple(options["combine"])
            panel = cls(**options)
        if isinstance(panel.combine, tuple) and len(panel.combine) != judges:
            raise ConfigError(
                f"panel.combine: {len(panel.combine)} entries for {judges} judges; give one each"
            )
        return panel

    @property
    def folds(self) -> bool:
        """Whether the combination is a list, which `sum` folds from the rule's term."""
        return isinstance(self.combine, tuple)

    @property
    def in_turn(self) -> bool:
        """Whether a judge is asked only about the rows that the judges before it left open."""
        return self.combine == CASCADE

    def describe(self) -> str:
        """The name of the combination, for sources and fingerprints."""
        if isinstance(self.combine, str):
            return self.combine
        if isinstance(self.combine, tuple):
            return "+".join(self.combine)
        return getattr(self.combine, "__qualname__", type(self.combine).__qualname__)

    def decide(self, votes: Sequence[Verdict], weights: Sequence[float]) -> Verdict:
        """One verdict from all votes, which are one for each judge, in order."""
        if self.in_turn:
            return _last_asked(votes)
        parsed = [(vote, weight) for vote, weight in zip(votes, weights, strict=True) if votes_count(vote)]
        needed = self._needed(len(votes))
        if len(parsed) < needed:
            reason = f"{NO_QUORUM}: {len(parsed)} of {len(votes)} judges gave a verdict, {needed} needed"
            return self._verdict(Outcome.UNDECIDED, 0.0, reason)
        if isinstance(self.combine, tuple):
            return self._scored(self.fold(None, votes, weights))
        if not isinstance(self.combine, str):
            return self._called(self.combine, parsed)
        if self.combine in LABEL_COMBINES:
            return self._labelled(parsed)
        return self._scored(_score(self.combine, parsed))

    def _called(self, combine: Combine, parsed: Sequence[tuple[Verdict, float]]) -> Verdict:
        try:
            result = combine([vote for vote, _ in parsed], [weight for _, weight in parsed])
            return result if isinstance(result, Verdict) else self._scored(float(result))
        except Exception as error:  # a user's code may fail in any way; only this row is lost
            reason = f"the combination raised {type(error).__name__}"
            return replace(self._verdict(Outcome.FAILED, 0.0, reason), fault=Fault.ROW)

    def fold(self, start: float | None, votes: Sequence[Verdict], weights: Sequence[float]) -> float:
        """Fold each weighted vote onto the running total, from the left. Without a start, onto the first vote."""
        assert isinstance(self.combine, tuple)
        total = start
        for name, vote, weight in zip(self.combine, votes, weights, strict=True):
            term = weight * vote.score
            total = term if total is None else FOLDS[name](total, term)
        return 0.0 if total is None else total

    def _needed(self, judges: int) -> int:
        if isinstance(self.combine, tuple) or self.combine in FULL_COMBINES:
            return judges
        return min(judges, math.floor(self.quorum * judges) + 1)

    def _labelled(self, parsed: Sequence[tuple[Verdict, float]]) -> Verdict:
        yes = [vote.score >= 0.5 for vote, _ in parsed]
        if self.combine in ("all", "any"):
            return self._label(all(yes) if self.combine == "all" else any(yes), yes)
        weights = [1.0 if self.combine == "majority" else weight for _, weight in parsed]
        agreeing = math.fsum(compress(weights, yes))
        objecting = math.fsum(compress(weights, map(operator.not_, yes)))
        if agreeing == objecting:
            return self._verdict(Outcome.UNDECIDED, 0.0, f"tie: {_tally(yes)}")
        return self._label(agreeing > objecting, yes)

    def _label(self, correct: bool, yes: Sequence[bool]) -> Verdict:
        outcome = Outcome.CORRECT if correct else Outcome.INCORRECT
        return self._verdict(outcome, float(correct), _tally(yes))

    def _scored(self, score: float) -> Verdict:
        if not math.isfinite(score):
            return self._verdict(Outcome.FAILED, 0.0, "the combination gave no finite score")
        outcome = (
            Outcome.PARTIAL if 0.0 < score < 1.0 else Outcome.CORRECT if score > 0.0 else Outcome.INCORRECT
        )
        return self._verdict(outcome, score, f"{self.describe()} of the votes")

    def _verdict(self, outcome: Outcome, score: float, reason: str) -> Verdict:
        return Verdict(outcome, score, f"panel:{self.describe()}", "", reason)


def _last_asked(votes: Sequence[Verdict]) -> Verdict:
    """The first vote that settles the row, else that of the last judge that was asked."""
    asked = [vote for vote in votes if vote.outcome is not Outcome.SKIPPED]
    return next((vote for vote in asked if vote.outcome not in LEFT_OPEN), asked[-1] if asked else SKIPPED)


def score_outcome(score: float) -> Outcome:
    """The outcome of a number: incorrect up to 0, correct from 1 on, partial between."""
    if score <= 0.0:
        return Outcome.INCORRECT
    return Outcome.CORRECT if score >= 1.0 else Outcome.PARTIAL


def votes_count(vote: Verdict) -> bool:
    """Whether this verdict counts as a vote."""
    return vote.sure


def _score(name: str, parsed: Sequence[tuple[Verdict, float]]) -> float:
    scores = [vote.score for vote, _ in parsed]
    if name == "mean":
        return statistics.fmean(scores)
    if name == "product":
        return math.prod(scores)
    if name == "add":
        return math.fsum(weight * vote.score for vote, weight in parsed)
    return min(scores) if name == "min" else max(scores)


def _tally(yes: Sequence[bool]) -> str:
    return f"{sum(yes)} of {len(yes)} votes say correct"
