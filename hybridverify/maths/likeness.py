"""May two numbers be one under a convention: rounding, percent, money, a scale, a sign? The one place that says so.

The fast way (`numerals`) and the comparison of values ask here, so that they never differ. Numbers come as they were
written, with their digits. "The same" needs a convention that gives the other number; "surely another one" needs that
every convention was tried and none does.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.language.asked import read_question
from hybridverify.maths.approximation import is_rounded
from hybridverify.maths.rounding import counts_percent
from hybridverify.maths.scales import SCALES, convention_between, is_grouped_by_points, scale_asked
from hybridverify.maths.written_number import Number

_COARSE, _GROUP = 1_000, 3
"""A decimal within a thousandth is taken by many, in whatever form the question wants its answer."""


class Likeness(NamedTuple):
    """`equal` is None where nobody can tell; `reason` names the convention that holds, may hold or was excluded."""

    equal: bool | None
    reason: str


_AS_WRITTEN = Number(0)[1:]
"""What is told of an integer besides its value: nothing."""
_SAME = Likeness(True, "same value")
_OTHER = Likeness(False, "other value")


def liken(
    reference: Number, answer: Number, conventions: Conventions, question: str = "", proved: bool = True
) -> Likeness:
    """Two numbers, the reference first. `proved`: different values are surely different.

    >>> liken(Number(Fraction("12.5"), 1), Number(Fraction("14.1"), 1), Conventions())
    Likeness(equal=False, reason='no rounding or scale')
    >>> liken(Number(7), Number(12, percent=True), Conventions())
    Likeness(equal=False, reason='no percentage')
    """
    if type(reference.value) is int is type(answer.value) and reference[1:] == _AS_WRITTEN == answer[1:]:
        return _liken_integers(reference, answer, question)
    if _currencies_differ(reference, answer) and conventions.currency == "agree":
        return Likeness(None, "currency")
    if reference.percent != answer.percent:
        return _across_percent(reference, answer, conventions, question)
    # The `==` of fractions asks for the types of both first.
    if reference.value.as_integer_ratio() == answer.value.as_integer_ratio() and proved:
        return _SAME
    if is_rounded(reference, answer, conventions):
        return _liken_rounded(reference, question)
    return _unlike(reference, answer, conventions, question) if proved else Likeness(None, "not proved")


def _liken_rounded(reference: Number, question: str) -> Likeness:
    """One is the other rounded: no answer, maybe, where the question asks for an exact form."""
    if reference.exact and reference.surd and read_question(question).speaks_of("exact_form"):
        return Likeness(None, "form")
    return Likeness(True, "rounding")


def _liken_integers(reference: Number, answer: Number, question: str) -> Likeness:
    """Two plain integers. Most answers are, so the question is read only where a factor might be left open."""
    one, other = reference.value, answer.value
    if one == other:
        return _SAME
    one, other = (-one if one < 0 else one), (-other if other < 0 else other)
    low, high = (one, other) if one < other else (other, one)
    if not low or high % low or high // low not in SCALES:
        return _OTHER
    scale = scale_asked(reference, answer, question)
    return Likeness(None, scale) if scale else _OTHER


def _currencies_differ(reference: Number, answer: Number) -> bool:
    return bool(reference.currency and answer.currency) and reference.currency != answer.currency


def _unlike(reference: Number, answer: Number, conventions: Conventions, question: str) -> Likeness:
    """Two values that are not equal as written, nor one the other rounded."""
    grouped = _GROUP in (reference.places, answer.places)
    if grouped and is_grouped_by_points(reference, answer, question):
        return Likeness(None, "scale")
    if _is_plain(reference) and _is_plain(answer) and not _is_measured_share(reference, answer):
        scale = scale_asked(reference, answer, question)
        return Likeness(None, scale) if scale else _OTHER
    return _by_convention(reference, answer, conventions, question)


def _by_convention(reference: Number, answer: Number, conventions: Conventions, question: str) -> Likeness:
    if conventions.rounding == "none" and not (reference.exact and answer.exact):
        return Likeness(None, "rounding")
    convention = convention_between(reference, answer, question)
    if convention == "rounding" and _is_rounded_in_vain(reference, answer, conventions, question):
        return Likeness(False, "exact form")
    if convention:
        return Likeness(None, convention)
    return _OTHER if reference.exact else Likeness(False, "no rounding or scale")


def _is_rounded_in_vain(reference: Number, answer: Number, conventions: Conventions, question: str) -> bool:
    """A coarse decimal where the question asks for a fraction, for roots or for pi, and for no decimal?"""
    exact, told = Fraction(reference.value), Fraction(answer.value)
    if abs(exact - told) * _COARSE <= abs(exact):
        return False
    if not reference.exact or answer.places < 0 or reference.measured != answer.measured:
        return False
    asked = read_question(question)
    if answer.significant >= conventions.exact_digits or asked.speaks_of("decimal_form"):
        return False
    return asked.speaks_of("exact_form" if reference.surd else "fraction_form")


def _is_measured_share(reference: Number, answer: Number) -> bool:
    """Two and a half hours are measured, and may be rounded to two; 5 boys are counted."""
    return reference.measured and not (reference.is_integer and answer.is_integer)


def _across_percent(reference: Number, answer: Number, conventions: Conventions, question: str) -> Likeness:
    """A percent against a bare number: p% is p/100, and p itself where a percentage is wanted."""
    if conventions.percent == "strict":
        return Likeness(None, "percent")
    known, bare = (reference, answer) if reference.percent else (answer, reference)
    readings = _share(known), known._replace(percent=False)
    told = _is_told_in_percent(reference, bare, readings, conventions, question)
    if told and not reference.currency and not answer.currency:
        return Likeness(True, "percent")
    excluded = all(_is_excluded(reading, bare) for reading in readings)
    return Likeness(False, "no percentage") if excluded else Likeness(None, "percent")


def _is_told_in_percent(
    reference: Number, bare: Number, readings: tuple[Number, Number], conventions: Conventions, question: str
) -> bool:
    """Is the bare number the percentage, read as a share or as it stands, in the way that the question wants?"""
    first = reference.percent
    is_share, is_itself = [_equals_bare(reading, bare, first, conventions) for reading in readings]
    if is_share and (first or not _counts_percent(reference, question)):
        return True
    return is_itself and (first or _wants_percentage(conventions, question))


def _equals_bare(reading: Number, bare: Number, first: bool, conventions: Conventions) -> bool:
    """Is a percentage, read as a number, the bare one? `first`: the percentage is the reference."""
    number, other = reading._replace(currency=""), bare._replace(currency="")
    pair = (number, other) if first else (other, number)
    return liken(*pair, conventions).equal is True


def _wants_percentage(conventions: Conventions, question: str) -> bool:
    """May a bare reference be the number of percents?"""
    return conventions.percent == "loose" or read_question(question).percent


def _is_excluded(reading: Number, bare: Number) -> bool:
    """Is a percentage, read as one of the two numbers it may be, surely not the bare one?"""
    rounded = reading._replace(places=max(reading.places, 0))
    return reading.value != bare.value and not convention_between(rounded, bare._replace(currency=""), "")


def _share(percent: Number) -> Number:
    """Of p%, p/100 with its digits."""
    places = percent.places + 2 if percent.places >= 0 else -1
    return percent._replace(value=Fraction(percent.value) / 100, places=places, percent=False)


def _counts_percent(reference: Number, question: str) -> bool:
    """Does the bare reference count percents itself?"""
    return counts_percent(Fraction(reference.value)) and read_question(question).percent


def _is_plain(number: Number) -> bool:
    return number.exact and not number.surd and not number.step
