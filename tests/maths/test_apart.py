"""What a question, a tie of letters or a second reading leaves open, and what not; tests/cases/apart.jsonl."""

from __future__ import annotations

from typing import Any

import pytest

from hybridverify.conventions import DEFAULT
from hybridverify.maths import compare
from tests.maths.test_cases import name_of, rows


@pytest.mark.parametrize("row", rows("apart.jsonl"), ids=name_of)
def test_what_no_reading_makes_one(row: dict[str, Any]) -> None:
    found = compare(row["reference"], row["answer"], row["question"], DEFAULT)
    if row["outcome"] == "not_different":
        assert found.outcome != "different", (row["why"], found.reason)
    else:
        assert found.outcome == row["outcome"], (row["why"], found.reason)
