"""Who decided a row, and who contradicts whom about it."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.policies import RIGHT_FROM
from hybridverify.types import SURE, Grade, Outcome, Verdict

RULE_AND_JUDGE, BETWEEN_JUDGES, ASKED_AGAIN, WRONG_ACCEPT, WRONG_REJECT = 1, 2, 4, 8, 16
DISAGREEMENTS = {
    RULE_AND_JUDGE: "rule and judge",
    BETWEEN_JUDGES: "between judges",
    ASKED_AGAIN: "judge asked again",
    WRONG_ACCEPT: "accepted, labelled wrong",
    WRONG_REJECT: "not accepted, labelled right",
}
"""Bits of `ReportRow.disagreement`, and their names on the page."""


def deciding_tier(grade: Grade) -> str:
    """Who decided: a rule by its name, the judge, the content gate, or nobody."""
    rule, judge = grade.rule, grade.judge
    if grade.judge_asked and (judge.outcome in SURE or judge.outcome is Outcome.INVALID):
        return "judge"
    if rule.outcome in SURE:
        return rule.source or "rule"
    return "gate" if grade.outcome in (Outcome.CORRECT, Outcome.INCORRECT) else "nobody"


def disagreements(grade: Grade) -> int:
    """Who contradicts whom, as bits."""
    if not grade.votes and not grade.checks and grade.judge.outcome not in SURE:
        return 0
    asked_again = any(check.sure and _contradicts(check, grade.votes) for check in grade.checks)
    return (
        RULE_AND_JUDGE * _differ((grade.rule, grade.judge))
        | BETWEEN_JUDGES * _differ(grade.votes)
        | ASKED_AGAIN * asked_again
    )


def _differ(verdicts: Sequence[Verdict]) -> bool:
    """Whether one is sure that the answer is right, and another that it is wrong."""
    return len({_accepts(verdict) for verdict in verdicts if verdict.sure}) > 1


def _accepts(verdict: Verdict) -> bool:
    return verdict.score >= RIGHT_FROM


def _contradicts(check: Verdict, votes: Sequence[Verdict]) -> bool:
    """A swapped question got another verdict, or a foreign reference was accepted."""
    kind, _, name = check.source.partition(":")
    if kind == "canary":
        return _accepts(check)
    first = next((vote for vote in votes if vote.source.partition(":")[2] == name), None)
    return first is not None and first.sure and _accepts(first) != _accepts(check)
