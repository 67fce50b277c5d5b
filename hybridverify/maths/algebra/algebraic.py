"""Are two real numbers, built from integers by + - * / and roots, the same? A proof by a separation bound.

A difference E that is not zero is at least (u^(D^2 - 1) * l)^-1 in size, where D is the product of the degrees of
its distinct roots and u, l follow from its form (Burnikel, Funke, Mehlhorn, Schirra, Schmitt; the weaker of their
two exponents is used). So enough digits decide, also for nested roots that no rewriting brings together.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from hybridverify.maths.algebra.nodes import Add, Exact, Mul, Node, Num, Pow, negative

Interval: TypeAlias = tuple[int, int]
_MAX_BITS = 20_000


class _Beyond(Exception):
    """Not a real algebraic number in this class, or too costly."""


def same_number(left: Node, right: Node) -> bool | None:
    """True or False with proof; None where the numbers are not of this class."""
    gap = Add((left, negative(right)))
    try:
        degrees: dict[Node, int] = {}
        upper, lower = _bound(gap, degrees)
        degree = math.prod(degrees.values())
        if degree > 200:
            return None
        needed = int((degree * degree - 1) * upper + lower) + 8
        if needed > _MAX_BITS:
            return None
        bits = needed + 64
        low, high = _Enclosure(bits).of(gap)
    except (_Beyond, RecursionError):
        return None
    if low > 0 or high < 0:
        return False
    # The interval holds zero; if it also lies inside the bound, the difference is zero.
    limit = 1 << (bits - needed)
    return True if -limit < low and high < limit else None


def _bound(node: Node, degrees: dict[Node, int]) -> tuple[float, float]:
    """Logarithms (base 2) of u and l."""
    if type(node) is Num:
        return _log2(abs(node.value.numerator)), _log2(node.value.denominator)
    if type(node) is Add:
        upper, lower = _bound(node.terms[0], degrees)
        for term in node.terms[1:]:
            other, under = _bound(term, degrees)
            upper, lower = max(upper + under, lower + other) + 1, lower + under
        return upper, lower
    if type(node) is Mul:
        parts = [_bound(factor, degrees) for factor in node.factors]
        return sum(part[0] for part in parts), sum(part[1] for part in parts)
    if type(node) is Pow:
        return _power_bound(node, degrees)
    raise _Beyond


def _power_bound(node: Pow, degrees: dict[Node, int]) -> tuple[float, float]:
    exponent = _exponent(node)
    upper, lower = _bound(node.base, degrees)
    root = exponent.denominator
    if root > 1:
        degrees[Pow(node.base, Num(Fraction(1, root)))] = root
        if upper >= lower:
            upper = (upper + (root - 1) * lower) / root
        else:
            lower = ((root - 1) * upper + lower) / root
    count = abs(exponent.numerator)
    upper, lower = upper * count, lower * count
    return (upper, lower) if exponent > 0 else (lower, upper)


def _exponent(node: Pow) -> Exact:
    if type(node.exponent) is not Num or not node.exponent.value or not -64 <= node.exponent.value <= 64:
        raise _Beyond
    return node.exponent.value


def _log2(value: int) -> float:
    return float(value.bit_length())


class _Enclosure:
    """Interval arithmetic on integers scaled by 2^bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.one = 1 << bits

    def of(self, node: Node) -> Interval:
        if type(node) is Num:
            scaled = node.value.numerator * self.one
            return scaled // node.value.denominator, -(-scaled // node.value.denominator)
        if type(node) is Add:
            parts = [self.of(term) for term in node.terms]
            return sum(part[0] for part in parts), sum(part[1] for part in parts)
        if type(node) is Mul:
            product = self.of(node.factors[0])
            for factor in node.factors[1:]:
                product = self._times(product, self.of(factor))
            return product
        assert type(node) is Pow
        return self._power(self.of(node.base), Fraction(_exponent(node)))

    def _times(self, left: Interval, right: Interval) -> Interval:
        ends = [a * b for a in left for b in right]
        return min(ends) >> self.bits, -(-max(ends) >> self.bits)

    def _power(self, base: Interval, exponent: Fraction) -> Interval:
        if exponent.denominator > 1:
            base = self._root(base, exponent.denominator)
        result = base
        for _ in range(abs(exponent.numerator) - 1):
            result = self._times(result, base)
        return result if exponent > 0 else self._inverse(result)

    def _inverse(self, value: Interval) -> Interval:
        low, high = value
        if low <= 0 <= high:
            raise _Beyond
        square = self.one * self.one
        return square // high, -(-square // low)

    def _root(self, value: Interval, degree: int) -> Interval:
        low, high = value
        if high < 0 and degree % 2:
            top, bottom = self._root((-high, -low), degree)
            return -bottom, -top
        if low < 0:
            raise _Beyond
        shift = self.bits * (degree - 1)
        return _integer_root(low << shift, degree), _integer_root(high << shift, degree) + 1


def _integer_root(value: int, degree: int) -> int:
    """The floor of the root, by Newton's method from above."""
    if degree == 2:
        return math.isqrt(value)
    if value == 0:
        return 0
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better
