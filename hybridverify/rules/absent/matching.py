"""Whether a number may be the reference after all: rounded, turned, in percent, by a power of ten, in another unit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from hybridverify.rules.absent.wanted import Wanted

_NEAR = 0.01
"""Two values that differ by less than such a part are never surely different."""
_ROUGH = 4
_MAX_PLACES = 9
_SLACK = 1e-9
_SHIFTED = math.log10(1 + _NEAR) + _SLACK
_NEAR_TENS = 10
"""Rounding to tens changes a number by no larger part."""


class Scope(NamedTuple):
    """What else may hold: `factors` between units; the point shifted as for a `percent`, or by any power of ten."""

    factors: tuple[float, ...] = ()
    percent: bool = True
    shifts: bool = True


_WIDE = Scope()


def may_be(value: float, reference: Wanted, scope: Scope = _WIDE) -> bool:
    """Is there a convention under which both are one number?

    >>> [may_be(value, Wanted(Fraction(48), 0)) for value in (-48.2, 480.0, 0.48, 47.5, 44.0)]
    [True, True, True, True, False]
    >>> may_be(0.8, Wanted(Fraction(48), 0), Scope((60.0,))), may_be(0.8, Wanted(Fraction(47), 0))
    (True, False)
    """
    value, wanted = abs(value), float(reference.value)
    gap = abs(value - wanted)
    if gap <= _NEAR * max(value, wanted) or _is_shifted(value, wanted, scope):
        return True
    if _is_rounded(value, gap, reference):
        return True
    told = (one for factor in scope.factors for one in (value * factor, value / factor))
    return any(_converted(one, wanted, reference.places) for one in told)


def _is_rounded(value: float, gap: float, reference: Wanted) -> bool:
    """May the reference be the value, rounded or cut to the places that it is told to?"""
    fits = reference.places > 0 or (reference.places == 0 and not _is_whole(value))
    steps = gap * 10**reference.places if fits else math.inf
    if 2 * steps <= 1 + _SLACK:
        return True
    return (steps < 1 or gap < reference.step) and is_rough(value, reference.value)


def _is_shifted(value: float, wanted: float, scope: Scope) -> bool:
    """Is it the other in percent, or by a power of ten?"""
    if scope.percent and (_is_near(100 * value, wanted) or _is_near(value, 100 * wanted)):
        return True
    if not (scope.shifts and value and wanted and value < math.inf):
        return False
    size = math.log10(value) - math.log10(wanted)
    return abs(size - round(size)) <= _SHIFTED


def may_round(value: Fraction, reference: Wanted) -> bool:
    """May a number as it is written be the reference, rounded or cut?

    >>> may_round(Fraction("0.3"), Wanted(Fraction(1, 3))), may_round(Fraction(50), Wanted(Fraction(48), 0))
    (True, True)
    >>> may_round(Fraction(1), Wanted(Fraction(3, 4))), may_round(Fraction(20), Wanted(Fraction(16), 0))
    (False, False)
    """
    value, wanted = abs(value), reference.value
    gap = abs(value - wanted)
    if not value:
        return 2 * wanted < 1
    tens = max(_step(value), _step(wanted))
    if 2 * gap <= tens and _NEAR_TENS * gap <= max(value, wanted):
        return True
    return not (value.denominator == wanted.denominator == 1) and _may_be_cut(value, wanted, gap)


def _may_be_cut(value: Fraction, wanted: Fraction, gap: Fraction) -> bool:
    """Is it within half a step of the value's last place, or within one where both are about the same?"""
    steps = [gap * 10**count for count in _places(value) if count or wanted >= 1]
    return any(2 * step <= 1 or (step < 1 and is_rough(value, wanted)) for step in steps)


def may_round_scaled(value: Fraction, reference: Wanted) -> bool:
    """`may_round` of a number that is told in thousands or the like.

    >>> may_round_scaled(Fraction("1.4"), Wanted(Fraction(1_448_000), 0))
    True
    """
    value, wanted = abs(value), reference.value
    if not value or not wanted:
        return False
    size = math.floor(math.log10(wanted) - math.log10(value))
    for shift in (size, size + 1):
        near = wanted / Fraction(10) ** shift
        whole = value.denominator == 1
        if shift and (2 * abs(value - near) <= 1 if whole else may_round(value, Wanted(near))):
            return is_rough(value, near)
    return False


def is_rough(value: Fraction | float, reference: Fraction | float) -> bool:
    """Are they within a quarter, as an estimate may be?"""
    one, other = abs(float(value)), abs(float(reference))
    return _ROUGH * abs(one - other) <= max(one, other)


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * max(one, other)


def _is_whole(value: float) -> bool:
    return value == math.inf or abs(value - round(value)) <= _SLACK


def _converted(told: float, reference: float, places: int) -> bool:
    rounded = places >= 0 and 2 * abs(told - reference) * 10**places <= 1 + _SLACK
    return _is_near(told, reference) or (rounded and reference >= 1)


def _step(value: Fraction) -> int:
    """What the last digit of a whole number counts that is not a zero; 0 where that is no ten at least."""
    if value.denominator != 1 or not value or value.numerator.bit_length() > 100:
        return 0
    digits = str(value.numerator)
    zeros = len(digits) - len(digits.rstrip("0"))
    return 10**zeros if zeros else 0


def _places(value: Fraction) -> tuple[int, ...]:
    """The decimals of a value that has an end; nothing for 1/3."""
    for places in range(_MAX_PLACES):
        if 10**places % value.denominator == 0:
            return (places,)
    return ()
