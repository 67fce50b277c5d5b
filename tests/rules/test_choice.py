"""The choice checker: option letters and option texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.answers.choice_letter import letter_of
from hybridverify.answers.options import read_options
from hybridverify.conventions import Conventions
from hybridverify.rules.choice import Choice
from hybridverify.types import Outcome, Sample
from tests.rules.cases import rows, sample

QUESTION = "Which one floats? A) iron B) cork C) lead D) gold"
SPELLINGS = [
    "{}",
    "({})",
    "{}.",
    "[{}]",
    "**{}**",
    "Option {}",
    "choice {}",
    "Answer: {}",
    "\\text{{({})}}",
    "选{}",
    "{}) it",
]


@pytest.mark.parametrize("row", rows("choice"))
def test_each_case_ends_as_its_row_says(row: dict[str, Any]) -> None:
    verdict = Choice().check(sample(row))
    assert verdict.outcome.value == row["expected"], verdict
    assert verdict.source == "rule:choice"


@given(st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.sampled_from(SPELLINGS), st.booleans())
def test_any_spelling_of_a_letter_is_decided_both_ways(
    told: str, wanted: str, spelling: str, boxed: bool
) -> None:
    answer = spelling.format(told)
    response = f"Thus \\boxed{{{answer}}}." if boxed else answer
    outcome = Choice().check(Sample(response, wanted, QUESTION)).outcome
    assert outcome is (Outcome.CORRECT if told == wanted else Outcome.INCORRECT)


@pytest.mark.parametrize(
    "text",
    ["A car", "I think so", "Bas", "Das Haus", "an apple", "Because", "AB", "A+B", "e^x", "", "not A", "7"],
)
def test_a_word_or_formula_is_no_letter(text: str) -> None:
    assert letter_of(text) == ("", "")


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Pick. $\\textbf{(A)}\\ 3 \\qquad\\textbf{(B)}\\ 5$", (("A", "3"), ("B", "5"))),
        ("Pick.\nA: red\nB: dark blue\n\nName one.", (("A", "red"), ("B", "dark blue"))),
        ("Given points A. B. and a line.", (("A", ""), ("B", "and a line."))),
        ("Vertex (A) lies on it.", ()),
        ("(B) first, then (A) second", ()),
    ],
)
def test_options_are_read_in_order_from_a(question: str, options: tuple[tuple[str, str], ...]) -> None:
    assert read_options(question) == options


def test_option_texts_count_only_under_their_convention() -> None:
    asked = Sample("The answer is cork.", "B", QUESTION)
    assert Choice().check(asked).outcome is Outcome.CORRECT
    assert Choice(Conventions(choice="letter")).check(asked).outcome is Outcome.UNDECIDED


def test_a_text_that_two_options_share_decides_nothing() -> None:
    question = "How many? (A) 2 (B) 2.0 (C) 3"
    assert Choice().check(Sample("\\boxed{2}", "A", question)).outcome is Outcome.UNDECIDED
