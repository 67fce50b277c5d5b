"""What a trainer sees of a grade: one set of columns, the same on every path.

verl takes the column names from the first row of a batch and then reads them in all others, so a row that
was decided by a rule, asked of a judge, timed out or had no reference must look alike.
"""

from __future__ import annotations

from hybridverify.types import SKIPPED, Grade, Outcome, Verdict

EXTRA_KEYS = (
    "score",
    "acc",
    "pred",
    "hv_graded",
    "hv_status",
    "hv_rule_outcome",
    "hv_rule_score",
    "hv_judge_asked",
    "hv_judge_score",
)
"""The keys of `reward_extra_info`. Never `reward`: the trainer keeps a list of that name itself."""

MAX_PRED_CHARACTERS = 256
"""`pred` travels with every row and is compared by equality for maj@k; more tells nobody anything."""


def extra_info(grade: Grade, score: float) -> dict[str, float | int | str]:
    """The columns of one row; `score` is the reward that is paid, which may differ from the grade's own.

    >>> from hybridverify.types import Verdict
    >>> right = Verdict(Outcome.CORRECT, 1.0, "rule:gsm8k", "42")
    >>> extra_info(Grade(1.0, True, Outcome.CORRECT, right, SKIPPED), 1.0)["acc"]
    1.0
    """
    return {
        "score": float(score),
        "acc": accuracy(grade),
        "pred": (grade.rule.answer or grade.judge.answer)[:MAX_PRED_CHARACTERS],
        "hv_graded": int(grade.graded),
        "hv_status": grade.outcome.value,
        "hv_rule_outcome": grade.rule.outcome.value,
        "hv_rule_score": float(grade.rule.score),
        "hv_judge_asked": int(grade.judge_asked),
        "hv_judge_score": float(grade.judge.score),
    }


def accuracy(grade: Grade) -> float:
    """1.0 for a right answer, whatever scale the reward has; a partial grade is right from one half on."""
    if grade.outcome is Outcome.PARTIAL:
        return float(grade.score >= 0.5)
    return float(grade.graded and grade.outcome is Outcome.CORRECT)


def failed_grade(reason: str, *, judge_asked: bool = False) -> Grade:
    """The grade of a row about which nothing could be found out; `reason` names the exception."""
    failed = Verdict(Outcome.FAILED, reason=reason)
    rule, judge = (SKIPPED, failed) if judge_asked else (failed, SKIPPED)
    return Grade(0.0, False, Outcome.FAILED, rule, judge, judge_asked=judge_asked)
