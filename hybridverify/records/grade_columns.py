"""The `hv_` columns of a grade: their names, values and types."""

from __future__ import annotations

from typing import Any

from hybridverify.types import GRADE_KEYS, Grade

TIMING_KEYS = ("cached", "seconds")
"""Added only on request: they differ from run to run."""

NUMBERS = frozenset({"score", "rule_score", "judge_score", "seconds"})
FLAGS = frozenset({"graded", "judge_asked", "cached"})


def column_keys(timing: bool) -> tuple[str, ...]:
    """The columns of a run, in order, without prefix."""
    return (*GRADE_KEYS, *TIMING_KEYS) if timing else GRADE_KEYS


def grade_columns(grade: Grade, timing: bool) -> dict[str, Any]:
    """Column values of one grade. With `timing` also whether the deciding verdict was cached, and its seconds."""
    columns: dict[str, Any] = grade.to_dict()
    if timing:
        deciding = grade.judge if grade.judge_asked else grade.rule
        columns.update(cached=deciding.cached, seconds=grade.rule.seconds + grade.judge.seconds)
    return columns
