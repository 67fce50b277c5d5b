"""The grade checker: the training reward of rubric models."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.rules.grade import Grade
from hybridverify.types import Outcome, Sample
from tests.rules.cases import rows, sample


@pytest.mark.parametrize("row", rows("grade"))
def test_each_case_ends_as_its_row_says(row: dict[str, Any]) -> None:
    verdict = Grade().check(sample(row))
    assert (verdict.outcome.value, round(verdict.score, 6)) == (row["expected"], row["score"]), verdict
    assert verdict.source == "rule:grade"


@given(st.integers(0, 100), st.integers(0, 100))
def test_the_score_is_the_square_of_the_nearness(told: int, wanted: int) -> None:
    verdict = Grade().check(Sample(f"Fine.\nTotal Score: {told / 10}/10", str(wanted / 100)))
    assert verdict.score == pytest.approx((1 - abs(told - wanted) / 100) ** 2)


def test_the_nearest_of_several_references_counts() -> None:
    assert Grade().check(Sample("Total Score: 3/10", ["0.9", "0.3"])).outcome is Outcome.CORRECT
