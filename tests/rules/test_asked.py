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
