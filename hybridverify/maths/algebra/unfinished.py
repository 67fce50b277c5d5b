"""Whether an expression still has operations between plain numbers to be carried out: 57 * 61, but not 3 sqrt(5)."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.algebra.nodes import (
    Add,
    Call,
    Const,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    has_decimals,
    rational_value,
    symbols,
    walk,
)
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.limits import Limit, Undefined

_NEAR = 1e-9
_HALF = Fraction(1, 2)
_IDLE = (Num(0), Num(1))
OF_ANGLES = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_TO_WHOLE_NUMBERS = frozenset(("floor", "ceil"))


def unfinished(node: Node) -> bool:
    """Whether some part of the node is arithmetic on rational numbers with a rational value.

    A power of ten (3 * 10^5), a sign, and a fraction of two literals are ways to write a number.

    >>> from fractions import Fraction
    >>> unfinished(Mul((Num(57), Num(61)))), unfinished(Mul((Num(3), Pow(Num(5), Num(Fraction(1, 2))))))
    (True, False)
    >>> unfinished(Mul((Num(3), Pow(Num(10), Num(5)))))
    False
    """
    return any(map(_can_be_done, walk(node)))


def _can_be_done(node: Node) -> bool:
    if isinstance(node, Add):
        return sum(map(_is_number, node.terms)) > 1
    if isinstance(node, Mul):
        return sum(map(_is_operand, node.factors)) > 1 or sum(map(_is_square_root, node.factors)) > 1
    if isinstance(node, Pow):
        return _is_power_to_do(node)
    if not isinstance(node, Call):
        return False
    if node.name in OF_ANGLES and not symbols(node):
        return _is_told_exactly(node)
    if node.name in _TO_WHOLE_NUMBERS:
        return not symbols(node)
    if node.name == "derivative":
        return not _is_unknown(node.args[0])
    if not all(map(_is_number, node.args)):
        return False
    return node.name in ("mod", "factorial", "factorial2") or _is_fraction(node)


def _is_unknown(node: Node) -> bool:
    r"""A letter or a function without a term, as `y` and `f(x)` of a differential equation are: `\frac{dy}{dx}`."""
    return any(isinstance(part, Call) and len(part.name) == 1 for part in walk(node)) or isinstance(node, Sym)


def _is_told_exactly(node: Call) -> bool:
    r"""Whether people know the value of a function of an angle by heart: `\sin 30^\circ`, `\cos\frac{\pi}{6}`."""
    value = constant(node)
    return value is not None and any(
        abs(12 * one - round((12 * one).real)) <= _NEAR for one in (value, value**2)
    )


def _is_power_to_do(power: Pow) -> bool:
    r"""`x^1`; a power of numbers that is neither a fraction bar nor a power of ten; one that only looks transcendental
    (`e^{\ln 3}`) or irrational (`(\sqrt{7})^2`); one with a decimal (`40^{0.5}`, `\sqrt{0.4}`)."""
    if power.exponent in _IDLE:
        return True
    if isinstance(power.base, Const):
        return not _is_number(power.exponent) and _comes_to_fraction(power)
    if power.exponent == Num(-1):
        return False
    if isinstance(power.base, Pow):
        return _comes_to_fraction(power)
    if power.base == Num(10):
        return not _is_number(power.exponent) and _comes_to_fraction(power)
    if not (_is_number(power.base) and _is_number(power.exponent)):
        return False
    return has_decimals(power) or _is_fraction(power)


def _comes_to_fraction(power: Pow) -> bool:
    return not symbols(power) and _is_fraction(power)


def _is_square_root(node: Node) -> bool:
    return isinstance(node, Pow) and node.exponent == Num(_HALF) and _is_number(node.base)


def _is_operand(node: Node) -> bool:
    """A number in a product, apart from a sign and a power of ten."""
    return node != Num(-1) and not (isinstance(node, Pow) and node.base == Num(10)) and _is_number(node)


def _is_number(node: Node) -> bool:
    try:
        return rational_value(node) is not None
    except (Limit, Undefined):
        return False


def _is_fraction(node: Node) -> bool:
    r"""Whether the value is a fraction with a small denominator: `\sqrt{16}`, `2^{-3}`, 5!."""
    if _is_number(node):
        return True
    value = constant(node)
    return value is not None and abs(value * 12 - round(value * 12)) <= _NEAR * max(1.0, abs(value))
