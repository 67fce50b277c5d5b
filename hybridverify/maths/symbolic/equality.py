"""Exact equality of two expressions with sympy, built from the reader's whitelisted nodes.

Only for worker processes: nothing here is bounded. A "yes" is a proof (the difference reduces to zero), never
an agreement of digits; a "no" is an honest "could not prove it".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef

from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Num, Pow, Sym

CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "inf": sympy.oo, "deg": sympy.pi / 180}
_SAME_NAME = "sin cos tan cot sec csc sinh cosh tanh coth factorial floor"
_INVERTED = "sin cos tan sinh cosh tanh"
_OTHER_NAME = {"ln": "log", "abs": "Abs", "ceil": "ceiling", "max": "Max", "min": "Min", "binom": "binomial"}
FUNCTIONS: dict[str, Callable[..., sympy.Expr]] = {
    **{name: getattr(sympy, name) for name in _SAME_NAME.split()},
    **{"arc" + name: getattr(sympy, "a" + name) for name in _INVERTED.split()},
    **{name: getattr(sympy, other) for name, other in _OTHER_NAME.items()},
}
DIGITS = 40
"""Precision of the look at numbers that spares most unequal pairs the search for a proof."""
CLOSER = 200
"""Of two numbers more digits are seen: exp(pi sqrt 163) is an integer up to the thirtieth."""
SAME_NUMBER = sympy.Float("1e-150", CLOSER)
SAME = sympy.Float("1e-25", DIGITS)
POINTS = 2


def expression(node: Node, imaginary: bool = False) -> sympy.Expr:
    """The node as a sympy expression; variables are real, and `i` is the imaginary unit if so asked.

    >>> from hybridverify.maths.algebra.nodes import Num, Pow
    >>> expression(Pow(Num(-8), Num(2)))
    64
    """
    if isinstance(node, Num):
        return sympy.Rational(node.value.numerator, node.value.denominator)
    if isinstance(node, Sym):
        return _letter(node.name, imaginary)
    if isinstance(node, Const):
        return CONSTANTS[node.name]
    if isinstance(node, Add):
        return sympy.Add(*(expression(term, imaginary) for term in node.terms))
    if isinstance(node, Mul):
        return sympy.Mul(*(expression(factor, imaginary) for factor in node.factors))
    if isinstance(node, Pow):
        return _power(expression(node.base, imaginary), expression(node.exponent, imaginary))
    return _call(node, imaginary)


def _letter(name: str, imaginary: bool) -> sympy.Expr:
    return sympy.I if imaginary and name == "i" else sympy.Symbol(name, real=True)


def _power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    if base.is_negative and exponent.is_Rational and exponent.q % 2 and exponent.q > 1:
        return sympy.Integer(-1) ** exponent.p * (-base) ** exponent  # people mean the real cube root of -8
    return base**exponent


def _call(node: Call, imaginary: bool) -> sympy.Expr:
    args = [expression(arg, imaginary) for arg in node.args]
    if node.name == "log":  # without a base it is base 10 for some and e for others: left opaque
        return sympy.log(*args) if len(args) == 2 else sympy.Function("log of unknown base")(*args)
    if node.name in ("gcd", "lcm") and all(arg.is_Integer for arg in args):
        return getattr(sympy, node.name)(args)  # of letters, sympy would take them as polynomials
    return FUNCTIONS.get(node.name, sympy.Function(node.name))(*args)


def equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True when left - right is proved to be zero.

    >>> equal(sympy.sqrt(3 + 2 * sympy.sqrt(2)), 1 + sympy.sqrt(2))
    True
    """
    if left == right:
        return bool(left.is_finite is not False)
    if left.has(sympy.oo, sympy.zoo, sympy.nan) or right.has(sympy.oo, sympy.zoo, sympy.nan):
        return False
    names = _names_for_unknown_functions(left, right)
    left, right = left.xreplace(names), right.xreplace(names)
    gap = left - right
    if gap == 0:
        return True
    return not _differ(left, right) and any(step(gap) == 0 for step in _proofs(gap))


def _names_for_unknown_functions(*sides: sympy.Expr) -> dict[sympy.Expr, sympy.Symbol]:
    """`Li(x)` may be anything, so it is a variable; with a value at the test points, unlike `Li(x)` itself.

    Not where an integral or a sum runs over its argument: there it is no constant.
    """
    if any(side.has(ExprWithLimits, sympy.Limit, sympy.Derivative) for side in sides):
        return {}
    unknown = {part for side in sides for part in side.atoms(AppliedUndef)}
    return {part: sympy.Dummy("unknown", real=True) for part in unknown}


def _proofs(gap: sympy.Expr) -> Iterator[Callable[[sympy.Expr], object]]:
    """Ways to bring a difference to zero, cheap ones first."""
    yield sympy.expand
    yield sympy.cancel
    yield lambda expr: sympy.sqrtdenest(sympy.radsimp(sympy.expand(expr)))
    yield sympy.trigsimp
    yield sympy.simplify
    if not gap.free_symbols:
        yield lambda expr: 0 if expr.equals(0) is True else 1  # by its minimal polynomial
        if abs(gap.evalf(DIGITS)) < 1:  # sums of inverse functions: so near zero, a zero tangent means zero
            yield lambda expr: sympy.simplify(sympy.expand_trig(sympy.tan(expr)))


def _differ(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True when the two have clearly different values at a test point."""
    names = sorted(left.free_symbols | right.free_symbols, key=lambda symbol: symbol.name)
    if not names:
        return _are_apart(left.evalf(CLOSER), right.evalf(CLOSER), SAME_NUMBER)
    for number in range(POINTS):
        point = dict(zip(names, _values(number), strict=False))
        if _are_apart(left.evalf(DIGITS, subs=point), right.evalf(DIGITS, subs=point), SAME):
            return True
    return False


def _are_apart(first: sympy.Expr, second: sympy.Expr, share: sympy.Float) -> bool:
    """Are both numbers, and further apart than this share of their size?"""
    if not (first.is_number and second.is_number and first.is_finite and second.is_finite):
        return False
    size = abs(first) + abs(second)
    return bool(size and abs(first - second) > share * size)


def _values(number: int) -> Iterator[sympy.Rational]:
    """Values of test point `number`: whole at the first, so that sums up to n have a value, then fractions."""
    value = 3
    while True:
        yield sympy.Integer(value) if number == 0 else sympy.Rational(7 * value + 1, 11)
        value = int(sympy.nextprime(value))


def scaled(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True when left is proved to be right times a positive constant; both hold variables.

    >>> x = sympy.Symbol("x", real=True)
    >>> scaled(2 * x - 6, x - 3), scaled(6 - 2 * x, x - 3)
    (True, False)
    """
    names = sorted(left.free_symbols, key=lambda symbol: symbol.name)
    if not names or left.free_symbols != right.free_symbols:
        return False
    for number in range(POINTS):
        point = dict(zip(names, _values(number), strict=False))
        top, bottom = left.subs(point), right.subs(point)
        if top.is_zero is False and bottom.is_zero is False:
            factor = top / bottom
            return factor.is_positive is True and equal(left, factor * right)
    return False
