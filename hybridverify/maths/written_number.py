"""A number as it was written: its value, its digits and what was told of it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

Rational: TypeAlias = Fraction | int
"""Integers stay `int`: they are most answers, and making a fraction of one costs as much as reading it."""


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
