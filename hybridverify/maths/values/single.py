"""The kinds of a single value. values.py has those that hold several, and the union of all."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from hybridverify.maths.algebra.nodes import (
    MINUS_ONE,
    Exact,
    Mul,
    Node,
    Num,
    Pow,
    coarse,
    rational_value,
    step_of,
)

_TEN = Num(10)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Not read to the end; nothing may be concluded from it. `reason` is `limit` where a bound was exceeded."""

    reason: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number or an expression: integer, fraction, decimal, root, symbolic expression, infinity.

    `grouped`: the comma of `1,234` was read as a thousands separator, though a list is possible.
    """

    node: Node
    grouped: bool = False
    measured: Quantity | None = field(default=None, compare=False)
    """What it is where its letters are a unit: `22 mA` may be a product of m and A."""

    @property
    def exact(self) -> Exact | None:
        """The rational value, where it is one."""
        return rational_value(self.node)

    @property
    def step(self) -> int:
        """What the last digit counts of a large number in scientific notation, 0 of any other."""
        return step_of(self.digits)

    @property
    def digits(self) -> int:
        """Digits after the decimal point as written; -1 where the number is exact, less where it is coarse."""
        node = self.node
        if type(node) is Num:
            return node.digits
        if type(node) is not Mul or len(node.factors) != 2:
            return -1
        if node.factors[0] == MINUS_ONE:
            node = node.factors[1]
        return node.digits if type(node) is Num else _scientific_digits(node)


def _scientific_digits(node: Node) -> int:
    """`6.02 \\times 10^{23}` has the digits of its mantissa, moved by the power of ten."""
    if type(node) is not Mul or len(node.factors) != 2:
        return -1
    mantissa, power = node.factors
    if type(mantissa) is not Num or type(power) is not Pow:
        return -1
    if power.base != _TEN or type(power.exponent) is not Num:
        return -1
    count = int(power.exponent.value)
    if mantissa.digits < 1 and (count < 1 or mantissa.value.denominator != 1):
        return -1  # `3 \\times 10^{-4}` and `1/3 \\times 10^6` are exact
    return coarse(max(mantissa.digits, 0) - count)


@dataclass(frozen=True, slots=True)
class Percent:
    """p%."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Degrees:
    """An angle with a degree sign."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of base units. `known`: every part is in the table; else `words` are taken as they stand."""

    dimension: tuple[tuple[str, int], ...]
    factor: Fraction
    known: bool
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit or a counted noun."""

    value: Scalar
    unit: Unit
    compound: bool = field(default=False, compare=False)
    """Written in several units: the number counts the smallest one."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount with a currency sign."""

    value: Scalar
    sign: str


@dataclass(frozen=True, slots=True)
class BaseNumber:
    """Digits with a base suffix."""

    digits: str
    base: int

    @property
    def is_numeral(self) -> bool:
        """Has the base all of the digits?"""
        return all(int(digit, 36) < self.base for digit in self.digits)

    @property
    def by_place(self) -> int:
        """The value by place, also of digits that the base does not have and that may be carried."""
        value = 0
        for digit in self.digits:
            value = value * self.base + int(digit, 36)
        return value


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `half` is `am`, `pm` or empty."""

    hour: int
    minute: int
    second: int = 0
    half: str = ""


@dataclass(frozen=True, slots=True)
class Date:
    """A date; the year is 0 where none is given."""

    year: int
    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Letter:
    """The letter of an option. `marked`: brackets, a dot, or the word option say that it is one."""

    letter: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Words, folded: case, articles and end punctuation are gone."""

    words: str
    option: str = field(default="", compare=False)
    """The letter of a text that names an option and what it says: `(C) Rome`."""
