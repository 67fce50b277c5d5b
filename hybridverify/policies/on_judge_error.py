"""What happens to samples whose judge gave no verdict. Pure arithmetic, like the policies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from hybridverify.errors import ConfigError, JudgeError, did_you_mean
from hybridverify.policies.base import Decision
from hybridverify.policies.kinds import by_rule
from hybridverify.types import Outcome, Verdict

ERROR_ACTIONS = ("mask", "zero", "rule_score", "neutral", "raise")
ERROR_OUTCOMES = (
    Outcome.FAILED,
    Outcome.TIMED_OUT,
    Outcome.UNPARSEABLE,
    Outcome.TOO_LONG,
    Outcome.UNDECIDED,
)
"""Judge outcomes that are no verdict. `invalid` is one only if a mapping names it."""


@dataclass(frozen=True)
class OnJudgeError:
    """What happens to a sample whose judge gave no verdict: one action for each outcome.

    mask: not graded. zero: score 0. rule_score: the rule's score. neutral: `neutral_score`. raise: JudgeError.
    """

    actions: Mapping[Outcome, str] = field(default_factory=dict)
    default: str = "mask"
    neutral_score: float = 0.5

    @classmethod
    def from_setting(cls, setting: str | Mapping[str, str], neutral_score: float = 0.5) -> OnJudgeError:
        """Build from the name of an action, or from a mapping from outcomes to actions. Raises ConfigError."""
        if isinstance(neutral_score, bool) or not isinstance(neutral_score, (int, float)):
            raise ConfigError(f"neutral_score: expected a number, got {neutral_score!r}")
        if not math.isfinite(neutral_score):
            raise ConfigError(f"neutral_score: expected a finite number, got {neutral_score!r}")
        if isinstance(setting, str):
            return cls({}, _action("on_judge_error", setting), float(neutral_score))
        if not isinstance(setting, Mapping):
            raise ConfigError(f"on_judge_error: expected an action or a mapping, got {setting!r}")
        allowed = [o.value for o in (*ERROR_OUTCOMES, Outcome.INVALID)]
        actions = {}
        for name, action in setting.items():
            if name not in allowed:
                raise ConfigError(
                    f"on_judge_error.{name}: not a judge error; {did_you_mean(str(name), allowed)}"
                )
            actions[Outcome(name)] = _action(f"on_judge_error.{name}", action)
        return cls(actions, "mask", float(neutral_score))

    def action(self, outcome: Outcome) -> str:
        """The action for a judge's outcome, or "" if the outcome is a verdict."""
        if outcome in self.actions:
            return self.actions[outcome]
        return self.default if outcome in ERROR_OUTCOMES else ""

    @property
    def needs_rules(self) -> bool:
        """Whether some action uses the rule's score."""
        return "rule_score" in (self.default, *self.actions.values())

    def decide(self, action: str, rule: Verdict, judge: Verdict) -> Decision:
        """The decision for a sample whose judge gave no verdict. Raises JudgeError for the action `raise`."""
        if action == "raise":
            raise JudgeError(f"{judge.source}: {judge.outcome}: {judge.reason}")
        if action == "mask":
            return Decision(0.0, False, judge.outcome)
        if action == "rule_score":
            return by_rule(rule)
        return Decision(self.neutral_score if action == "neutral" else 0.0, True, judge.outcome)


def _action(where: str, name: object) -> str:
    if name not in ERROR_ACTIONS:
        raise ConfigError(f"{where}: no action {name!r}; {did_you_mean(str(name), ERROR_ACTIONS)}")
    return str(name)
