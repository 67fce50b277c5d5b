"""The gsm8k checker: the number after '####', wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.rules.gsm8k import Gsm8k
from hybridverify.types import Outcome, Sample
from tests.rules.cases import rows, sample


@pytest.mark.parametrize("row", rows("gsm8k"))
def test_each_case_ends_as_its_row_says(row: dict[str, Any]) -> None:
    verdict = Gsm8k().check(sample(row))
    assert verdict.outcome.value == row["expected"], verdict
    assert verdict.source == "rule:gsm8k"


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9), st.text(max_size=500))
def test_no_window_limits_where_the_mark_may_stand(told: int, wanted: int, chatter: str) -> None:
    chatter = chatter.replace("#", "").replace("<", "").replace("◁", "").replace("\\", "")
    response = f"Sum.\n#### {told}\n\nNote: {chatter}" + " more words" * 200
    outcome = Gsm8k().check(Sample(response, f"Add them.\n#### {wanted}")).outcome
    assert outcome is (Outcome.CORRECT if told == wanted else Outcome.INCORRECT)
