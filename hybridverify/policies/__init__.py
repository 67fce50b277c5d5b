"""From verdicts to a score: pure arithmetic, which asks nobody.

In: the rules' verdict and the judges'. Out: a `Decision`, that is a score, whether it counts, and an outcome. A policy
(`kinds`) says who is asked and how both sides make one score; a `panel` makes one verdict of several judges';
`on_judge_error` says what becomes of a row whose judge gave none; `reward` maps scores to what a trainer pays.

Entry points: `make_policy`, `Policy` and its kinds, `OnJudgeError`, `Reward`.
"""

from hybridverify.policies.base import RIGHT_FROM, Decision, Policy
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
from hybridverify.policies.reward import Reward

__all__ = [
    "Addon",
    "Decision",
    "JudgeOnly",
    "Mixed",
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
