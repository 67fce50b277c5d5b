"""What rows are paid, and the columns beside it."""

from __future__ import annotations

import pytest
from hybridverify.adapters.rewards import carried, group_rewards
from hybridverify.adapters.status import (
    EXTRA_KEYS,
    MAX_PRED_CHARACTERS,
    accuracy,
    extra_columns,
    extra_info,
    failed_grade,
)
from hybridverify.adapters.verl_batch import Rows

from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict


def graded(score: float, outcome: Outcome = Outcome.CORRECT) -> Grade:
    return Grade(score, True, outcome, Verdict(outcome, min(max(score, 0.0), 1.0), "rule:x", "7"), SKIPPED)


def rows_of(groups: str, tokens: tuple[int, ...] = ()) -> Rows:
    """One row a letter; "-" is a row without a group."""
    names = [group.replace("-", "") for group in groups]
    return Rows([Sample("r", "g")] * len(names), list(tokens) or [3] * len(names), names)


LOST = failed_grade("connection refused", judge_asked=True)


def test_a_row_without_a_grade_gets_the_mean_of_its_own_group() -> None:
    rows = rows_of("aaabb")
    grades = [graded(1.0), graded(0.0, Outcome.INCORRECT), LOST, graded(1.0), LOST]
    assert group_rewards(rows, grades) == [1.0, 0.0, 0.5, 1.0, 1.0]


def test_without_graded_rows_or_without_a_group_it_gets_nothing() -> None:
    assert group_rewards(rows_of("aa"), [LOST, LOST]) == [0.0, 0.0]
    assert group_rewards(rows_of("--"), [graded(1.0), LOST]) == [1.0, 0.0]


def test_an_empty_response_is_wrong_and_counts_in_its_group_with_what_its_tokens_can_carry() -> None:
    wrong = graded(-1.0, Outcome.INCORRECT)
    rows = rows_of("aaa", tokens=(0, 0, 3))
    assert group_rewards(rows, [wrong, LOST, LOST]) == [-1.0, 0.0, 0.0]
    assert carried(rows, [-1.0, 0.0, 0.0]) == [0.0, 0.0, 0.0]
    rows = rows_of("aaa", tokens=(1, 0, 3))  # an end-of-sequence token carries it
    assert group_rewards(rows, [wrong, LOST, LOST]) == [-1.0, 0.0, -1.0]


def test_every_kind_of_grade_has_the_same_columns() -> None:
    kinds = [graded(1.0), LOST, failed_grade("ValueError: x"), graded(0.4, Outcome.PARTIAL)]
    found = extra_columns(kinds, [1.0, 0.5, 0.0, 0.4])
    assert tuple(found) == EXTRA_KEYS
    assert found["score"] == [1.0, 0.5, 0.0, 0.4]
    assert found["hv_graded"] == [1, 0, 0, 1]
    assert found["hv_judge_asked"] == [0, 1, 0, 0]
    assert found["hv_status"] == ["correct", "failed", "failed", "partial"]


@pytest.mark.parametrize(
    ("grade", "right"),
    [
        (graded(1.0), 1.0),
        (graded(-1.0, Outcome.INCORRECT), 0.0),
        (graded(0.7, Outcome.PARTIAL), 1.0),
        (graded(0.4, Outcome.PARTIAL), 0.0),
        (LOST, 0.0),
    ],
)
def test_accuracy_is_zero_or_one_whatever_the_reward(grade: Grade, right: float) -> None:
    assert accuracy(grade) == right


@pytest.mark.parametrize("kinds", [[], [graded(0.7, Outcome.PARTIAL), graded(0.4, Outcome.PARTIAL)]])
def test_the_column_of_a_batch_is_the_accuracy_of_each_row(kinds: list[Grade]) -> None:
    ungraded = Grade(0.0, False, Outcome.CORRECT, SKIPPED, SKIPPED)
    kinds = [graded(1.0), graded(-1.0, Outcome.INCORRECT), LOST, ungraded, *kinds]
    assert extra_columns(kinds, [0.0] * len(kinds))["acc"] == list(map(accuracy, kinds))


def test_groups_may_be_named_by_numbers() -> None:
    rows = Rows([Sample("r", "g")] * 3, [3, 3, 3], [7, 7, None])
    assert group_rewards(rows, [graded(1.0), LOST, LOST]) == [1.0, 1.0, 0.0]


def test_a_long_answer_is_cut_in_pred() -> None:
    verdict = Verdict(Outcome.INCORRECT, 0.0, "rule:x", "9" * 10_000)
    info = extra_info(Grade(0.0, True, Outcome.INCORRECT, verdict, SKIPPED), 0.0)
    assert len(str(info["pred"])) == MAX_PRED_CHARACTERS
