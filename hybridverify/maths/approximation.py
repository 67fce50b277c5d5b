"""May one of two written numbers be the other, rounded or cut?"""

from __future__ import annotations

from fractions import Fraction

from hybridverify.conventions import Conventions
from hybridverify.maths.rounding import cuts_to, is_near, is_percent_apart, may_be_written, rounds_to
from hybridverify.maths.written_number import Number

FLOAT = 9
"""So many decimals are printed by a program, not written by a person."""
_LAST_DIGIT = Fraction(4, 10**16)
"""The share of a number by which floating point may be wrong."""


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


def may_be_rounding(reference: Number, answer: Number, one: Fraction, other: Fraction) -> bool:
    """May rounding explain the difference? Only as a program does it, where the reference is a counted number."""
    if reference.step or answer.step:
        return is_near(one, other, max(reference.step, answer.step))
    if reference.is_integer and not answer.surd and not reference.measured:
        return answer.places >= FLOAT and abs(one - other) * 10**9 <= max(abs(one), Fraction(1))
    return not is_percent_apart(one, other) or _may_be_rounded(reference, answer)


def _may_be_rounded(reference: Number, answer: Number) -> bool:
    """May one be the other, rounded or cut where its digits end?"""
    if reference.exact and answer.exact and not reference.measured:
        return False
    one, other = Fraction(reference.value), Fraction(answer.value)
    return may_be_written(one, other, answer.decimals) or may_be_written(other, one, reference.decimals)
