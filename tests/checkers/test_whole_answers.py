"""References and whole responses through the default rules; tests/cases/whole.jsonl says why for each row."""

from __future__ import annotations

from typing import Any

import pytest

from hybridverify import verify
from tests.checkers.cases import rows


@pytest.mark.parametrize("row", rows("whole"))
def test_a_response_is_accepted_if_and_only_if_its_row_says_so(row: dict[str, Any]) -> None:
    rule = verify(row["response"], row["reference"], question=row["question"]).rule
    assert (rule.outcome.value == "correct") == row["accepted"], (rule.source, rule.reason, rule.answer)
