"""What a policy is, and what it makes of two verdicts; the policies themselves are in kinds.py."""

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
    """What a policy made of the verdicts: a score, whether it counts, and the outcome that says why."""

    score: float
    graded: bool
    outcome: Outcome

    def __init__(self, score: float, graded: bool, outcome: Outcome) -> None:
        told = self.__dict__  # as in Sample
        told["score"] = score
        told["graded"] = graded
        told["outcome"] = outcome


@dataclass(frozen=True)
class Policy:
    """Base of the policies; subclass it, name it and override `asks` and `combine` for one of your own."""

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
        """The decision; `judge` is a verdict (never an error) where `asks` said so, else skipped."""
        raise NotImplementedError

    def describe(self) -> str:
        """Name and non-default settings, for fingerprints."""
        default = type(self)()
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if getattr(self, f.name) != getattr(default, f.name)
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name
