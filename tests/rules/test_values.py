"""Two texts as values: what tells them apart, and what does not; tests/cases/values.jsonl says why for each row."""

from __future__ import annotations

from typing import Any

import pytest

from hybridverify import verify
from tests.rules.cases import rows


@pytest.mark.parametrize("row", rows("values"))
def test_values_are_held_equal_or_different_only_where_they_surely_are(row: dict[str, Any]) -> None:
    rule = verify(rf"\boxed{{{row['answer']}}}", row["reference"], question=row["question"]).rule
    found = rule.outcome.value
    assert found != "failed", rule.reason
    if row["outcome"] == "not_correct":
        assert found != "correct", (rule.source, rule.reason)
    else:
        assert found == row["outcome"], (rule.source, rule.reason)
