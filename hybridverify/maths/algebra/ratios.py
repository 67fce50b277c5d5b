"""Quotients of polynomials: the arithmetic under the normal form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from hybridverify.maths.algebra.nodes import Exact, Node
from hybridverify.maths.algebra.polynomials import (
    ONE,
    UNIT,
    Algebra,
    Poly,
    common_monomial,
    inverse_monomial,
    reciprocal,
)
from hybridverify.maths.limits import Undefined


class Ratio(NamedTuple):
    """num / den."""

    num: Poly
    den: Poly = ONE


class Arithmetic:
    """Operations on ratios that share one budget."""

    def __init__(self) -> None:
        self.algebra = Algebra()

    def generator(self, name: str) -> Ratio:
        """A generator as a ratio."""
        return Ratio({((name, 1),): 1})

    def number(self, value: Exact) -> Ratio:
        """A rational number as a ratio."""
        return Ratio({UNIT: value} if value else {})

    def add(self, left: Ratio, right: Ratio) -> Ratio:
        """left + right."""
        do = self.algebra
        if left.den == right.den:
            return self.tidy(do.add(left.num, right.num), left.den)
        num = do.add(do.multiply(left.num, right.den), do.multiply(right.num, left.den))
        return self.tidy(num, do.multiply(left.den, right.den))

    def multiply(self, left: Ratio, right: Ratio) -> Ratio:
        """left * right."""
        do = self.algebra
        if left.den == right.num:
            return self.tidy(left.num, right.den)
        if right.den == left.num:
            return self.tidy(right.num, left.den)
        num = do.multiply(left.num, right.num)
        if left.den == ONE and right.den == ONE:
            return Ratio(num)
        return self.tidy(num, do.multiply(left.den, right.den))

    def scale(self, ratio: Ratio, factor: Exact) -> Ratio:
        """factor * ratio."""
        return Ratio(self.algebra.scale(ratio.num, factor), ratio.den)

    def invert(self, ratio: Ratio) -> Ratio:
        """1 / ratio."""
        return self.tidy(ratio.den, ratio.num)

    def tidy(self, num: Poly, den: Poly) -> Ratio:
        """num / den with one-term denominators moved up and a canonical leading coefficient."""
        if not den:
            raise Undefined("division by zero")
        if den == ONE or not num:
            return Ratio(num)
        shared = common_monomial(den)
        lead = den[max(den)]
        upside: Poly = {inverse_monomial(shared): reciprocal(lead)}
        num = self.algebra.multiply(num, upside)
        den = self.algebra.multiply(den, upside)
        if num == den and num:
            return Ratio(ONE)
        return Ratio(num, den)

    def equal(self, left: Ratio, right: Ratio) -> bool:
        """True when left - right reduces to zero. False proves nothing."""
        if left == right:
            return True
        do = self.algebra
        gap = do.add(do.multiply(left.num, right.den), do.scale(do.multiply(right.num, left.den), -1))
        if not gap:
            return True
        lowest = common_monomial(gap)
        return bool(lowest) and not do.multiply(gap, {inverse_monomial(lowest): 1})


class NormalForms(Arithmetic, ABC):
    """What normal forms are made with: `normal.Normal`, as the functions of special.py see it."""

    @abstractmethod
    def of(self, node: Node) -> Ratio:
        """The normal form of a node. Raises Limit, Undefined or Unread."""

    @abstractmethod
    def power(self, base: Ratio, exponent: Exact) -> Ratio:
        """base to a rational power."""

    @abstractmethod
    def exp(self, exponent: Ratio) -> Ratio:
        """e to that power."""

    @abstractmethod
    def ln(self, ratio: Ratio) -> Ratio:
        """The natural logarithm."""


def constant(ratio: Ratio) -> Exact | None:
    """The value of a ratio that is a rational number, else None."""
    if ratio.den != ONE:
        return None
    if not ratio.num:
        return 0
    return ratio.num.get(UNIT) if len(ratio.num) == 1 else None
