"""From verdicts to a score: pure arithmetic that asks nobody.

In: the rules' verdict and the judges'. Out: a `Decision`, which has a score, an outcome, and whether the row counts.
A policy (`kinds`) says who is asked and how both sides make one score. A `panel` makes one verdict of several
judges'. `on_judge_error` says what happens to a row whose judge gave no verdict. `Reward` maps scores to what a
trainer pays.

Entry points: `make_policy`, `Policy` and its kinds, `OnJudgeError`, `Reward`.
"""

from hybridverify.policies.base import RIGHT_FROM, Decision, Policy, Reward
from hybridverify.policies.kinds import (
    POLICIES,
    Addon,
    JudgeOnly,
    Mixed,
    RuleOnly,
    Sum,
    TinyvOnly,
    Veto,
    make_policy,
    rule_term,
)
from hybridverify.policies.on_judge_error import OnJudgeError
from hybridverify.policies.panel import NO_QUORUM

__all__ = [
    "Addon",
    "Decision",
    "JudgeOnly",
    "Mixed",
    "NO_QUORUM",
    "OnJudgeError",
    "POLICIES",
    "Policy",
    "RIGHT_FROM",
    "Reward",
    "RuleOnly",
    "Sum",
    "TinyvOnly",
    "Veto",
    "make_policy",
    "rule_term",
]
