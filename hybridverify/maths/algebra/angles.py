r"""Sums of arctangents and parts of pi, as `\arctan\frac12 + \arctan\frac13 = \frac\pi4`: zero or not, with proof.

Each arctangent of a rational number is the angle of a Gaussian integer, so the sum is the angle of a product of such
numbers: a product that is real and positive has the angle of whole turns, and the sum's size says of none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, negative, rational_value
from hybridverify.maths.limits import Unread

_MAX_TERMS = 12
_MAX_TURNS = 64
_MAX_BITS = 4096
_EIGHTHS = 4
"""An angle of pi/4 is that of 1 + i."""


def same_angle(left: Node, right: Node) -> bool:
    """Is the difference of the two a sum of such angles, and nothing?"""
    try:
        terms = [_term(node) for node in islice(_terms(Add((left, negative(right)))), _MAX_TERMS + 1)]
    except Unread:
        return False
    angles = [(share, slope) for share, slope in terms if slope is not None]
    halves = sum((share for share, slope in terms if slope is None), Fraction(0))
    return bool(angles) and len(terms) <= _MAX_TERMS and _is_nothing(angles, halves)


def _is_nothing(angles: list[tuple[Fraction, Fraction]], halves: Fraction) -> bool:
    """Is the sum of shares of the arctangents and of so many half turns zero?"""
    scale = math.lcm(*(share.denominator for share, _ in angles))
    eighths = halves * scale * _EIGHTHS
    size = math.fsum(float(share) * math.atan(slope) for share, slope in angles) + float(halves) * math.pi
    if eighths.denominator != 1 or abs(size * scale) > 1:
        return False
    return _is_positive([(1, 1, int(eighths)), *(_point(share * scale, slope) for share, slope in angles)])


def _terms(node: Node) -> Iterator[Node]:
    """The terms of sums, with the factors of the sums around them."""
    if type(node) is Add:
        for term in node.terms:
            yield from _terms(term)
        return
    factors = node.factors if type(node) is Mul else ()
    place = next((at for at, factor in enumerate(factors) if type(factor) is Add), -1)
    inner = factors[place] if place >= 0 else node
    if type(inner) is not Add:
        yield node
        return
    for term in inner.terms:
        yield from _terms(Mul((*factors[:place], term, *factors[place + 1 :])))


def _term(node: Node) -> tuple[Fraction, Fraction | None]:
    """A rational number times pi (no slope), or times the arctangent of a slope. Raises Unread for any other."""
    factors = _factors(node)
    angles = [factor for factor in factors if rational_value(factor) is None]
    if len(angles) != 1:
        raise Unread("no angle")
    share = Fraction(1)
    for factor in factors:
        share *= Fraction(1 if factor is angles[0] else rational_value(factor) or 0)
    return share, _slope(angles[0])


def _factors(node: Node) -> list[Node]:
    if type(node) is not Mul:
        return [node]
    return [inner for factor in node.factors for inner in _factors(factor)]


def _slope(node: Node) -> Fraction | None:
    if node == Const("pi"):
        return None
    slope = rational_value(node.args[0]) if type(node) is Call and node.name == "arctan" else None
    if slope is None:
        raise Unread("no angle")
    return Fraction(slope)


def _point(times: Fraction, slope: Fraction) -> tuple[int, int, int]:
    """A Gaussian integer with the angle of the slope, and how often it is a factor."""
    return slope.denominator, slope.numerator, int(times)


def _is_positive(factors: list[tuple[int, int, int]]) -> bool:
    """Is the product of the powers of Gaussian integers a positive number? A negative power turns the other way."""
    real, imaginary = 1, 0
    for one, other, times in factors:
        if abs(times) > _MAX_TURNS:
            return False
        part = other if times > 0 else -other
        for _ in range(abs(times)):
            real, imaginary = real * one - imaginary * part, real * part + imaginary * one
            if max(real.bit_length(), imaginary.bit_length()) > _MAX_BITS:
                return False
    return imaginary == 0 and real > 0
