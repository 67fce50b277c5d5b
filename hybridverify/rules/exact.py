"""The first checker of the chain: same text, or plain numbers. No parser, no algebra."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import ClassVar

from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language.joining import AND, OR
from hybridverify.language.patterns import IN_TEXT
from hybridverify.language.pieces import pieces
from hybridverify.maths import numerals
from hybridverify.rules.base import decided, undecided
from hybridverify.rules.comparison import SAME_NUMBER, compared
from hybridverify.rules.kinds import Kind
from hybridverify.rules.prefilter import Case, open_case
from hybridverify.types import Sample, Verdict

_SEPARATORS = ",;、，"
_MAX_PARTS = 200
_LIST = 4
"""So many different numbers are a list, no answer to a question with one number; fewer may be parts of one."""


@dataclass(frozen=True)
class Exact:
    r"""Correct for the same text after safe normalisation and for equal plain numbers.

    Incorrect only where every reference is a plain number and the answer another one that no rounding, percentage,
    power of ten or sign explains. The conventions of numbers and of text apply.

    >>> Exact().check(Sample(r"so \boxed{\tfrac12}", "$\\frac{1}{2}$")).outcome
    <Outcome.CORRECT: 'correct'>
    >>> Exact().check(Sample("The answer is 1,235.", "1234")).reason
    'different number'
    >>> Exact().check(Sample(r"\boxed{5 kg}", "5")).outcome
    <Outcome.UNDECIDED: 'undecided'>
    """

    conventions: Conventions = DEFAULT
    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "exact"
    version: ClassVar[int] = 11
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = Kind.NUMBER

    def check(self, sample: Sample) -> Verdict:
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case
        text = case.extraction.answer
        answer = numerals.read(text, self.conventions)
        if answer is None:
            return self._list_for_one(case) or undecided(self, reason="no plain number", answer=text)
        references = [*map(numerals.read, case.references, repeat(self.conventions))]
        equal = numerals.compare_any(references, answer, self.conventions, sample.question)
        return compared(self, case, equal, SAME_NUMBER)

    def reading(self, sample: Sample) -> str:
        """What this checker makes of the answer, for `explain`."""
        case = open_case(self, sample)
        if isinstance(case, Verdict):
            return case.answer
        number = numerals.read(case.answer, self.conventions)
        return case.answer if number is None else f"{case.answer} (number {number.value})"

    def _is_integer(self, text: str) -> bool:
        number = numerals.read(text, self.conventions)
        return number is not None and number.is_integer

    def _list_for_one(self, case: Case) -> Verdict | None:
        """A list of many numbers where one integer is asked: a way to name every candidate."""
        if not case.extraction.firm or not all(map(self._is_integer, case.references)):
            return None
        parts = pieces(IN_TEXT.sub(r" \1 ", case.answer), _SEPARATORS, AND | OR)
        if len(parts) > _MAX_PARTS:
            return None
        read = [numerals.read(part.strip(), self.conventions) for part in parts]
        values = {number.value for number in read if number is not None}
        if len(values) < _LIST or None in read:
            return None
        return decided(self, correct=False, answer=case.answer, reason="a list where one number is asked")
