"""The last step of every grade: from the score to the caller's scale. Pure, like the policies."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hybridverify.errors import ConfigError
from hybridverify.policies.base import Decision


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
