"""References and whole responses through the default rules; tests/cases/whole.jsonl says why for each row."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from hybridverify import verify
from tests.rules.cases import rows


@pytest.mark.parametrize("row", rows("whole"))
def test_a_response_is_accepted_if_and_only_if_its_row_says_so(row: dict[str, Any]) -> None:
    rule = verify(row["response"], row["reference"], question=row["question"]).rule
    assert rule.outcome.value != "failed", rule.reason
    assert (rule.outcome.value == "correct") == row["accepted"], (rule.source, rule.reason, rule.answer)


def test_unreadable_responses_fill_no_log_and_print_nothing(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = [rf"\boxed{{\frac{{{number}}}{{(}}\sqrt[}}}}" for number in range(500)]
    with caplog.at_level(logging.DEBUG, "hybridverify"):
        grades = [verify(response, "4") for response in broken]
    assert not any(grade.outcome.value == "correct" for grade in grades)
    assert len(caplog.records) < 5
    assert capfd.readouterr() == ("", "")
