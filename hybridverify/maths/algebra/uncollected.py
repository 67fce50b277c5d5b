r"""Whether an expression can be written in fewer terms or factors: `3x + 2x`, `x^2 x^3`, `\frac{6x}{3}`.

Separate from unfinished.py, which tells plain arithmetic that nobody leaves in an answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from hybridverify.maths.algebra.nodes import (
    Add,
    Const,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    rational_value,
    symbols,
    walk,
)
from hybridverify.maths.limits import Limit, Undefined

_MINUS_ONE, _IMAGINARY = Num(-1), Sym("i")


def uncollected(node: Node) -> bool:
    r"""Whether like terms, powers of one letter, or a factor above and below a fraction bar are left.

    >>> x, two = Sym("x"), Num(2)
    >>> uncollected(Add((x, Mul((two, x))))), uncollected(Add((Pow(x, two), Mul((two, x)))))
    (True, False)
    >>> uncollected(Mul((x, Pow(x, two)))), uncollected(Pow(x, two))
    (True, False)
    """
    return any(map(_can_be_collected, walk(node)))


def has_imaginary_left(node: Node) -> bool:
    """Whether powers or several multiples of the imaginary unit are left in a complex number: `1 + 2i + i^2`."""
    if symbols(node) != {_IMAGINARY.name}:
        return False
    return any(
        (isinstance(part, Add) and _has_like_terms(part))
        or (isinstance(part, Pow) and part.base == _IMAGINARY and _is_power_to_write_out(part))
        or (isinstance(part, Mul) and _has_repeated_base([*factors_of(part)]))
        for part in walk(node)
    )


def _can_be_collected(node: Node) -> bool:
    if isinstance(node, Add):
        return _has_like_terms(node)
    if isinstance(node, Mul):
        factors = [*factors_of(node)]
        return _has_repeated_base(factors) or _can_be_reduced(factors)
    if isinstance(node, Pow):
        return _is_power_to_write_out(node)
    return False


def terms_of(node: Node) -> Iterator[Node]:
    """The terms of a sum and of the sums in it."""
    if isinstance(node, Add):
        for term in node.terms:
            yield from terms_of(term)
    else:
        yield node


def factors_of(node: Node) -> Iterator[Node]:
    """The factors of a product and of the products in it; those below a fraction bar with the exponent -1."""
    if isinstance(node, Mul):
        for factor in node.factors:
            yield from factors_of(factor)
    elif isinstance(node, Pow) and node.exponent == _MINUS_ONE and isinstance(node.base, Mul):
        for factor in factors_of(node.base):
            yield Pow(factor, _MINUS_ONE)
    else:
        yield node


def _has_like_terms(node: Add) -> bool:
    keys = Counter(frozenset(Counter(_without_number(term)).items()) for term in terms_of(node))
    return any(count > 1 for count in keys.values())


def _without_number(term: Node) -> list[Node]:
    return [factor for factor in factors_of(term) if _rational(factor) is None]


def _has_repeated_base(factors: Sequence[Node]) -> bool:
    r"""`x^2 x^3`, `e^x e^{2x}`, `\frac{x^2}{x}`. Equal sums side by side are a product as good as a square, and
    `x\sqrt{x}` is as good as `x^{3/2}`."""
    powers = [_as_power(factor) for factor in factors]
    plain = [base for base, _, whole in powers if whole and isinstance(base, (Sym, Const))]
    return len(plain) > len(set(plain)) or _is_above_and_below(powers)


def _is_above_and_below(powers: Sequence[tuple[Node, bool, bool]]) -> bool:
    above = {base for base, inverse, _ in powers if not inverse and isinstance(base, (Sym, Const, Add))}
    below = {base for base, inverse, _ in powers if inverse}
    return not above.isdisjoint(below)


def _as_power(factor: Node) -> tuple[Node, bool, bool]:
    """The base, whether it stands below a fraction bar, and whether under no root."""
    inverse, whole = False, True
    while isinstance(factor, Pow):
        exponent = _rational(factor.exponent)
        if exponent is not None:
            inverse ^= exponent < 0
            whole &= exponent.denominator == 1
        factor = factor.base
    return factor, inverse, whole


def _can_be_reduced(factors: Sequence[Node]) -> bool:
    r"""`\frac{6x}{3}`, `\frac{2x+2}{2}`, `\frac{12}{\sqrt 2}`: whole numbers with a common factor."""
    tops = [content(factor) for factor in factors]
    bottoms = [_divisor(factor) for factor in factors]
    top, bottom = math.prod(tops), math.prod(bottoms)
    return math.gcd(top, bottom) > 1


def content(factor: Node) -> int:
    """The greatest whole number that divides a factor as it is written."""
    if isinstance(factor, Num):
        return abs(factor.value) if isinstance(factor.value, int) else 1
    if isinstance(factor, Add):
        return math.gcd(*(math.prod(map(content, factors_of(term))) for term in terms_of(factor)))
    return 1


def _divisor(factor: Node) -> int:
    """The whole number that a factor divides by, that below a square root too."""
    if isinstance(factor, Num) and isinstance(factor.value, Fraction):
        return factor.value.denominator
    if not isinstance(factor, Pow) or factor.exponent != _MINUS_ONE:
        return 1
    base = factor.base
    if isinstance(base, Pow) and isinstance(base.base, Num) and base.exponent == Num(Fraction(1, 2)):
        base = base.base
    return abs(base.value) if isinstance(base, Num) and isinstance(base.value, int) else 1


def _is_power_to_write_out(power: Pow) -> bool:
    """`x^1`, `(x^2)^3`, `(2x)^3`, a power of the imaginary unit."""
    count = _rational(power.exponent)
    if count is None or count.denominator != 1 or count == -1:
        return False
    if count in (0, 1) or power.base == _IMAGINARY:
        return True
    return count > 1 and isinstance(power.base, (Mul, Pow))


def _rational(node: Node) -> int | Fraction | None:
    try:
        return rational_value(node)
    except (Limit, Undefined):
        return None
