"""From votes to a decision: panel, error policy, then the policy's arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.policies import Decision, OnJudgeError, Policy, Sum, rule_term
from hybridverify.policies.panel import Panel, score_outcome
from hybridverify.types import Outcome, Verdict


def combine(
    policy: Policy,
    panel: Panel | None,
    on_error: OnJudgeError,
    rule: Verdict,
    votes: Sequence[Verdict],
    weights: Sequence[float],
) -> tuple[Verdict, Decision]:
    """The panel's verdict (or the single judge's) and the decision of a sample that was asked about."""
    judge = votes[0] if panel is None else panel.decide(votes, weights)
    action = on_error.action(judge.outcome)
    if action:
        return judge, on_error.decide(action, rule, judge)
    if panel is not None and panel.folds and isinstance(policy, Sum):
        return judge, _folded(policy, panel, rule, votes, weights)
    return judge, policy.combine(rule, judge)


def _folded(
    policy: Sum, panel: Panel, rule: Verdict, votes: Sequence[Verdict], weights: Sequence[float]
) -> Decision:
    """`sum` over a list of folds starts from the rule's term, so that the order of the list counts."""
    start = policy.rule_weight * rule_term(rule)
    score = panel.fold(start, votes, [policy.judge_weight * weight for weight in weights])
    outcomes = {
        rule.outcome if rule.sure else Outcome.INCORRECT,
        *(score_outcome(vote.score) for vote in votes),
    }
    return Decision(score, True, outcomes.pop() if len(outcomes) == 1 else Outcome.PARTIAL)
