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


def counts_percent(value: Fraction | float) -> bool:
    """Where a percentage is asked a bare reference of 40 means 40 percent, never 4000; 0.4 may be a share.

    >>> counts_percent(40), counts_percent(Fraction(2, 5))
    (True, False)
    """
    return not -1.5 <= value <= 1.5
