"""What may stand between two unequal numbers that are one: rounding, a factor that the question leaves open, a sign."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from hybridverify.language.asked import read_question
from hybridverify.language.decimal_marks import writes_commas
from hybridverify.language.magnitudes import MAGNITUDES
from hybridverify.maths.approximation import FLOAT, may_be_rounding
from hybridverify.maths.rounding import is_percent_apart
from hybridverify.maths.written_number import Number, Rational

_MILLIONS, _HUNDRED = 10**5, 100
_GROUP, _THOUSAND = 3, 1000
_LARGEST_POWER = 12
_IN_TENS = ("mm", "cm", "dm", "millim", "centim", "decim", "deci", "10^", "ten", "毫米", "厘米", "分米")
"""In a question whose unit may be ten of another one, or whose number may lack a power of ten."""
SCALES = {
    **{one.value: (one.word, one.plural) for one in MAGNITUDES},
    100: ("hundred", "hundreds", "cent", "cents"),
    10**4: ("万", "萬"),
    10**8: ("亿", "億"),
}
"""Factors between two exact numbers, and what a question counts where it leaves them open."""


def convention_between(reference: Number, answer: Number, question: str) -> str:
    """The convention under which two unequal numbers may be one, "" where there is none."""
    if _is_told_of(reference, answer) and _may_be_grouped(*sorted((reference, answer), key=_size_of)):
        return "scale"
    if _is_counted(reference, answer):
        return scale_asked(reference, answer, question)
    one, other = Fraction(reference.value), Fraction(answer.value)
    if _is_exact_surd(reference) and _is_exact_surd(answer):
        same = abs(one - other) * 10**9 <= abs(one)
        return "rounding" if same else scale_asked(reference, answer, question)
    if may_be_rounding(reference, answer, one, other):
        return "rounding"
    if reference.is_integer:
        return scale_asked(reference, answer, question)
    return _power_or_sign(reference, answer, one, other, question)


def _is_counted(reference: Number, answer: Number) -> bool:
    """Does the reference count something, and is the answer told with the digits of a person? Then nobody rounded."""
    told = answer.places < FLOAT and not answer.surd and not answer.step
    return told and reference.is_integer and not reference.step and not reference.measured


def _may_be_grouped(one: Number, other: Number) -> bool:
    """May the point of the one set thousands apart, as in `1.250 km` for 1250 km?"""
    return one.places == _GROUP and 1 <= _size(one.value) < _THOUSAND and one.value * _THOUSAND == other.value


def _size_of(number: Number) -> Rational:
    return _size(number.value)


def _power_or_sign(reference: Number, answer: Number, one: Fraction, other: Fraction, question: str) -> str:
    """A power of ten between them is that of a percentage or of a unit; a sign may be that of a direction."""
    if not one or not other:
        return ""
    if not reference.exact and _are_opposite(one, other):
        return "sign"
    if _is_said_what_counts(reference, answer):
        return ""
    if reference.percent and answer.percent:
        return "percent" if _may_be_share(one, other) else ""
    return _scale(one, other, question)


def _scale(one: Fraction, other: Fraction, question: str) -> str:
    """Whether the power of ten between them may be that of a unit."""
    power = _power_of_ten(abs(other / one))
    if abs(power) == 1 and question and not any(word in question.lower() for word in _IN_TENS):
        return ""  # no unit is ten of another one
    return "scale" if power else ""


def _are_opposite(one: Fraction, other: Fraction) -> bool:
    """Of two signs and, up to a hundredth, of one size?"""
    return (one < 0) != (other < 0) and not is_percent_apart(abs(other / one), Fraction(1))


def _may_be_share(one: Fraction, other: Fraction) -> bool:
    """Of two percentages, may one be the other told as a share, 0.4% for 40%?"""
    ratio = abs(other / one)
    return min(abs(one), abs(other)) < 1 and not is_percent_apart(max(ratio, 1 / ratio), Fraction(100))


def _power_of_ten(ratio: Fraction) -> int:
    """The exponent of the power of ten that it is up to a hundredth, 0 for none."""
    near = round((ratio.numerator.bit_length() - ratio.denominator.bit_length()) * math.log10(2))
    powers = (power for power in (near - 1, near, near + 1) if 0 < abs(power) <= _LARGEST_POWER)
    return next((power for power in powers if not is_percent_apart(ratio, _ten_to(power))), 0)


@lru_cache(maxsize=64)
def _ten_to(power: int) -> Fraction:
    return Fraction(10) ** power


def is_grouped_by_points(reference: Number, answer: Number, question: str) -> bool:
    """May the point of one of them set thousands apart, `70.000` for 70000: in a question of a language that writes so,
    or without a question where nothing but zeros stands after it?"""
    low, high = sorted((reference, answer), key=_size_of)
    told = writes_commas(question) if question else Fraction(low.value).denominator == 1
    return told and _may_be_grouped(low, high)


def scale_asked(reference: Number, answer: Number, question: str) -> str:
    """The word of the question that leaves a factor open: 3 may count thousands."""
    one_sign = bool(reference.currency) != bool(answer.currency)
    if one_sign and _are_far_apart(reference.value, answer.value):
        return "scale"  # a bare number beside so large an amount counts millions
    factor = _factor_between(reference.value, answer.value)
    if factor not in SCALES:
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
    if not asked.units.isdisjoint(SCALES[factor]):
        return "scale"
    return "percent" if factor == _HUNDRED and low <= 1 and asked.percent else ""


def _factor_between(one: Rational, other: Rational) -> int:
    """How many times the smaller of two sizes the larger one is, 0 where that is no whole number."""
    top, under = one.as_integer_ratio()
    bottom, over = other.as_integer_ratio()
    low, high = abs(top * over), abs(bottom * under)
    if low > high:
        low, high = high, low
    return 0 if not low or high % low else high // low


def _size(value: Rational) -> Rational:
    return -value if value < 0 else value


def _is_exact_surd(number: Number) -> bool:
    return number.surd and number.exact


def _is_told_of(reference: Number, answer: Number) -> bool:
    """Is it told what one of them is an amount of? Of bare numbers the point is a decimal one."""
    return bool(reference.currency or answer.currency) or (reference.measured and answer.measured)


def _is_said_what_counts(reference: Number, answer: Number) -> bool:
    """Do the numbers say what they count, and leave no power of ten open?"""
    return (reference.measured and answer.measured) or bool(reference.step)
