"""Forms of an expression: a product, expanded, a completed square, polar form, partial fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Num, Pow, Sym, symbols, walk
from hybridverify.maths.algebra.uncollected import content, factors_of, terms_of

_IMAGINARY = "i"


def is_product(node: Node) -> bool:
    """Whether the node is a product of which sums in letters are factors, none of them divided by what it holds."""
    return isinstance(node, (Mul, Pow)) and has_brackets(node) and not any(map(_is_inverse, walk(node)))


def is_half_expanded(node: Node) -> bool:
    """Whether the node is a sum with brackets left in its terms."""
    return isinstance(node, Add) and has_brackets(node)


def factor_count(node: Node) -> int:
    """How many factors with letters a product has; a power has several equal ones."""
    if isinstance(node, Mul):
        return sum(map(factor_count, node.factors))
    if isinstance(node, Pow) and isinstance(node.exponent, Num) and isinstance(node.exponent.value, int):
        return max(node.exponent.value, 1) * factor_count(node.base)
    return 1 if symbols(node) else 0


def has_common_number(node: Node) -> bool:
    """Whether all terms of a sum in letters have a number as a factor: `2x+4`."""
    return any(isinstance(part, Add) and symbols(part) and content(part) > 1 for part in walk(node))


def has_brackets(node: Node) -> bool:
    """Whether a sum in letters is multiplied or raised to a power."""
    return any(map(_holds_sum, walk(node)))


def is_spread(node: Node) -> bool:
    r"""Whether a letter stands in several places: `x^2+4x+1`, not `(x+2)^2-3`."""
    names = Counter(part.name for part in walk(node) if isinstance(part, Sym))
    return any(count > 1 for count in names.values())


def is_turned(node: Node) -> bool:
    r"""Whether a complex number is told by its angle: `2e^{i\pi/3}`, `2(\cos 60^\circ + i\sin 60^\circ)`."""
    parts = [*walk(node)]
    powers = [part for part in parts if isinstance(part, Pow) and part.base == Const("e")]
    called = {part.name for part in parts if isinstance(part, Call)}
    return {"cos", "sin"} <= called or any(_IMAGINARY in symbols(power.exponent) for power in powers)


def has_root_below(node: Node) -> bool:
    r"""Whether a root stands below a fraction bar or a fraction below a root: `\frac{1}{\sqrt 7}`, `\sqrt{\frac17}`."""
    return any(isinstance(part, Pow) and _divides_by_root(part) for part in walk(node))


def is_split(node: Node) -> bool:
    r"""Whether the node is a sum of fractions, each over one factor: `\frac{1}{x} - \frac{1}{x+1}`."""
    sums = [factor for factor in factors_of(node) if symbols(factor)]
    node = sums[0] if len(sums) == 1 and isinstance(sums[0], Add) else node
    terms = [*terms_of(node)]
    return len(terms) > 1 and not any(_factors_below(term) > 1 for term in terms)


def _factors_below(term: Node) -> int:
    below = [factor.base for factor in factors_of(term) if isinstance(factor, Pow) and _is_negative(factor)]
    return sum(1 for base in below if symbols(base))


def _divides_by_root(power: Pow) -> bool:
    if _is_root(power):
        return _is_negative(power) or (isinstance(power.base, Num) and isinstance(power.base.value, Fraction))
    return _is_negative(power) and any(isinstance(part, Pow) and _is_root(part) for part in walk(power.base))


def _is_root(power: Pow) -> bool:
    return isinstance(power.exponent, Num) and power.exponent.value.denominator > 1


def _holds_sum(node: Node) -> bool:
    if isinstance(node, Pow):
        return isinstance(node.base, Add) and bool(symbols(node.base))
    return isinstance(node, Mul) and any(isinstance(one, Add) and symbols(one) for one in node.factors)


def _is_inverse(node: Node) -> bool:
    """Whether letters stand below a fraction bar."""
    return (
        isinstance(node, Pow)
        and not isinstance(node.base, Add)
        and _is_negative(node)
        and bool(symbols(node))
    )


def _is_negative(power: Pow) -> bool:
    return getattr(power.exponent, "value", 0) < 0
