"""Plain numbers are compared twice, by the fast way (`exact`) and by the reader: one may be open where the other is
sure, but they never say the opposite."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.conventions import DEFAULT
from hybridverify.maths import compare, numerals
from hybridverify.rules.exact import Exact
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.types import Outcome, Sample

SPELLINGS = (
    *(
        "15",
        "15.0",
        "-15",
        "+15",
        "15.",
        "015",
        "1,500",
        "1500",
        "1 500",
        "1.5e3",
        r"1.5\times 10^3",
        "10^3",
        "1e3",
    ),
    *(
        "0.15",
        "15%",
        r"15\%",
        "15 percent",
        "0.15%",
        "1500%",
        "3/20",
        r"\frac{3}{20}",
        "0.150",
        ".15",
        "0.1499",
    ),
    *("3/7", "0.428", "0.429", "0.4286", "43%", "42.9%", r"3\frac{1}{5}", "3 1/5", "3.2", "16/5", "three"),
    *("$8", "8", r"\$8.00", "€8", "8 dollars", "800 cents", "7.996", "8.0", "two thirds", "2/3", "0.67", "0"),
    *("-0", "0.0", "3.14", "22/7", "8th", "2.10", "2.1", "2.09", "999,999.6", "1,000,000", "1.500,5"),
)
QUESTIONS = (
    "",
    "What percentage of the eggs is brown?",
    "How many dollars is that?",
    "Give it to two decimal places.",
    "Which fraction is left?",
)
SURE = (Outcome.CORRECT, Outcome.INCORRECT)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_fast_way_and_the_reader_never_say_the_opposite(question: str) -> None:
    fast, reader = Exact(), PrimeMath()
    opposite, both = [], 0
    for answer, reference in itertools.product(SPELLINGS, repeat=2):
        sample = Sample(rf"\boxed{{{answer}}}", reference, question=question)
        one, other = fast.check(sample).outcome, reader.check(sample).outcome
        both += one in SURE and other in SURE
        if one in SURE and other in SURE and one is not other:
            opposite.append((answer, reference, str(one), str(other)))
    assert opposite == []
    assert both > 200  # else nothing was compared


OUTCOMES = {True: "equal", False: "different", None: "undecided"}
WHOLE = st.integers(-3000, 3000).map(str)
DECIMAL = st.decimals(-200, 200, places=2).map(str)
PERCENT = st.one_of(st.integers(0, 300), st.decimals(0, 300, places=1)).map(r"{}\%".format)
AMOUNT = st.one_of(st.integers(0, 900), st.decimals(0, 900, places=2)).map(r"\${}".format)
FRACTION = st.tuples(st.integers(1, 60), st.integers(2, 60)).map(r"\frac{{{0[0]}}}{{{0[1]}}}".format)
WRITTEN = st.one_of(WHOLE, DECIMAL, PERCENT, AMOUNT, FRACTION)


@given(WRITTEN, WRITTEN, st.sampled_from(QUESTIONS))
def test_the_fast_way_and_the_reader_say_the_same_of_plain_numbers(
    one: str, other: str, question: str
) -> None:
    reference, answer = numerals.read(one), numerals.read(other)
    assert reference is not None
    assert answer is not None
    fast = OUTCOMES[numerals.compare(reference, answer, DEFAULT, question)]
    assert fast == compare(one, other, question, DEFAULT).outcome


@pytest.mark.parametrize("question", QUESTIONS)
def test_they_say_the_same_of_all_spellings_too(question: str) -> None:
    unlike = []
    for one, other in itertools.product(SPELLINGS, repeat=2):
        reference, answer = numerals.read(one), numerals.read(other)
        if reference is None or answer is None:
            continue
        fast = OUTCOMES[numerals.compare(reference, answer, DEFAULT, question)]
        if fast != compare(one, other, question, DEFAULT).outcome:
            unlike.append((one, other, fast))
    assert unlike == []
