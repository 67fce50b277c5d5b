"""How a rule's and a judge's verdicts become one score. Pure arithmetic: no clock, no I/O, no randomness.

With r the rule's score (0 where it is undecided), j the judge's score and w the judge's weight:

    rule_only    r                            nobody is asked
    addon        r = 1: 1, else w * j         asked where the rule did not accept (and, unless
                                              `trust_reject`, where it surely rejects)
    mixed        w * j + (1 - w) * r          all are asked
    judge_only   w * j                        all are asked, rules are not run
    tinyv_only   j                            all are asked, rules are not run
    veto         r = 0: 0, r = 1: w * j       asked where the rule accepts
    sum          rule_weight * r + w * j      all are asked, not clipped

Source of addon, mixed and tinyv_only: TinyV's reward setups; of veto: FAPO's flawed-positive reward.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.policies.base import Decision, Policy
from hybridverify.types import CORRECT, INCORRECT, SURE, UNDECIDED, Outcome, Verdict

_ACCEPTED, _REJECTED = Decision(1.0, True, CORRECT), Decision(0.0, True, INCORRECT)
"""Nearly all decisions are one of these two, so they are made once."""


@dataclass(frozen=True)
class RuleOnly(Policy):
    """The rule's score; undecided is a graded 0, a rule that failed is not graded."""

    name: ClassVar[str] = "rule_only"
    asks_judges: ClassVar[bool] = False

    def asks(self, rule: Verdict) -> bool:
        return False

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        return by_rule(rule)


@dataclass(frozen=True)
class Addon(Policy):
    """The judge rescues what the rule does not accept; the weight is for rescued answers only."""

    name: ClassVar[str] = "addon"

    def asks(self, rule: Verdict) -> bool:
        if rule.outcome is Outcome.INCORRECT:
            return not self.trust_reject
        return rule.outcome not in SURE

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        if not self.asks(rule):
            return Decision(rule.score, True, rule.outcome)
        return _decided(self.judge_weight * judge.score, _verdict_outcome(judge))


@dataclass(frozen=True)
class Mixed(Policy):
    """A weighted mean of both sides. Judges are asked about every row."""

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
        return _decided(self.judge_weight * judge.score, _verdict_outcome(judge))


@dataclass(frozen=True)
class TinyvOnly(JudgeOnly):
    """The judge alone at full score, whatever the weight: in TinyV the weight belongs to the other two setups."""

    name: ClassVar[str] = "tinyv_only"

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        return _decided(judge.score, _verdict_outcome(judge))


@dataclass(frozen=True)
class Veto(Policy):
    """The judge may take back what the rule accepts."""

    name: ClassVar[str] = "veto"

    def asks(self, rule: Verdict) -> bool:
        return rule.outcome in (Outcome.CORRECT, Outcome.PARTIAL)

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        if rule.outcome is Outcome.INCORRECT:
            return Decision(rule_term(rule), True, Outcome.INCORRECT)
        if rule.outcome not in SURE:
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


POLICIES: dict[str, type[Policy]] = {
    policy.name: policy for policy in (RuleOnly, Addon, Mixed, JudgeOnly, TinyvOnly, Veto, Sum)
}


def rule_term(rule: Verdict) -> float:
    """r: the rule's score where it is sure, else 0."""
    return rule.score if rule.outcome in SURE else 0.0


def by_rule(rule: Verdict) -> Decision:
    """The rule alone decides. Undecided is a graded 0; a rule that failed is not graded."""
    if rule.outcome is INCORRECT and rule.score == 0.0:
        return _REJECTED  # as `_decided` says, in one step: it is asked for every row
    if rule.outcome in SURE:
        return _decided(rule.score, rule.outcome)
    return Decision(0.0, rule.outcome is UNDECIDED, rule.outcome)


def _decided(score: float, outcome: Outcome) -> Decision:
    """A decision that counts."""
    if outcome is INCORRECT and score == 0.0:
        return _REJECTED
    if outcome is CORRECT and score == 1.0:
        return _ACCEPTED
    return Decision(score, True, outcome)


def make_policy(setting: str | Mapping[str, Any] | Policy) -> Policy:
    """A policy from its name or from `{"name": ..., **fields}`; a `Policy` is returned as it is. Raises ConfigError.

    >>> make_policy({"name": "addon", "judge_weight": 0.5}).judge_weight
    0.5
    """
    if isinstance(setting, Policy):
        return setting
    options: dict[str, Any] = {"name": setting} if isinstance(setting, str) else dict(setting)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError("policy: needs a name, such as policy: {name: addon}")
    kind = POLICIES.get(name)
    if kind is None:
        raise ConfigError(f"policy: no policy {name!r}; {did_you_mean(name, POLICIES)}")
    known = {f.name for f in fields(kind)}
    for option in options:
        if option not in known:
            raise ConfigError(f"policy.{option}: {name} has no such option; {did_you_mean(option, known)}")
    return kind(**options)


def _verdict_outcome(judge: Verdict) -> Outcome:
    """The outcome for the grade. A judge's `invalid` counts as incorrect; `Grade.judge` keeps it as it was."""
    return Outcome.INCORRECT if judge.outcome is Outcome.INVALID else judge.outcome


def _both(rule: Verdict, judge: Verdict) -> Outcome:
    of_rule = rule.outcome if rule.outcome in SURE else Outcome.INCORRECT
    return of_rule if of_rule is _verdict_outcome(judge) else Outcome.PARTIAL
