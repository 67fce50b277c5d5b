"""When two numbers that differ may still be one: rounded, cut, or one of them a percentage."""

from __future__ import annotations

from fractions import Fraction


def is_near(first: Fraction, second: Fraction, step: int) -> bool:
    """May a large number whose last digit counts `step` be the other one rounded or cut?

    >>> is_near(Fraction(1_234_567), Fraction(1_200_000), 100_000), is_near(Fraction(2000), Fraction(20_000), 10_000)
    (True, False)
    """
    gap, size = abs(first - second), max(abs(first), abs(second))
    return 100 * gap <= size or (gap < step and 4 * gap <= size)


def rounds_to(value: Fraction, decimal: Fraction, places: int) -> bool:
    """Is `value` rounded to that many places `decimal`? A half goes away from zero or to the even digit.

    >>> [rounds_to(Fraction(v), Fraction("0.25"), 2) for v in ("0.245", "0.254", "0.255")]
    [True, True, False]
    """
    twice = 2 * abs(value - decimal) * 10**places
    if twice != 1:
        return bool(twice < 1)
    return abs(value) < abs(decimal) or int(decimal * 10**places) % 2 == 0


def cuts_to(value: Fraction, decimal: Fraction, places: int) -> bool:
    """Is `value`, cut after that many places, `decimal`?

    >>> cuts_to(Fraction(2, 3), Fraction("0.66"), 2), cuts_to(Fraction(2, 3), Fraction("0.67"), 2)
    (True, False)
    """
    gap = abs(value) - abs(decimal)
    return 0 <= gap * 10**places < 1 and (value > 0) == (decimal > 0)


def is_percent_apart(one: Fraction, other: Fraction) -> bool:
    """Do the two differ by more than one percent of the larger?"""
    first, second = one.numerator * other.denominator, other.numerator * one.denominator
    return 100 * abs(first - second) > max(abs(first), abs(second))


def may_be_written(value: Fraction, written: Fraction, places: int) -> bool:
    """May `written`, which has that many places (-1: none were told), be `value` rounded or cut at any digit?

    >>> triples = (("17.3", 17, -1), ("0.34", "0.3", 1), (7, 2, -1))
    >>> [may_be_written(Fraction(v), Fraction(w), p) for v, w, p in triples]
    [True, True, False]
    """
    if places < 0 and written.denominator != 1:
        return False  # nobody writes a rounded number as a fraction
    step = Fraction(1, 10**places) if places >= 0 else Fraction(_last_place(int(written)))
    gap = abs(value - written)
    return 2 * gap <= step or (gap < step and 4 * gap <= max(abs(value), abs(written)))


def _last_place(number: int) -> int:
    """What the last digit counts that is not zero: 100 of 1200."""
    step = 1
    while number and step < 10**12 and number % (10 * step) == 0:
        step *= 10
    return step


def counts_percent(value: Fraction | float) -> bool:
    """Where a percentage is asked a bare reference of 40 means 40 percent, never 4000; 0.4 may be a share.

    >>> counts_percent(40), counts_percent(Fraction(2, 5))
    (True, False)
    """
    return not -1.5 <= value <= 1.5
