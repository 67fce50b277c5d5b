"""The rule for absent values: what it rejects, the right twin of each kind, what ends the proof, and its bounds."""

from __future__ import annotations

from typing import Any

import pytest

from hybridverify import Verifier
from hybridverify.config.registry import DEFAULT_RULES
from hybridverify.maths.limits import Unread
from hybridverify.rules.absent.candidates import candidates
from hybridverify.rules.absent.rule import Absent
from hybridverify.rules.absent.screen import MAX_CHARS
from hybridverify.rules.base import Checker
from hybridverify.types import Outcome, Sample
from tests.rules import cases

RULE = Absent()
ASKED = "A crate holds 19 jars and 24 cans. How many things is that?"
HOSTILE = {
    "long sum": "1+" * 1_900 + "1 is it",
    "all operations": "It is the sum of " + "3 plus 4 times " * 200,
    "many words": "It is " + "one hundred and " * 230 + "two",
    "one word": "It is " + "twenty " * 500,
    "tower": "It is 9^9^9^9, or so, of 3.",
    "exponent": "It is 1e999 and 3.",
    "digits": "It is " + "9" * 3_900,
    "separators": "It is 1" + " 2" * 1_900,
    "brackets": "It is " + "(" * 400 + "3" + ")" * 400,
    "units": "It is the " + "an hour and 3 minutes " * 170,
    "fractions": "It is " + "\\frac{1}{2}" * 300,
    "halves": "half of " * 400 + "3 is it",
    "percents": "It is " + "20% of " * 500 + "3",
    "ranges": "It is " + "3 to 4 or " * 380,
    "long": "It is 3. " * 100_000,
}


@pytest.mark.parametrize("row", cases.rows("absent"))
def test_only_what_cannot_be_the_reference_is_rejected(row: dict[str, Any]) -> None:
    found = RULE.check(cases.sample(row))
    assert (found.outcome is Outcome.INCORRECT) is row["rejected"], found.reason


def test_the_protocol() -> None:
    checker: Checker = RULE
    assert (checker.name, checker.isolated, checker.meta_keys) == ("absent", False, ("form",))
    assert DEFAULT_RULES[-2:] == ("absent", "sympy")  # last of those that need no worker


def test_the_reason_names_what_was_found() -> None:
    found = RULE.check(Sample("It makes 57 of them, more than 19.", "43", ASKED))
    assert found.reason == "not among what it states: 57, 19"


def test_rules_may_be_chosen_without_it() -> None:
    sample = Sample("It holds 19 jars, which makes 57 of them.", "43", ASKED)
    with (
        Verifier() as default,
        Verifier(rules=["exact", "choice", "gsm8k", "prime_math", "sympy"]) as without,
    ):
        assert default.grade([sample])[0].outcome is Outcome.INCORRECT
        assert without.grade([sample])[0].outcome is Outcome.UNDECIDED
        assert "absent@2" in default.grade([sample])[0].fingerprint


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_are_bounded(text: str) -> None:
    assert RULE.check(Sample(text, "77777", ASKED)).outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_candidates_are_bounded(text: str) -> None:
    try:
        found = candidates(text, ASKED)
    except Unread:
        found = None
    assert found is None or len(found.values) <= 1_500


def test_a_longer_text_is_left_open() -> None:
    text = "It is 57 of them. " * (MAX_CHARS // 18 + 1)
    with pytest.raises(Unread):
        candidates(text, ASKED)
