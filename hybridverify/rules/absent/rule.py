"""The rule for absent values: a response that states numbers, none of which can be the reference, is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from hybridverify.answers.extract import Extraction, Mark
from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.conventions import DEFAULT, Conventions
from hybridverify.language.tolerance import Tolerance, stated_tolerance
from hybridverify.maths.limits import Unread
from hybridverify.rules.absent.candidates import Candidates, candidates, commits, gives_numbers, scope_of
from hybridverify.rules.absent.matching import Scope, is_rough, may_be, may_round, may_round_scaled
from hybridverify.rules.absent.wanted import Wanted, wanted
from hybridverify.rules.base import decided, undecided
from hybridverify.rules.kinds import Kind, offers_options
from hybridverify.rules.prefilter import Case, open_case, read_answer, read_references
from hybridverify.rules.reference_looks import option_numbers
from hybridverify.types import UNDECIDED, Sample, Verdict

_READ_ALL = ("no_answer", "not_alone", "hedge", "")
"""Problems of a reading after which all of the response is known."""
_GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)
_HUGE = 1e18
_LAST_YEAR = 2200
_NARROW = Scope(percent=False, shifts=False)
_SHOWN = 8
"""So many of the numbers that were found are named."""


@dataclass(frozen=True)
class Absent:
    """Incorrect where nothing in the response can be a reference, under any convention; else undecided.

    Only for references that are plain numbers, and for responses of which every part that may be a number is read. What
    a question without numbers asks for is a fact, of which a reference may be one of several readings: there the answer
    has to be marked.

    >>> question, response = "He buys 4 bags of 9 rolls. How many is that?", "He buys 4 bags of 9 rolls, which is 32."
    >>> Absent().check(Sample(response, "52", question)).reason
    'not among what it states: 4, 9, 32'
    >>> Absent().check(Sample(response, "36", question)).outcome.value
    'undecided'
    """

    conventions: Conventions = DEFAULT
    thinking_tags: tuple[str, str] = THINKING_TAGS

    name: ClassVar[str] = "absent"
    version: ClassVar[int] = 2
    isolated: ClassVar[bool] = False
    meta_keys: ClassVar[tuple[str, ...]] = ("form",)
    reads: ClassVar[Kind] = Kind.NUMBER
    reads_responses: ClassVar[bool] = True

    def check(self, sample: Sample) -> Verdict:
        case = open_case(self, sample)
        if isinstance(case, Verdict) and case.outcome is not UNDECIDED:
            return case
        answer = case.answer
        try:
            found = self._absent(sample, case)
        except Unread as error:
            return undecided(self, reason=f"may stand unread: {error}"[:100], answer=answer)
        if found is None:
            return undecided(self, reason="may be among what it states", answer=answer)
        return decided(
            self, correct=False, answer=answer, reason=f"not among what it states: {_named(found)}"
        )

    def _absent(self, sample: Sample, case: Case | Verdict) -> tuple[Fraction, ...] | None:
        """The numbers that the response states where none can be a reference, None where one can. Raises Unread."""
        references = case.references if isinstance(case, Case) else read_references(sample, self.conventions)
        values = wanted(references, self.conventions, sample.question)
        if _offers_options(sample):
            raise Unread("options")
        reading = case.extraction if isinstance(case, Case) else read_answer(self, sample)
        _check_reading(reading, sample.question)
        found = candidates(reading.body, sample.question)
        held = any(_may_hold(found, one, sample.question) for one in values)
        return None if held else found.stated


def _offers_options(sample: Sample) -> bool:
    numbered = option_numbers(sample.question, sample.references)
    return sample.meta.get("form") == "choice" or bool(numbered) or offers_options(sample.question, ())


def _check_reading(reading: Extraction, question: str) -> None:
    """Raises Unread where more may be said than stands there, or nothing is answered by a number."""
    if reading.problem not in _READ_ALL:
        raise Unread(reading.problem)
    if reading.mark not in _GIVEN and not gives_numbers(question):
        raise Unread("a question without numbers")
    if not commits(reading.shown):
        raise Unread("no number in the answer")


def _may_hold(found: Candidates, one: Wanted, question: str) -> bool:
    scope = scope_of(found, one, question)
    return (
        _may_come_to(found, scope, one, question)
        or _may_be_written(found, scope, one)
        or any(low <= one.value <= high for low, high in found.ranges)
        or one.value <= found.calendar
    )


def _may_come_to(found: Candidates, scope: Scope, one: Wanted, question: str) -> bool:
    """Is it among the values that the numbers may come to, or near one where the question or the words allow it?"""
    if any(is_rough(value, one.value) for value in found.rough):
        return True
    tolerance = stated_tolerance(question)
    roughly = (found.roughly or one.rough) and not tolerance
    return any(
        may_be(value, one, scope)
        or (roughly and is_rough(value, one.value))
        or (tolerance and _is_covered(value, one, tolerance))
        for value in found.values
    )


def _is_covered(value: float, one: Wanted, tolerance: Tolerance) -> bool:
    return value < _HUGE and tolerance.may_cover(one.value, Fraction(value))


def _may_be_written(found: Candidates, scope: Scope, one: Wanted) -> bool:
    """Is it a number as it stands, rounded or cut, the one of `an hour`, or one that the question names?"""
    if found.ones and may_be(1.0, one, _NARROW._replace(factors=scope.factors)):
        return True
    if any(may_round(value, one) for value in found.written):
        return True
    if scope.shifts and any(may_round_scaled(value, one) for value in found.written):
        return True
    return any(may_be(value, one, _NARROW) for value in found.shared) or _is_short_year(one.value, found)


def _is_short_year(reference: Fraction, found: Candidates) -> bool:
    """`'98` for 1998."""
    return 1000 <= reference <= _LAST_YEAR and reference % 100 in found.written


def _named(values: Iterable[Fraction]) -> str:
    told = [str(value) for value in values if value.numerator.bit_length() < 64]
    return ", ".join(told[:_SHOWN]) + (", ..." if len(told) > _SHOWN else "")
