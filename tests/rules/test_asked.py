"""What the question asks for decides what counts; tests/cases/asked.jsonl says why for each row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.language.asked import read_question

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "asked.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['question'][:40]}:{case['response'][:50]}")
def test_answers_to_what_was_asked(case: dict[str, Any]) -> None:
    sample = Sample(case["response"], case["reference"], question=case["question"])
    with Verifier() as verifier:
        (grade,) = verifier.grade([sample])
    assert grade.outcome.value == case["outcome"], (case["why"], grade.rule)


@pytest.mark.parametrize(
    ("question", "formulas"),
    [
        ("Compute 14/35.", ("14/35",)),
        ("Solve: 2y = 10 for y.", ("2y = 10",)),
        (r"Is \(2^{7}-1\) prime or not?", ()),
        ("A story about 5 apples and 3 pears.", ()),
        ("How many cm are 2.5 m?", ("2.5 m",)),
        ("x" * 100_000, ()),
    ],
)
def test_expressions_that_a_question_wants_worked_out(question: str, formulas: tuple[str, ...]) -> None:
    assert read_question(question).formulas == formulas


def test_a_long_expression_is_read_in_pieces_of_bounded_length() -> None:
    formulas = read_question("Compute " + "1+" * 50_000 + "1").formulas
    assert len(formulas) <= 12
    assert all(len(formula) <= 300 for formula in formulas)


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("List the lengths from the shortest to the longest.", 1),
        ("List the lengths from shortest to longest.", 1),
        ("Write the lengths in descending order.", -1),
        ("List the lengths in ascending or any order.", 0),
        ("The lengths fall from the greatest to the least. How long is the last?", 0),
    ],
)
def test_an_order_is_asked_for_with_or_without_an_article(question: str, direction: int) -> None:
    assert read_question(question).direction == direction


@pytest.mark.parametrize("question", ["What is 30% of 50% of 90?", r"What is 30$\%$ of 50$\%$ of 90?"])
def test_a_share_of_a_share_is_a_calculation_however_its_sign_is_written(question: str) -> None:
    assert read_question(question).calculates
    assert not read_question("There are 30% of 90 left.").calculates
