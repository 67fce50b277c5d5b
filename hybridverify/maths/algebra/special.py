"""Normal forms of named functions, and the exact values of roots of unity and inverse functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.discrete import (
    binomial,
    double_factorial,
    factorial_of,
    name_of,
    name_of_part,
    opaque,
    remainder,
    rounded,
    symmetric,
)
from hybridverify.maths.algebra.nodes import Call, Exact, Node, Num, is_infinite
from hybridverify.maths.algebra.operators import OPERATORS, has_operator, terms_of
from hybridverify.maths.algebra.polynomials import IMAGINARY, ONE, TURN, UNIT, Poly
from hybridverify.maths.algebra.ratios import NormalForms, Ratio, constant
from hybridverify.maths.limits import Undefined

_HALF = Fraction(1, 2)
# cos of 0, 30, 60, 90 degrees and of 45
_COSINES: dict[int, Poly] = {0: ONE, 2: {(("\x01#3", _HALF),): _HALF}, 4: {UNIT: _HALF}, 6: {}}
_EIGHTH = _HALF
_MOST_TERMS = 60


def turn(normal: NormalForms, exponent: Exact) -> Ratio:
    """exp(i pi exponent), in roots where the angle is a multiple of 15 or 18 degrees."""
    unit = normal.generator(IMAGINARY)
    if (exponent * 12).denominator == 1:
        step = int(exponent * 12) % 24
        if step % 2:
            eighth = normal.multiply(normal.number(_EIGHTH), normal.add(normal.number(1), unit))
            eighth = normal.multiply(eighth, normal.power(normal.number(2), _HALF))
            return normal.multiply(eighth, turn(normal, Fraction(step - 3, 12)))
        pair = _cosine(step, normal), _cosine(step - 6, normal)
    elif (exponent * 10).denominator == 1:
        step = int(exponent * 10) % 20
        pair = _tenth(step, normal), _tenth(step - 5, normal)
    else:
        return Ratio(normal.algebra.reduce({((TURN, exponent),): 1}))
    return normal.add(pair[0], normal.multiply(pair[1], unit))


def _tenth(step: int, normal: NormalForms) -> Ratio:
    """cos(step * 18 degrees)."""
    step = min(step % 20, -step % 20)
    if step > 5:
        return normal.scale(_tenth(10 - step, normal), -1)
    if step in (0, 5):
        return normal.number(1 if step == 0 else 0)
    five = normal.power(normal.number(5), _HALF)
    if step % 2 == 0:  # cos 36, cos 72 degrees: (sqrt 5 +- 1) / 4
        return normal.scale(normal.add(five, normal.number(1 if step == 2 else -1)), Fraction(1, 4))
    inner = normal.add(normal.number(10), normal.scale(five, 2 if step == 1 else -2))
    return normal.scale(normal.power(inner, _HALF), Fraction(1, 4))


def _cosine(step: int, normal: NormalForms) -> Ratio:
    """cos(step * 15 degrees) for even steps."""
    step = min(step % 24, -step % 24)
    return Ratio(_COSINES[step]) if step <= 6 else Ratio(normal.algebra.scale(_COSINES[12 - step], -1))


def call(normal: NormalForms, node: Call) -> Ratio:
    """The normal form of a function; unknown ones become a generator named by their arguments."""
    name = node.name
    if name in ("max", "min", "gcd", "lcm"):
        return symmetric(normal, node)
    if name == "log":
        return _log(normal, node)
    if name == "binom":
        return binomial(normal, node)
    if name == "mod":
        return remainder(normal, node)
    if name in OPERATORS:
        return _written_out(normal, node) or opaque(
            normal, node, [name_of_part(normal, arg) for arg in node.args]
        )
    if name in ("cross", "dot"):
        return _vector_product(normal, node)
    if len(node.args) != 1:
        return opaque(normal, node)
    maker = _FUNCTIONS.get(name)
    return maker(normal, node) if maker else opaque(normal, node)


def _written_out(normal: NormalForms, node: Call) -> Ratio | None:
    """A sum or product over a few whole numbers, None for any other operator."""
    body, *bounds = node.args
    if node.name not in ("sum", "prod") or has_operator(body) or any(map(is_infinite, bounds)):
        return None
    low, high = (constant(normal.of(bound)) for bound in bounds)
    if low is None or high is None or low.denominator != 1 or high.denominator != 1:
        return None
    if not 0 <= high - low < _MOST_TERMS:
        return None
    terms = (normal.of(term) for term in terms_of(body, int(low), int(high)))
    return reduce(normal.add if node.name == "sum" else normal.multiply, terms)


def _log(normal: NormalForms, node: Call) -> Ratio:
    top = normal.ln(normal.of(node.args[0]))
    if len(node.args) == 2:
        return normal.multiply(top, normal.invert(normal.ln(normal.of(node.args[1]))))
    # A bare log may be to the base ten or e: it is ln times a factor that nobody names.
    return normal.multiply(top, normal.generator("clog"))


def _ln(normal: NormalForms, node: Call) -> Ratio:
    return normal.ln(normal.of(node.args[0]))


def _waves(normal: NormalForms, node: Call, unit: Ratio) -> tuple[Ratio, Ratio, Ratio]:
    """exp(u) + exp(-u), exp(u) - exp(-u) and the unit, for u = unit * argument."""
    argument = normal.multiply(unit, normal.of(node.args[0]))
    forth, back = normal.exp(argument), normal.exp(normal.scale(argument, -1))
    return normal.add(forth, back), normal.add(forth, normal.scale(back, -1)), unit


def _circular(normal: NormalForms, node: Call) -> Ratio:
    hyperbolic = node.name in ("sinh", "cosh", "tanh", "coth")
    unit = normal.number(1) if hyperbolic else normal.generator(IMAGINARY)
    plus, minus, unit = _waves(normal, node, unit)
    cosine = normal.scale(plus, _HALF)
    sine = normal.scale(normal.multiply(minus, normal.invert(unit)), _HALF)
    name = node.name.rstrip("h") if hyperbolic else node.name
    if name == "sin":
        return sine
    if name == "cos":
        return cosine
    if name == "sec":
        return normal.invert(cosine)
    if name == "csc":
        return normal.invert(sine)
    top, bottom = (sine, cosine) if name == "tan" else (cosine, sine)
    return normal.multiply(top, normal.invert(bottom))


def _inverse(normal: NormalForms, node: Call) -> Ratio:
    """arcsin and the like: multiples of 15 degrees are found by number and proved by algebra."""
    ratio = normal.of(node.args[0])
    if node.name == "arccos":
        half = normal.scale(normal.generator("cpi"), _HALF)
        return normal.add(half, normal.scale(_inverse(normal, Call("arcsin", node.args)), -1))
    if node.name == "arccot":
        return opaque(normal, node)
    known = _known_angle(normal, node, ratio)
    if known is not None:
        return normal.scale(normal.generator("cpi"), known)
    if ratio.num and ratio.num[max(ratio.num)] < 0:
        flipped = normal.scale(ratio, -1)
        return normal.scale(normal.generator(f"F{node.name}{name_of(flipped)}"), -1)
    return normal.generator(f"F{node.name}{name_of(ratio)}")


def _known_angle(normal: NormalForms, node: Call, ratio: Ratio) -> Fraction | None:
    """The angle of an arcsin or arctan as a multiple of pi, where it is one of 15 degrees."""
    end = constant(ratio)
    if node.name == "arcsin" and end is not None and abs(end) == 1:
        return _HALF * end  # no number is told at the ends
    guess = numeric.constant(node)
    if guess is None:
        return None
    twelfths = Fraction(round(guess * 12 / math.pi), 12)
    forward = "sin" if node.name == "arcsin" else "tan"
    angle = Call(forward, (Num(180 * twelfths),))
    near = abs(guess - float(twelfths) * math.pi) < 1e-9
    return twelfths if near and _is_value(normal, angle, ratio) else None


def _is_value(normal: NormalForms, degrees: Call, ratio: Ratio) -> bool:
    from hybridverify.maths.algebra.nodes import Const, Mul

    try:
        value = normal.of(Call(degrees.name, (Mul((degrees.args[0], Const("deg"))),)))
    except Undefined:
        return False
    return normal.equal(value, ratio)


def _absolute(normal: NormalForms, node: Call) -> Ratio:
    ratio = normal.of(node.args[0])
    value = numeric.constant(node.args[0])
    if value is not None and abs(value) > 1e-9:
        return ratio if value > 0 else normal.scale(ratio, -1)
    positive = _as_positive(normal, ratio)
    if _is_one_positive_product(positive):
        return positive
    return normal.generator("Pabs" + name_of(positive))


def _as_positive(normal: NormalForms, ratio: Ratio) -> Ratio:
    """Of a ratio and its negative, the one whose leading factor is positive."""
    return normal.scale(ratio, -1) if ratio.num and ratio.num[max(ratio.num)] < 0 else ratio


def _is_one_positive_product(ratio: Ratio) -> bool:
    """One monomial over generators that are taken as positive."""
    if ratio.den != ONE or len(ratio.num) != 1:
        return False
    (mono,) = ratio.num
    return all(name[0] in "vcP" or name.startswith(("\x01#", "\x01r")) for name, _ in mono)


def _vector_product(normal: NormalForms, node: Call) -> Ratio:
    """Numbers come out of it; a dot product is the same both ways, a cross product turns its sign."""
    factor: Exact = 1
    named = []
    for arg in node.args:
        ratio = normal.of(arg)
        if not ratio.num:
            return normal.number(0)
        lead = ratio.num[max(ratio.num)]
        factor *= lead
        named.append(name_of(normal.scale(ratio, 1 / Fraction(lead))))
    if node.name == "cross":
        if named[0] == named[1]:
            return normal.number(0)
        factor *= 1 if named[0] < named[1] else -1
    return normal.scale(opaque(normal, node, sorted(named)), factor)


_FUNCTIONS: dict[str, Callable[[NormalForms, Call], Ratio]] = {
    **dict.fromkeys(("sin", "cos", "tan", "cot", "sec", "csc"), _circular),
    **dict.fromkeys(("sinh", "cosh", "tanh", "coth"), _circular),
    **dict.fromkeys(("arcsin", "arccos", "arctan", "arccot"), _inverse),
    **dict.fromkeys(("floor", "ceil"), rounded),
    "ln": _ln,
    "abs": _absolute,
    "factorial": factorial_of,
    "factorial2": double_factorial,
}

__all__ = ["Node", "call", "turn"]
