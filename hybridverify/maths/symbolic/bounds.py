"""Bounds on what sympy would compute as soon as it is built: powers, factorials, binomials.

They turn a power tower away in microseconds, in the caller's process; without them each one would hold a worker
until its deadline.
"""

from __future__ import annotations

import math
from fractions import Fraction

from hybridverify.maths.algebra.nodes import Add, Call, Mul, Node, Pow, rational_value, walk
from hybridverify.maths.limits import MAX_EXPONENT, MAX_FACTORIAL, MAX_TERMS, Limit

MAX_CALLS = 8
"""Functions inside functions: `\\log \\log \\log ..` keeps sympy busy until its deadline."""


def check_bounds(node: Node) -> None:
    """Raise Limit where a part of the expression is too large, Undefined where it divides by zero."""
    if _calls(node) > MAX_CALLS:
        raise Limit("limit")
    for part in walk(node):
        if isinstance(part, Pow):
            _check_power(part)
        elif isinstance(part, Call) and part.name in ("factorial", "binom"):
            _check_factorial(part)


def _calls(node: Node) -> int:
    """How many functions stand inside one another."""
    if isinstance(node, Call):
        return 1 + max(map(_calls, node.args), default=0)
    parts = (
        node.terms
        if isinstance(node, Add)
        else node.factors
        if isinstance(node, Mul)
        else (node.base, node.exponent)
        if isinstance(node, Pow)
        else ()
    )
    return max(map(_calls, parts), default=0)


def _check_power(node: Pow) -> None:
    rational_value(node)  # raises Limit before it computes a number of too many digits
    exponent = _size(node.exponent)
    if exponent > MAX_EXPONENT:
        raise Limit("limit")
    terms = len(node.base.terms) if isinstance(node.base, Add) else 1
    if math.comb(int(exponent) + terms - 1, terms - 1) > MAX_TERMS:
        raise Limit("limit")


def _check_factorial(node: Call) -> None:
    inside = [part for arg in node.args for part in walk(arg)]
    nested = any(isinstance(part, Call) and part.name in ("factorial", "binom") for part in inside)
    if nested or any(_size(arg) > MAX_FACTORIAL for arg in node.args):
        raise Limit("limit")


def _size(node: Node) -> Fraction:
    """The absolute value of a node that is a rational number, else 0."""
    return abs(Fraction(rational_value(node) or 0))
