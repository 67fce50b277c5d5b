"""How a rule's and a judge's verdicts become one score. Pure arithmetic: no clock, no I/O, no randomness.

With r the rule's score (0 where it is undecided), j the judge's score and w the judge's weight:

    rule_only    r                            nobody is asked
    addon        r = 1: 1, else w * j         asked where the rule did not accept (and, unless
                                              `trust_reject`, where it surely rejects)
    mixed        w * j + (1 - w) * r          all are asked
    judge_only   w * j                        all are asked, rules are not run
    veto         r = 0: 0, r = 1: w * j       asked where the rule accepts
    sum          rule_weight * r + w * j      all are asked, not clipped

Source of addon, mixed and judge_only: TinyV's reward setups; of veto: FAPO's flawed-positive reward.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from hybridverify.errors import ConfigError, JudgeError, did_you_mean
from hybridverify.types import Outcome, Verdict

ERROR_ACTIONS = ("mask", "zero", "rule_score", "neutral", "raise")
ERROR_OUTCOMES = (
    Outcome.FAILED,
    Outcome.TIMED_OUT,
    Outcome.UNPARSEABLE,
    Outcome.TOO_LONG,
    Outcome.UNDECIDED,
)
"""Judge outcomes that are no verdict. `invalid` joins them only when a mapping names it."""


@dataclass(frozen=True)
class Decision:
    """What a policy made of the verdicts: a score, whether it counts, and the outcome that says why."""

    score: float
    graded: bool
    outcome: Outcome


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


@dataclass(frozen=True)
class RuleOnly(Policy):
    """The rule's score; undecided is a graded 0, a rule that failed is not graded."""

    name: ClassVar[str] = "rule_only"
    asks_judges: ClassVar[bool] = False

    def asks(self, rule: Verdict) -> bool:
        return False

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        if rule.sure:
            return Decision(rule.score, True, rule.outcome)
        return Decision(0.0, rule.outcome is Outcome.UNDECIDED, rule.outcome)


@dataclass(frozen=True)
class Addon(Policy):
    """The judge rescues what the rule does not accept; the weight is for rescued answers only."""

    name: ClassVar[str] = "addon"

    def asks(self, rule: Verdict) -> bool:
        if rule.outcome is Outcome.INCORRECT:
            return not self.trust_reject
        return not rule.sure

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        if not self.asks(rule):
            return Decision(rule.score, True, rule.outcome)
        return Decision(self.judge_weight * judge.score, True, _verdict_outcome(judge))


@dataclass(frozen=True)
class Mixed(Policy):
    """A weighted mean of both sides; always pays for the judge."""

    name: ClassVar[str] = "mixed"

    judge_weight: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.judge_weight <= 1.0:
            raise ConfigError(
                f"policy.judge_weight: mixed needs a weight in [0, 1], got {self.judge_weight!r}"
            )

    def asks(self, rule: Verdict) -> bool:
        return True

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        score = self.judge_weight * judge.score + (1.0 - self.judge_weight) * rule_term(rule)
        return Decision(score, True, _both(rule, judge))


@dataclass(frozen=True)
class JudgeOnly(Policy):
    """The judge alone; rules are not run."""

    name: ClassVar[str] = "judge_only"
    runs_rules: ClassVar[bool] = False

    def asks(self, rule: Verdict) -> bool:
        return True

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        return Decision(self.judge_weight * judge.score, True, _verdict_outcome(judge))


@dataclass(frozen=True)
class Veto(Policy):
    """The judge may take the reward from what the rule accepts."""

    name: ClassVar[str] = "veto"

    def asks(self, rule: Verdict) -> bool:
        return rule.outcome in (Outcome.CORRECT, Outcome.PARTIAL)

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        if rule.outcome is Outcome.INCORRECT:
            return Decision(rule_term(rule), True, Outcome.INCORRECT)
        if not rule.sure:
            return Decision(0.0, True, Outcome.UNDECIDED)
        score = rule_term(rule) * self.judge_weight * judge.score
        return Decision(score, True, _verdict_outcome(judge))


@dataclass(frozen=True)
class Sum(Policy):
    """A weighted sum of both sides, not clipped."""

    name: ClassVar[str] = "sum"

    def asks(self, rule: Verdict) -> bool:
        return True

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        score = self.rule_weight * rule_term(rule) + self.judge_weight * judge.score
        return Decision(score, True, _both(rule, judge))


POLICIES: dict[str, type[Policy]] = {p.name: p for p in (RuleOnly, Addon, Mixed, JudgeOnly, Veto, Sum)}
ALIASES = {"tinyv_only": "judge_only"}


def make_policy(setting: str | Mapping[str, Any] | Policy) -> Policy:
    """A policy from its name, from `{"name": ..., **fields}` or as it is. Raises ConfigError.

    >>> make_policy({"name": "addon", "judge_weight": 0.5}).judge_weight
    0.5
    """
    if isinstance(setting, Policy):
        return setting
    options: dict[str, Any] = {"name": setting} if isinstance(setting, str) else dict(setting)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError("policy: needs a name, such as policy: {name: addon}")
    kind = POLICIES.get(ALIASES.get(name, name))
    if kind is None:
        raise ConfigError(f"policy: no policy {name!r}; {did_you_mean(name, [*POLICIES, *ALIASES])}")
    known = {f.name for f in fields(kind)}
    for option in options:
        if option not in known:
            raise ConfigError(f"policy.{option}: {name} has no such option; {did_you_mean(option, known)}")
    return kind(**options)


@dataclass(frozen=True)
class OnJudgeError:
    """What becomes of a sample whose judge gave no verdict: one action for each outcome.

    mask: not graded. zero: score 0. rule_score: the rule's score. neutral: `neutral_score`.
    raise: JudgeError.
    """

    actions: Mapping[Outcome, str] = field(default_factory=dict)
    default: str = "mask"
    neutral_score: float = 0.5

    @classmethod
    def from_setting(cls, setting: str | Mapping[str, str], neutral_score: float = 0.5) -> OnJudgeError:
        """Build from an action's name, or from a mapping outcome -> action. Raises ConfigError."""
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
        """The action for a judge outcome; "" where the outcome is a verdict."""
        if outcome in self.actions:
            return self.actions[outcome]
        return self.default if outcome in ERROR_OUTCOMES else ""

    @property
    def needs_rules(self) -> bool:
        """True when some action reads the rule's score."""
        return "rule_score" in (self.default, *self.actions.values())

    def decide(self, action: str, rule: Verdict, judge: Verdict) -> Decision:
        """The decision for a sample whose judge gave no verdict. Raises JudgeError when so told."""
        if action == "raise":
            raise JudgeError(f"{judge.source}: {judge.outcome}: {judge.reason}")
        if action == "mask":
            return Decision(0.0, False, judge.outcome)
        if action == "rule_score":
            return RuleOnly().combine(rule, judge)
        return Decision(self.neutral_score if action == "neutral" else 0.0, True, judge.outcome)


def _action(where: str, name: object) -> str:
    if name not in ERROR_ACTIONS:
        raise ConfigError(f"{where}: no action {name!r}; {did_you_mean(str(name), ERROR_ACTIONS)}")
    return str(name)


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


def rule_term(rule: Verdict) -> float:
    """r: the rule's score where it is sure, else 0."""
    return rule.score if rule.sure else 0.0


def _verdict_outcome(judge: Verdict) -> Outcome:
    """A judge's `invalid` counts as incorrect; `Grade.judge` keeps it apart."""
    return Outcome.INCORRECT if judge.outcome is Outcome.INVALID else judge.outcome


def _both(rule: Verdict, judge: Verdict) -> Outcome:
    ours = rule.outcome if rule.sure else Outcome.INCORRECT
    theirs = _verdict_outcome(judge)
    return ours if ours is theirs else Outcome.PARTIAL
