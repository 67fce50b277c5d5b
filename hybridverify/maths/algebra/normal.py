"""From expression nodes to a normal form: a quotient of polynomials over generators.

Two nodes whose normal forms agree are equal wherever both are defined, variables taken as positive; equality.py
checks other signs where roots, logarithms or absolute values occur. Sines and the like become powers of
exp(i u), powers become exp(exponent * ln base), so that one rule (powers of one generator add up) gives the
identities of trigonometry, of roots and of exponentials.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce

from hybridverify.maths.algebra import special
from hybridverify.maths.algebra.integers import factors_of
from hybridverify.maths.algebra.nodes import Add, Call, Const, Exact, Mul, Node, Num, Pow, Sym
from hybridverify.maths.algebra.polynomials import (
    IMAGINARY,
    ONE,
    UNIT,
    Monomial,
    Poly,
    common_monomial,
    content,
    inverse_monomial,
    key,
    raised,
    reciprocal,
)
from hybridverify.maths.algebra.ratios import NormalForms, Ratio, constant
from hybridverify.maths.limits import MAX_EXPONENT, MAX_LETTER_EXPONENT, Limit, Undefined

PI = "cpi"
_POSITIVE = ("v", "c", "P", "\x01#", "\x01r")  # first letters of generators that are taken as positive


class Normal(NormalForms):
    """The normal forms of one comparison: both sides must share this object and its budget."""

    def __init__(self, imaginary: bool = False) -> None:
        super().__init__()
        self.imaginary = imaginary
        self.logs: dict[str, Poly] = {}  # generator ln(p) -> p
        self.exponents: dict[str, Poly] = {}  # generator exp(u) -> u

    def of(self, node: Node) -> Ratio:
        """The normal form of a node. Raises Limit, Undefined or Unread."""
        if type(node) is Num:
            return Ratio({UNIT: node.value} if node.value else {})
        if type(node) is Sym:
            return self.generator(IMAGINARY if self.imaginary and node.name == "i" else "v" + node.name)
        if type(node) is Add:
            return reduce(self.add, map(self.of, node.terms))
        if type(node) is Mul:
            return reduce(self.multiply, map(self.of, node.factors))
        if type(node) is Pow:
            return self._power(node)
        if type(node) is Call:
            return special.call(self, node)
        return self._constant(node)

    def _constant(self, node: Node) -> Ratio:
        name = node.name if type(node) is Const else ""
        if name == "deg":
            return Ratio({((PI, 1),): Fraction(1, 180)})
        if name == "inf":
            raise Undefined("infinity in an expression")
        return self.generator("c" + name)

    def _power(self, node: Pow) -> Ratio:
        base, exponent = self.of(node.base), self.of(node.exponent)
        value = constant(exponent)
        if value is not None:
            return self.power(base, value)
        return self.exp(self.multiply(exponent, self.ln(base)))

    def power(self, base: Ratio, exponent: Exact) -> Ratio:
        """base to a rational power."""
        if not -MAX_EXPONENT <= exponent <= MAX_EXPONENT:
            return self._large_power(base, exponent)
        if not base.num:
            if exponent <= 0:
                raise Undefined("power of zero")
            return base
        if exponent.denominator == 1:
            count = int(exponent)
            if count < 0:
                base, count = self.invert(base), -count
            if count == 1:
                return base
            top = self.algebra.power(base.num, count)
            return Ratio(top) if base.den == ONE else self.tidy(top, self.algebra.power(base.den, count))
        top_part = self._root(base.num, Fraction(exponent))
        if base.den == ONE:
            return top_part
        return self.multiply(top_part, self.invert(self._root(base.den, Fraction(exponent))))

    def _large_power(self, base: Ratio, exponent: Exact) -> Ratio:
        """Of a product of letters, whose exponents are multiplied; anything else would have to be expanded."""
        mono, factor = next(iter(base.num.items()), (UNIT, 0))
        letters = all(name[0] == "v" for name, _ in mono)
        if len(base.num) != 1 or factor != 1 or base.den != ONE or not letters or exponent.denominator != 1:
            raise Limit("limit")
        if any(not -MAX_LETTER_EXPONENT <= power * exponent <= MAX_LETTER_EXPONENT for _, power in mono):
            raise Limit("limit")
        return Ratio({raised(mono, exponent): 1})

    def _root(self, poly: Poly, exponent: Fraction) -> Ratio:
        """A polynomial to a fractional power."""
        if len(poly) == 1:
            mono, value = next(iter(poly.items()))
            if all(name.startswith(_POSITIVE) for name, _ in mono):
                if value > 0:
                    return self.multiply(
                        self._integer_root(value, exponent), Ratio({raised(mono, exponent): 1})
                    )
                if not any(name[0] == "v" for name, _ in mono):
                    sign = self._unit_root(exponent)
                    return self.multiply(sign, self._root({mono: -value}, exponent))
        factor = content(poly)
        shared = tuple(item for item in common_monomial(poly) if item[0].startswith(_POSITIVE))
        rest = self.algebra.multiply(poly, {inverse_monomial(shared): reciprocal(factor)})
        name = "\x01r" + key(rest)
        self.algebra.roots[name] = rest
        turns = math.floor(exponent)
        found = Ratio({((name, exponent - turns),): 1})
        if turns:
            found = self.multiply(found, self.power(Ratio(rest), turns))
        outside = self.multiply(self._integer_root(factor, exponent), Ratio({raised(shared, exponent): 1}))
        return self.multiply(found, Ratio(self.algebra.reduce(outside.num), outside.den))

    def _integer_root(self, value: Exact, exponent: Fraction) -> Ratio:
        """A positive rational to a fractional power, over roots of primes."""
        parts: dict[str, Exact] = {}
        for number, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, count in factors_of(number):
                parts[f"\x01#{prime}"] = count * sign * exponent
        return Ratio(self.algebra.reduce({tuple(sorted(parts.items())): 1}))

    def _unit_root(self, exponent: Fraction) -> Ratio:
        """(-1) to a fractional power: the real root where there is one."""
        if exponent.denominator % 2:
            return self.number(-1 if exponent.numerator % 2 else 1)
        return special.turn(self, exponent)

    def exp(self, exponent: Ratio) -> Ratio:
        """e to that power."""
        if exponent.den != ONE:
            lead = exponent.num[max(exponent.num)]
            base = self.scale(exponent, reciprocal(lead))
            name = f"{key(base.num)}/{key(base.den)}"
            return Ratio({((("E" if IMAGINARY in name else "P") + name, lead),): 1})
        result = Ratio(ONE)
        for mono, value in exponent.num.items():
            result = self.multiply(result, self._exp_term(mono, value))
        return result

    def _exp_term(self, mono: Monomial, value: Exact) -> Ratio:
        if mono == UNIT:
            return Ratio({(("ce", value),): 1})
        if len(mono) == 1 and mono[0][1] == 1 and mono[0][0] in self.logs:
            return self.power(Ratio(self.logs[mono[0][0]]), value)
        if mono == ((IMAGINARY, 1), (PI, 1)):
            return special.turn(self, Fraction(value))
        name = ("E" if mono[0][0] == IMAGINARY else "P") + key({mono: 1})
        self.exponents[name] = {mono: 1}
        return Ratio({((name, value),): 1})

    def ln(self, ratio: Ratio) -> Ratio:
        """The natural logarithm."""
        if not ratio.num:
            raise Undefined("logarithm of zero")
        top = self._ln(ratio.num)
        return top if ratio.den == ONE else self.add(top, self.scale(self._ln(ratio.den), -1))

    def _ln(self, poly: Poly) -> Ratio:
        if len(poly) == 1:
            mono, value = next(iter(poly.items()))
            if value < 0 and not any(name[0] == "v" for name, _ in mono):
                turned = Ratio({((IMAGINARY, 1), (PI, 1)): 1})
                return self.add(turned, self._ln({mono: -value}))
            if value > 0 and all(name.startswith(_POSITIVE) for name, _ in mono):
                return Ratio(self._ln_term(mono, value))
        factor = content(poly)
        rest = self.algebra.scale(poly, reciprocal(factor))
        name = "L" + key(rest)
        self.logs[name] = rest
        return self.add(Ratio(self._ln_term(UNIT, factor)), self.generator(name))

    def _ln_term(self, mono: Monomial, value: Exact) -> Poly:
        total: Poly = {}
        for number, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, count in factors_of(number):
                total = self.algebra.add(total, self._ln_generator("", {UNIT: prime}, sign * count))
        for name, exponent in mono:
            if name == "ce":
                part: Poly = {UNIT: exponent}
            elif name in self.exponents:
                part = self.algebra.scale(self.exponents[name], exponent)
            elif name.startswith("\x01#"):
                part = self._ln_generator("", {UNIT: int(name[2:])}, exponent)
            else:
                part = self._ln_generator(name, {((name, 1),): 1}, exponent)
            total = self.algebra.add(total, part)
        return total

    def _ln_generator(self, name: str, base: Poly, count: Exact) -> Poly:
        generator = "L" + (name or key(base))
        self.logs[generator] = base
        return {((generator, 1),): count}
