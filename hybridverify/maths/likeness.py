"""May two numbers be one under a convention: rounding, percent, money, a scale, a sign? The one place that says so.

The fast way (`numerals`) and the comparison of values ask here, so that they never differ. Numbers come as they were
written, with their digits. "The same" needs a convention that gives the other number; "surely another one" needs that
every convention was tried and none does.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.maths.rounding import (
    counts_percent,
    cuts_to,
    is_near,
    is_percent_apart,
    may_be_written,
    rounds_to,
)

Rational: TypeAlias = Fraction | int
"""Integers stay `int`: they are most answers, and making a fraction of one costs as much as reading it."""
_MILLIONS, _HUNDRED = 10**5, 100
_GROUP, _THOUSAND = 3, 1000
_FLOAT = 9
"""So many decimals are printed by a program, not written by a person."""
_EXACT_FORM = re.compile(
    r"\bin terms of \$?(?:\\pi|pi\b|π)|\bexact (?:value|form|answer)|\bradical form",
    re.IGNORECASE,
)
"""What a question asks for where a rounded number may be no answer, however many of its digits are right."""
_FRACTION_FORM = re.compile(
    r"\bcommon fraction\b|\blowest terms\b|\b(?:simplified|reduced|irreducible|improper) fraction\b"
    r"|\bas an? (?:\w+ ){0,3}fraction\b|最简分数",
    re.IGNORECASE,
)
_DECIMAL_FORM = re.compile(
    r"\bdecimals?\b|\bnearest\b|\bround|\bapprox|\bestimate|\b(?:tenth|hundredth|thousandth)s?\b|小数|近似",
    re.IGNORECASE,
)
"""What lets a question be answered by a rounded number after all."""
_COARSE = 1_000
"""A decimal within a thousandth is taken by many, in whatever form the question wants its answer."""
_MAX_QUESTION = 20_000
_LAST_DIGIT = Fraction(4, 10**16)
"""The share of a number by which floating point may be wrong."""
_LARGEST_POWER = 12
_SCALES = {
    12: ("dozen", "dozens"),
    100: ("hundred", "hundreds", "cent", "cents"),
    10**3: ("thousand", "thousands"),
    10**6: ("million", "millions"),
    10**9: ("billion", "billions"),
}
"""Factors between two exact numbers, and what a question counts where it leaves them open."""


class Number(NamedTuple):
    """An exact value and how it was written: `places` decimals, -1 for integers and fractions.

    `step`: what the last digit of a large number in scientific notation counts. The value of 25% is 25 with
    `percent` set: a percent is compared with percents only. `surd`: an irrational number, of which the value is
    near enough. `measured`: it says what it counts, and leaves no power of ten open.
    `rough`: worked out of decimals, whose digits say nothing of its own.
    """

    value: Rational
    places: int = -1
    percent: bool = False
    currency: str = ""
    step: int = 0
    surd: bool = False
    measured: bool = False
    rough: bool = False

    @property
    def exact(self) -> bool:
        """True for integers and fractions, which nobody rounds."""
        return self.places < 0 and not self.percent and not self.rough

    @property
    def is_integer(self) -> bool:
        return self.exact and not self.surd and self.value.denominator == 1

    @property
    def decimals(self) -> int:
        """The places up to which it is told: a whole percentage may be a rounded one."""
        return max(self.places, 0) if self.percent else self.places

    @property
    def significant(self) -> int:
        """Significant digits of a decimal; 0 for what is exact."""
        if self.places < 0:
            return 0
        return len(str(abs(int(self.value * 10**self.places))).lstrip("0"))


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
    if reference.exact and reference.surd and _EXACT_FORM.search(question[:_MAX_QUESTION]):
        return Likeness(None, "form")
    return Likeness(True, "rounding")


def _liken_integers(reference: Number, answer: Number, question: str) -> Likeness:
    """Two plain integers. Most answers are, so the question is read only where a factor might be left open."""
    one, other = reference.value, answer.value
    if one == other:
        return _SAME
    one, other = (-one if one < 0 else one), (-other if other < 0 else other)
    low, high = (one, other) if one < other else (other, one)
    if not low or high % low or high // low not in _SCALES:
        return _OTHER
    scale = _scale_asked(reference, answer, question)
    return Likeness(None, scale) if scale else _OTHER


def _factor_between(one: Rational, other: Rational) -> int:
    """How many times the smaller of two sizes the larger one is, 0 where that is no whole number."""
    top, under = one.as_integer_ratio()
    bottom, over = other.as_integer_ratio()
    low, high = abs(top * over), abs(bottom * under)
    if low > high:
        low, high = high, low
    return 0 if not low or high % low else high // low


def _currencies_differ(reference: Number, answer: Number) -> bool:
    return bool(reference.currency and answer.currency) and reference.currency != answer.currency


def _unlike(reference: Number, answer: Number, conventions: Conventions, question: str) -> Likeness:
    """Two values that are not equal as written, nor one the other rounded."""
    if _is_plain(reference) and _is_plain(answer) and not _is_measured_share(reference, answer):
        scale = _scale_asked(reference, answer, question)
        return Likeness(None, scale) if scale else _OTHER
    if conventions.rounding == "none" and not (reference.exact and answer.exact):
        return Likeness(None, "rounding")
    convention = _convention(reference, answer, question)
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
    if answer.significant >= conventions.exact_digits or _DECIMAL_FORM.search(question[:_MAX_QUESTION]):
        return False
    form = _EXACT_FORM if reference.surd else _FRACTION_FORM
    return form.search(question[:_MAX_QUESTION]) is not None


def _is_plain(number: Number) -> bool:
    return number.exact and not number.surd and not number.step


def _is_measured_share(reference: Number, answer: Number) -> bool:
    """Two and a half hours are measured, and may be rounded to two; 5 boys are counted."""
    return reference.measured and not (reference.is_integer and answer.is_integer)


def _convention(reference: Number, answer: Number, question: str) -> str:
    """The convention under which two unequal numbers may be one, "" where there is none."""
    if _is_told_of(reference, answer) and _may_be_grouped(*sorted((reference, answer), key=_size_of)):
        return "scale"
    if _is_counted(reference, answer):
        return _scale_asked(reference, answer, question)
    one, other = Fraction(reference.value), Fraction(answer.value)
    if _is_exact_surd(reference) and _is_exact_surd(answer):
        same = abs(one - other) * 10**9 <= abs(one)
        return "rounding" if same else _scale_asked(reference, answer, question)
    if _may_be_rounding(reference, answer, one, other):
        return "rounding"
    if reference.is_integer:
        return _scale_asked(reference, answer, question)
    return _power_or_sign(reference, answer, one, other)


def _is_counted(reference: Number, answer: Number) -> bool:
    """Does the reference count something, and is the answer told with the digits of a person? Then nobody rounded."""
    told = answer.places < _FLOAT and not answer.surd and not answer.step
    return told and reference.is_integer and not reference.step and not reference.measured


def _is_exact_surd(number: Number) -> bool:
    return number.surd and number.exact


def _may_be_rounding(reference: Number, answer: Number, one: Fraction, other: Fraction) -> bool:
    """May rounding explain the difference? Only as a program does it, where the reference is a counted number."""
    if reference.step or answer.step:
        return is_near(one, other, max(reference.step, answer.step))
    if reference.is_integer and not answer.surd and not reference.measured:
        return answer.places >= _FLOAT and abs(one - other) * 10**9 <= max(abs(one), Fraction(1))
    return not is_percent_apart(one, other) or _may_be_rounded(reference, answer)


def _may_be_rounded(reference: Number, answer: Number) -> bool:
    """May one be the other, rounded or cut where its digits end?"""
    if reference.exact and answer.exact and not reference.measured:
        return False
    one, other = Fraction(reference.value), Fraction(answer.value)
    return may_be_written(one, other, answer.decimals) or may_be_written(other, one, reference.decimals)


def _power_or_sign(reference: Number, answer: Number, one: Fraction, other: Fraction) -> str:
    """A power of ten between them is that of a percentage or of a unit; a sign may be that of a direction."""
    if not one or not other:
        return ""
    if not reference.exact and _are_opposite(one, other):
        return "sign"
    if _is_said_what_counts(reference, answer):
        return ""
    if reference.percent and answer.percent:
        return "percent" if _may_be_share(one, other) else ""
    return "scale" if _is_power_of_ten(abs(other / one)) else ""


def _is_told_of(reference: Number, answer: Number) -> bool:
    """Is it told what one of them is an amount of? Of bare numbers the point is a decimal one."""
    return bool(reference.currency or answer.currency) or (reference.measured and answer.measured)


def _size_of(number: Number) -> Rational:
    return _size(number.value)


def _may_be_grouped(one: Number, other: Number) -> bool:
    """May the point of the one set thousands apart, as in `1.250 km` for 1250 km?"""
    return one.places == _GROUP and 1 <= _size(one.value) < _THOUSAND and one.value * _THOUSAND == other.value


def _are_opposite(one: Fraction, other: Fraction) -> bool:
    """Of two signs and, up to a hundredth, of one size?"""
    return (one < 0) != (other < 0) and not is_percent_apart(abs(other / one), Fraction(1))


def _is_said_what_counts(reference: Number, answer: Number) -> bool:
    """Do the numbers say what they count, and leave no power of ten open?"""
    return (reference.measured and answer.measured) or bool(reference.step)


def _may_be_share(one: Fraction, other: Fraction) -> bool:
    """Of two percentages, may one be the other told as a share, 0.4% for 40%?"""
    ratio = abs(other / one)
    return min(abs(one), abs(other)) < 1 and not is_percent_apart(max(ratio, 1 / ratio), Fraction(100))


def _is_power_of_ten(ratio: Fraction) -> bool:
    """Is it, up to a hundredth, a power of ten other than one?"""
    near = round((ratio.numerator.bit_length() - ratio.denominator.bit_length()) * math.log10(2))
    powers = (power for power in (near - 1, near, near + 1) if 0 < abs(power) <= _LARGEST_POWER)
    return any(not is_percent_apart(ratio, _ten_to(power)) for power in powers)


@lru_cache(maxsize=64)
def _ten_to(power: int) -> Fraction:
    return Fraction(10) ** power


def _scale_asked(reference: Number, answer: Number, question: str) -> str:
    """The word of the question that leaves a factor open: 3 may count thousands."""
    one_sign = bool(reference.currency) != bool(answer.currency)
    if one_sign and _are_far_apart(reference.value, answer.value):
        return "scale"  # a bare number beside so large an amount counts millions
    factor = _factor_between(reference.value, answer.value)
    if factor not in _SCALES:
        return ""
    if one_sign and factor == _HUNDRED:
        return "currency"
    return _factor_asked(factor, min(_size(reference.value), _size(answer.value)), question)


def _are_far_apart(one: Rational, other: Rational) -> bool:
    low, high = sorted((_size(one), _size(other)))
    return high >= _MILLIONS * low > 0


def _factor_asked(factor: int, low: Rational, question: str) -> str:
    """What the question says of a factor between two numbers, the smaller of them `low`."""
    asked = read_question(question)
    if not asked.units.isdisjoint(_SCALES[factor]):
        return "scale"
    return "percent" if factor == _HUNDRED and low <= 1 and asked.percent else ""


def _size(value: Rational) -> Rational:
    return -value if value < 0 else value


def is_rounded(reference: Number, answer: Number, conventions: Conventions) -> bool:
    """Is the answer a decimal of the exact reference, or the reference a decimal of the answer?"""
    if conventions.rounding == "none":
        return False
    if reference.step or answer.step:
        return _is_coarse(reference, answer)
    if reference.exact:
        return not reference.is_integer and _has_right_digits(reference, answer, conventions.exact_digits)
    return _rounds_to_reference(reference, answer, conventions.exact_digits)


def _is_coarse(reference: Number, answer: Number) -> bool:
    """Large numbers in scientific notation: told with more digits, and rounding to three of the reference."""
    one, other = Fraction(reference.value), Fraction(answer.value)
    near = 2 * abs(one - other) < reference.step <= abs(one) / 100
    return near and 0 < answer.step < reference.step


def _has_right_digits(reference: Number, answer: Number, digits: int) -> bool:
    """A decimal of so many digits, all of them right: rounded, cut off, or as a program prints them."""
    if answer.significant < digits:
        return False
    exact, told = Fraction(reference.value), Fraction(answer.value)
    if abs(exact - told) * 10**14 <= abs(exact):
        return True
    return rounds_to(exact, told, answer.places) or cuts_to(exact, told, answer.places)


def _rounds_to_reference(reference: Number, answer: Number, digits: int) -> bool:
    """The answer says more than the decimal reference and rounds to it; where the reference has so many digits that
    it can mean nothing else, it may be cut as well."""
    places = reference.places
    if places < 0 or 0 <= answer.places < places or answer.is_integer:
        return False
    if not _has_enough_digits(reference):
        return False
    value, decimal = Fraction(answer.value), Fraction(reference.value)
    if answer.surd:  # its last digits are not known
        slack = abs(decimal) * _LAST_DIGIT
        value += max(-slack, min(slack, decimal - value))
    if rounds_to(value, decimal, places):
        return True
    return answer.exact and reference.significant >= digits and cuts_to(value, decimal, places)


def _has_enough_digits(decimal: Number) -> bool:
    """Two decimals are needed, or three digits: 1/3 is not what "0.3" stands for."""
    told = decimal.significant
    return told >= 3 or (told == 2 and decimal.places >= 2)


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
    return reading.value != bare.value and not _convention(rounded, bare._replace(currency=""), "")


def _share(percent: Number) -> Number:
    """Of p%, p/100 with its digits."""
    places = percent.places + 2 if percent.places >= 0 else -1
    return percent._replace(value=Fraction(percent.value) / 100, places=places, percent=False)


def _counts_percent(reference: Number, question: str) -> bool:
    """Does the bare reference count percents itself?"""
    return counts_percent(Fraction(reference.value)) and read_question(question).percent
