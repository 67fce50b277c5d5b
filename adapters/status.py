"""The columns of a grade in a trainer: the same on every path.

verl takes the column names from the first row of a batch and then reads them in all others. So rows decided by a
rule, asked of a judge, timed out or without a reference must have the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from hybridverify.types import SKIPPED, Grade, Outcome, Verdict

CORRECT, PARTIAL = Outcome.CORRECT, Outcome.PARTIAL

_rule, _judge, _outcome, _value, _score = map(attrgetter, ("rule", "judge", "outcome", "_value_", "score"))
_graded, _asked = attrgetter("graded"), attrgetter("judge_asked")

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
"""The most characters of `pred`, which is kept for every row and compared by equality for maj@k."""


def extra_info(grade: Grade, score: float) -> dict[str, float | int | str]:
    """The columns of one row. `score` is the reward that is paid, which may differ from the grade's own.

    >>> from hybridverify.types import Verdict
    >>> right = Verdict(Outcome.CORRECT, 1.0, "rule:gsm8k", "42")
    >>> extra_info(Grade(1.0, True, Outcome.CORRECT, right, SKIPPED), 1.0)["acc"]
    1.0
    """
    return {name: values[0] for name, values in extra_columns([grade], [score]).items()}


def extra_columns(grades: Sequence[Grade], scores: Sequence[float]) -> dict[str, list[float | int | str]]:
    """The columns of a batch, filled column by column: a thousand rows take half a millisecond."""
    rules, judges = list(map(_rule, grades)), list(map(_judge, grades))
    outcomes, graded = list(map(_outcome, grades)), list(map(int, map(_graded, grades)))
    return {
        "score": list(map(float, scores)),
        "acc": list(map(accuracy, grades)) if PARTIAL in outcomes else _right(outcomes, graded),
        "pred": [(r.answer or j.answer)[:MAX_PRED_CHARACTERS] for r, j in zip(rules, judges, strict=True)],
        "hv_graded": graded,
        "hv_status": list(map(_value, outcomes)),
        "hv_rule_outcome": list(map(_value, map(_outcome, rules))),
        "hv_rule_score": list(map(float, map(_score, rules))),
        "hv_judge_asked": list(map(int, map(_asked, grades))),
        "hv_judge_score": list(map(float, map(_score, judges))),
    }


def accuracy(grade: Grade) -> float:
    """1.0 for a right answer, whatever scale the reward has. A partial grade is right from one half on."""
    outcome = grade.outcome
    if outcome is PARTIAL:
        return float(grade.score >= 0.5)
    return 1.0 if outcome is CORRECT and grade.graded else 0.0


def _right(outcomes: Sequence[Outcome], graded: Sequence[int]) -> list[float]:
    """`accuracy` for outcomes that need no look at the score: a sixth of the time."""
    return [
        1.0 if outcome is CORRECT and known else 0.0 for outcome, known in zip(outcomes, graded, strict=True)
    ]


def failed_grade(reason: str, *, judge_asked: bool = False) -> Grade:
    """The grade of a row that could not be graded at all. `reason` names the exception."""
    failed = Verdict(Outcome.FAILED, reason=reason)
    rule, judge = (SKIPPED, failed) if judge_asked else (failed, SKIPPED)
    return Grade(0.0, False, Outcome.FAILED, rule, judge, judge_asked=judge_asked)
