"""The base of all policies, the decision that a policy makes, and the map from its score to what a trainer pays.

The policies themselves are in kinds.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar

from hybridverify.errors import ConfigError
from hybridverify.types import Outcome, Verdict

RIGHT_FROM = 0.5
"""A grade of this score or more, before `reward` maps it, counts as right wherever rows are counted."""


@dataclass(frozen=True, init=False)
class Decision:
    """The result of a policy: a score, whether the row counts, and the outcome that says why."""

    score: float
    graded: bool
    outcome: Outcome

    def __init__(self, score: float, graded: bool, outcome: Outcome) -> None:
        told = self.__dict__  # faster than the generated one, as in Sample
        told["score"] = score
        told["graded"] = graded
        told["outcome"] = outcome


@dataclass(frozen=True)
class Policy:
    """Base of the policies. For one of your own: subclass it, name it, and override `asks` and `combine`."""

    name: ClassVar[str] = ""
    runs_rules: ClassVar[bool] = True
    asks_judges: ClassVar[bool] = True

    judge_weight: float = 1.0
    rule_weight: float = 1.0
    trust_reject: bool = True

    def __post_init__(self) -> None:
        for name in ("judge_weight", "rule_weight"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ConfigError(f"policy.{name}: expected a finite number, got {value!r}")
        if not isinstance(self.trust_reject, bool):
            raise ConfigError(f"policy.trust_reject: expected true or false, got {self.trust_reject!r}")

    def asks(self, rule: Verdict) -> bool:
        """Whether a judge is wanted after this rule verdict."""
        raise NotImplementedError

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        """The decision. `judge` is a verdict (never an error) where `asks` said that a judge is wanted, else
        `skipped`."""
        raise NotImplementedError

    def describe(self) -> str:
        """The name and the settings that are not default, for fingerprints."""
        default = type(self)()
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if getattr(self, f.name) != getattr(default, f.name)
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


@dataclass(frozen=True)
class Reward:
    """The last step: a linear map from the score to the caller's scale, such as -1 and +1."""

    correct: float = 1.0
    incorrect: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("correct", self.correct), ("incorrect", self.incorrect)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ConfigError(f"reward.{name}: expected a finite number, got {value!r}")

    def of(self, decision: Decision) -> float:
        """incorrect + (correct - incorrect) * score; rows that are not graded keep 0.0."""
        if not decision.graded:
            return 0.0
        return self.incorrect + (self.correct - self.incorrect) * decision.score
