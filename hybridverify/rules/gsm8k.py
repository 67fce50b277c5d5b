"""The number after '####', as GSM8K writes its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hybridverify.answers.extract import Mark
from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language import expressions as re
from hybridverify.language.pieces import runs
from hybridverify.maths import numerals
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.units.words import OTHER_NUMBER
from hybridverify.rules.base import undecided
from hybridverify.rules.comparison import SAME_NUMBER, compared
from hybridverify.rules.kinds import Kind
from hybridverify.rules.prefilter import open_case
from hybridverify.types import Sample, Verdict

_AMOUNT = re.compile(
    r"(?P<number>[-+−]?\s?(?:\\?\$|€|£|¥|₹)?\s?[-−]?\d[\d,. ]*(?:/\d+)?(?:\\?\$|€|£)?)"
    r"(?P<percent>\s?\\?%)?(?P<rest>[^\d%]*)$"
)
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}
_CHANGES = OTHER_NUMBER | words("k m bn by x scores bc bce perhaps so i ish")
_SCALE_SIGNS = frozenset("!?=+*/^<>~×÷²³_\\万亿千百")
"""What may make another number of it, or take it back."""


@dataclass(frozen=True)
class Gsm8k:
    """Compare the number after the last '####', wherever it stands; words behind it ("12 dollars") are a unit.

    Without '####' it is incorrect where the form is `hash`, else undecided: other checkers look.

    >>> Gsm8k().check(Sample("so 40 + 2.\\n#### 42 apples", "40 + 2 = 42\\n#### 42")).outcome
    <Outcome.CORRECT: 'correct'>
    >>> Gsm8k().check(Sample("42", "42", meta={"form": "hash"})).outcome
    <Outcome.CORRECT: 'correct'>
    """

    conventions: Conventions = DEFAULT
    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "gsm8k"
    version: ClassVar[int] = 11
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = Kind.HASH

    def check(self, sample: Sample) -> Verdict:
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case
        if case.extraction.mark is not Mark.HASH and sample.meta.get("form") != "hash":
            return undecided(self, reason="no '#### number' in the response", answer=case.answer)
        answer = self._amount(case.answer)
        if answer is None:
            return undecided(self, reason="no plain number", answer=case.answer)
        if not case.answer.isdigit() and _units_differ(case.references, case.answer):
            return undecided(self, reason="another unit", answer=case.answer)
        references = [self._amount(reference) for reference in case.references]
        equal = numerals.compare_any(references, answer, self.conventions, sample.question)
        return compared(self, case, equal, SAME_NUMBER)

    def _amount(self, text: str) -> numerals.Number | None:
        """The number of "12", "$12", "12 dollars", "20% of them"."""
        number = numerals.read(text, self.conventions)
        if number is not None:
            return number
        match = _AMOUNT.match(text.strip())
        if match is None or _changes(match.group("rest")):
            return None
        return numerals.read(
            match.group("number").strip(" ,.") + (match.group("percent") or ""), self.conventions
        )


def _changes(rest: str) -> bool:
    """Whether what follows a number is more than the name of a unit."""
    if rest.strip() == "-" or not _SCALE_SIGNS.isdisjoint(rest):
        return True
    return not _CHANGES.isdisjoint(runs(rest.lower()))


def _units_differ(references: Sequence[str], answer: str) -> bool:
    """Both name a unit, and not the same one: 5 cents are no $5, and 3000 g may be 3 kg."""
    told = _unit(answer)
    return bool(told) and any(_unit(reference) not in ("", told) for reference in references)


def _unit(text: str) -> str:
    """The words or the currency beside the number, "" where there are none.

    >>> _unit("$5"), _unit("5 Dollars."), _unit("5"), _unit("20% of them")
    ('dollar', 'dollar', '', 'of them')
    """
    match = _AMOUNT.match(text.strip())
    if match is None:
        return ""
    words = " ".join(match.group("rest").casefold().strip(" .,;").split())
    sign = next((name for sign, name in _SIGNS.items() if sign in match.group("number")), "")
    return words.removesuffix("s") or sign
