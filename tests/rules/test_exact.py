"""The exact checker: same text and plain numbers, and never more than that."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from hybridverify.answers.extract import extract
from hybridverify.answers.references import read_reference
from hybridverify.conventions import Conventions
from hybridverify.language.text import canonical, same_text
from hybridverify.rules.base import Checker
from hybridverify.rules.exact import Exact
from hybridverify.types import Outcome, Sample
from tests.rules.cases import rows, sample

MATH = st.text(st.sampled_from("0123456789abxyzAB+-*/=<>,.()[]{}^_ \\$%'|!:;"), max_size=40)
SMALL = st.integers(min_value=-(10**12), max_value=10**12)


def check(response: str, reference: str, **conventions: Any) -> Outcome:
    return Exact(Conventions(**conventions)).check(Sample(response, reference)).outcome


@pytest.mark.parametrize("row", rows("exact"))
def test_each_case_ends_as_its_row_says(row: dict[str, Any]) -> None:
    verdict = Exact().check(sample(row))
    assert verdict.outcome.value == row["expected"], verdict
    assert verdict.source == "rule:exact"
    assert verdict.score == float(verdict.outcome is Outcome.CORRECT)


def test_it_is_a_checker_that_sees_the_form() -> None:
    assert isinstance(Exact(), Checker)
    assert Exact.meta_keys == ("form",)


@given(st.one_of(st.text(max_size=80), MATH))
@example("[0]:0")  # no reader of Markdown sees it
def test_every_readable_reference_equals_itself(reference: str) -> None:
    assume(read_reference(reference))
    told = extract(reference)
    assume(
        told.problem != "unfinished_thinking" and (told.body or told.shown)
    )  # "<end_of_turn>" says nothing
    assert check(reference, reference) is Outcome.CORRECT
    if any(map(str.isalnum, reference)) and not any(char in reference for char in "\\{}#"):
        assert check("\\boxed{" + reference + "}", reference) is not Outcome.INCORRECT


@given(SMALL, SMALL)
def test_integers_are_decided_both_ways(one: int, other: int) -> None:
    wanted = Outcome.CORRECT if one == other else Outcome.INCORRECT
    assert check(f"\\boxed{{{one:,}}}", str(other)) is wanted
    assert check(f"The answer is {one}.", f"{other:,}") is wanted


@given(SMALL, st.integers(1, 10**6), SMALL, st.integers(1, 10**6))
def test_fractions_are_decided_both_ways(top: int, bottom: int, other: int, below: int) -> None:
    wanted = Outcome.CORRECT if Fraction(top, bottom) == Fraction(other, below) else Outcome.INCORRECT
    assert check(f"\\boxed{{\\frac{{{top}}}{{{bottom}}}}}", f"{other}/{below}") is wanted


@given(st.decimals(-1000, 1000, places=3), st.decimals(-1000, 1000, places=3))
def test_decimals_are_accepted_only_where_equal_and_rejected_only_where_no_convention_explains(
    one: Any, other: Any
) -> None:
    outcome = check(f"\\boxed{{{one}}}", str(other))
    first, second = Fraction(str(one)), Fraction(str(other))
    if first == second:
        assert outcome is Outcome.CORRECT
    elif abs(first - second) * 100 <= max(abs(first), abs(second)) or abs(first) == abs(second):
        assert outcome is Outcome.UNDECIDED  # a rounding on the way, or a sign
    else:
        assert outcome is not Outcome.CORRECT
        explained = 2 * abs(first - second) <= 1 or 1 in (first.denominator, second.denominator)
        explained |= abs(abs(first) - abs(second)) * 100 <= max(
            abs(first), abs(second)
        )  # a sign and a rounding
        ratio = abs(first / second) if second else Fraction(0)
        tens = any(
            abs(ratio * Fraction(10) ** power - 1) < Fraction(1, 50) for power in range(-6, 7) if power
        )
        assert outcome is Outcome.INCORRECT or explained or tens


@given(MATH, MATH)
def test_equal_texts_differ_in_blanks_and_wrapping_at_most(one: str, other: str) -> None:
    """No sign, digit, bracket or letter may get lost: the rest of both texts is the same."""
    assume(not any(char in text for text in (one, other) for char in "\\$"))
    if same_text(one, other):
        assert _kept(one) == _kept(other)


def _kept(text: str) -> list[str]:
    text = canonical(text).casefold().replace("{", "").replace("}", "")
    return [char for char in text if char not in " .,;:!'-" or not canonical(text).isalpha()]


@pytest.mark.parametrize(
    ("conventions", "response", "reference", "outcome"),
    [
        ({"thousands": "off"}, "\\boxed{1,250}", "1250", Outcome.UNDECIDED),
        ({"currency": "drop"}, "\\boxed{€5}", "\\$5", Outcome.CORRECT),
        ({"rounding": "none"}, "\\boxed{2/3}", "0.67", Outcome.UNDECIDED),
        ({"exact_digits": 3}, "\\boxed{0.333}", "1/3", Outcome.CORRECT),
        ({"percent": "strict"}, "\\boxed{25}", "25%", Outcome.UNDECIDED),
        ({"percent": "loose"}, "\\boxed{25\\%}", "25", Outcome.CORRECT),
        ({"mixed_number": "product"}, "\\boxed{1 3/4}", "7/4", Outcome.UNDECIDED),
        ({"decimal_comma": True}, "\\boxed{3,5}", "3.5", Outcome.CORRECT),
        ({"decimal_comma": True}, "\\boxed{1,250}", "1250", Outcome.CORRECT),
        ({"e_notation": False}, "\\boxed{2e3}", "2000", Outcome.UNDECIDED),
        ({"number_words": False}, "\\boxed{seven}", "7", Outcome.UNDECIDED),
        ({"ordinals": False}, "\\boxed{7th}", "7", Outcome.UNDECIDED),
        ({"text": "exact"}, "\\boxed{PARIS}", "Paris", Outcome.UNDECIDED),
        ({"escapes": False}, "\\boxed{\\frac{2}{9}}", "\x0crac{2}{9}", Outcome.UNDECIDED),
        ({"multiple_boxes": "join"}, "\\boxed{1} so far. \\boxed{2} too.", "1, 2", Outcome.CORRECT),
        ({"number_fallback": True}, "We count them.\nThere were 7 of them", "7", Outcome.CORRECT),
        ({"number_fallback": True}, "We count them.\nThere were 8 of them", "7", Outcome.UNDECIDED),
    ],
)
def test_each_convention_changes_what_it_names(
    conventions: dict[str, Any], response: str, reference: str, outcome: Outcome
) -> None:
    assert check(response, reference, **conventions) is outcome


def test_hostile_numbers_are_bounded() -> None:
    assert check("\\boxed{10^{99999}}", "5") is Outcome.UNDECIDED
    assert check("\\boxed{1e99999999999}", "5") is Outcome.UNDECIDED
    assert check("\\boxed{" + "9" * 1900 + "}", "9" * 1900) is Outcome.CORRECT
    assert check("\\boxed{" + "9" * 1900 + "}", "5") is Outcome.INCORRECT


def test_explain_gets_the_typed_reading() -> None:
    assert Exact().reading(Sample("\\boxed{1{,}250}", "3")) == "1{,}250 (number 1250)"
