"""Polynomials with rational coefficients over named generators, with a budget.

A monomial is a sorted tuple of (generator, exponent); exponents may be negative or fractional. Generators whose
name starts with `\\x01` obey a relation and are reduced after every product:
`\\x01i` (its square is -1), `\\x01#n` (a root of the integer n), `\\x01z` (exp of i pi), `\\x01r...` (a root of a
polynomial that is filed in `roots`).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from hybridverify.maths.algebra.nodes import Exact, whole
from hybridverify.maths.limits import (
    MAX_EXPONENT,
    MAX_KEY,
    MAX_LETTER_EXPONENT,
    MAX_TERMS,
    MAX_WORK,
    Limit,
    Undefined,
    check_bits,
)

Monomial: TypeAlias = tuple[tuple[str, Exact], ...]
Poly: TypeAlias = dict[Monomial, Exact]

UNIT: Monomial = ()
ONE: Poly = {UNIT: 1}
IMAGINARY = "\x01i"
TURN = "\x01z"


class Algebra:
    """Arithmetic of polynomials that stops with Limit when its budget is spent."""

    def __init__(self) -> None:
        self.work = MAX_WORK
        self.roots: dict[str, Poly] = {}

    def spend(self, amount: int) -> None:
        """Take from the budget."""
        self.work -= amount
        if self.work < 0:
            raise Limit("limit")

    def add(self, left: Poly, right: Poly) -> Poly:
        """left + right."""
        self.spend(len(right))
        total = dict(left)
        for mono, value in right.items():
            value += total.get(mono, 0)
            if value:
                total[mono] = value
            else:
                total.pop(mono, None)
        if len(total) > MAX_TERMS:
            raise Limit("limit")
        return total

    def scale(self, poly: Poly, factor: Exact) -> Poly:
        """factor * poly."""
        if factor == 1:
            return poly
        return {mono: whole(value * factor) for mono, value in poly.items()} if factor else {}

    def multiply(self, left: Poly, right: Poly) -> Poly:
        """left * right, reduced."""
        if len(left) * len(right) > 20 * MAX_TERMS:
            raise Limit("limit")
        self.spend(len(left) * len(right))
        total: Poly = {}
        special = False
        for mono, value in left.items():
            for other, factor in right.items():
                product = times(mono, other)
                special = special or bool(product and product[0][0] < "\x02")
                total[product] = total.get(product, 0) + value * factor
        total = {mono: whole(value) for mono, value in total.items() if value}
        if len(total) > MAX_TERMS:
            raise Limit("limit")
        self._check_size(total)
        return self.reduce(total) if special else total

    def _check_size(self, poly: Poly) -> None:
        for value in poly.values():
            check_bits(value.numerator.bit_length())
            check_bits(value.denominator.bit_length())

    def power(self, poly: Poly, exponent: int) -> Poly:
        """poly to a whole power >= 0, by squaring."""
        if exponent > MAX_EXPONENT:
            raise Limit("limit")
        result, square = ONE, poly
        while exponent:
            if exponent & 1:
                result = self.multiply(result, square)
            exponent >>= 1
            if exponent:
                square = self.multiply(square, square)
        return result

    def reduce(self, poly: Poly) -> Poly:
        """Bring generators with a relation into their normal range."""
        total: Poly = {}
        later: list[tuple[Poly, Poly]] = []
        for mono, value in poly.items():
            if not mono or mono[0][0] >= "\x02":
                total[mono] = total.get(mono, 0) + value
                continue
            rest, factor, expand = self._reduced(mono)
            if expand:
                later.append(({rest: whole(value * factor)}, expand))
            else:
                total[rest] = whole(total.get(rest, 0) + value * factor)
        total = {mono: value for mono, value in total.items() if value}
        for left, right in later:
            total = self.add(total, self.multiply(left, right))
        return total

    def _reduced(self, mono: Monomial) -> tuple[Monomial, Exact, Poly]:
        """The monomial in normal range, a rational factor, and a polynomial still to be multiplied in."""
        factor: Exact = 1
        kept: list[tuple[str, Exact]] = []
        expand: Poly = {}
        for name, exponent in mono:
            if name >= "\x02":
                kept.append((name, exponent))
                continue
            turns = math.floor(exponent)
            part = exponent - turns
            if name == IMAGINARY:
                factor *= (1, 1, -1, -1)[turns % 4]
                part = turns % 2
            elif name == TURN:
                factor *= (1, -1)[turns % 2]
            elif name[1] == "#":
                factor *= _power_of_integer(int(name[2:]), turns)
            elif turns > 0:
                extra = self.power(self.roots[name], turns)
                expand = self.multiply(expand, extra) if expand else extra
            else:
                part = exponent  # a negative power of a root stays: zero tests clear it
            if part:
                kept.append((name, whole(part)))
        return tuple(kept), whole(factor), expand


def _power_of_integer(base: int, exponent: int) -> Exact:
    check_bits(base.bit_length() * abs(exponent))
    return base**exponent if exponent >= 0 else Fraction(1, base**-exponent)


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if not left:
        return right
    if not right:
        return left
    merged = dict(left)
    for name, exponent in right:
        exponent += merged.get(name, 0)
        if exponent:
            if not -MAX_EXPONENT <= exponent <= MAX_EXPONENT and (
                name[0] != "v" or not -MAX_LETTER_EXPONENT <= exponent <= MAX_LETTER_EXPONENT
            ):
                raise Limit("limit")
            merged[name] = whole(exponent)
        else:
            del merged[name]
    return tuple(sorted(merged.items()))


def raised(mono: Monomial, exponent: Exact) -> Monomial:
    """A monomial to a power."""
    if exponent == 0:
        return UNIT
    return tuple((name, whole(power * exponent)) for name, power in mono)


def key(poly: Poly) -> str:
    """A canonical name of a polynomial. Raises Limit where it would be long."""
    if len(poly) > MAX_KEY // 4:
        raise Limit("limit")
    parts = []
    size = 0
    for mono in sorted(poly):
        value = poly[mono]
        check_bits(value.numerator.bit_length() + value.denominator.bit_length())
        part = f"{value}*" + ",".join(f"{name}^{exponent}" for name, exponent in mono)
        size += len(part)
        if size > MAX_KEY:
            raise Limit("limit")
        parts.append(part)
    return "(" + "+".join(parts) + ")"


def content(poly: Poly) -> Fraction:
    """The positive rational that makes the coefficients coprime integers."""
    top = math.gcd(*(value.numerator for value in poly.values()))
    bottom = math.lcm(*(value.denominator for value in poly.values()))
    return Fraction(top, bottom)


def common_monomial(poly: Poly) -> Monomial:
    """The largest monomial, negative powers included, that divides every term."""
    terms = iter(poly)
    shared = dict(next(terms))
    for mono in terms:
        powers = dict(mono)
        for name in [*shared]:
            least = min(shared[name], powers.get(name, 0))
            if least:
                shared[name] = least
            else:
                del shared[name]
        for name, exponent in mono:
            if exponent < 0 and name not in shared:
                shared[name] = exponent
    return tuple(sorted(shared.items()))


def inverse_monomial(mono: Monomial) -> Monomial:
    """1 / mono."""
    return tuple((name, -exponent) for name, exponent in mono)


def reciprocal(value: Exact) -> Exact:
    """1 / value; raises Undefined for zero."""
    if not value:
        raise Undefined("division by zero")
    return whole(1 / Fraction(value))
