"""Sums, products, integrals, limits and derivatives: operators that are kept; only sums and products of few terms are
worked out.

A `Call` of one of these names holds the body, then the bounds. A letter that is bound there has a canonical name, so
that two spellings with other letters are one tree. The normal form compares bodies and bounds by value, operator by
operator; other trees are unknown, never different.
"""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.maths.algebra.nodes import BOUND, Call, Node, Num, Pow, Sym, rename, walk

OPERATORS = frozenset(("sum", "prod", "integral", "limit", "derivative"))
INNERMOST = BOUND + "1"
"""The letter that an operator binds whose body holds no other one."""
_BRANCHING = frozenset(("ln", "log", "abs", "max", "min", "arccosh", "factorial", "factorial2", "binom"))


def binding(name: str, body: Node, variable: str, *bounds: Node) -> Call:
    """An operator that binds a letter of its body, under the name of that depth.

    >>> binding("sum", Sym("k"), "k", Num(1), Num(3)) == binding("sum", Sym("i"), "i", Num(1), Num(3))
    True
    """
    own = Sym(BOUND + str(1 + _height(body)))
    return Call(name, (rename(body, {variable: own}), *bounds))


def terms_of(body: Node, low: int, high: int) -> Iterator[Node]:
    """What the body is for each whole number that its letter runs over. It holds no operator itself.

    >>> node = binding("sum", Sym("k"), "k", Num(1), Num(3))
    >>> [*terms_of(node.args[0], 1, 3)] == [Num(1), Num(2), Num(3)]
    True
    """
    return (rename(body, {INNERMOST: Num(number)}) for number in range(low, high + 1))


def _height(body: Node) -> int:
    """How many operators that bind a letter stand within one another in a body."""
    names = (part.name for part in walk(body) if type(part) is Sym and part.name.startswith(BOUND))
    return max((int(name[1:]) for name in names), default=0)


def has_operator(node: Node) -> bool:
    """Is there something in it that is not evaluated?"""
    return any(type(part) is Call and part.name in OPERATORS for part in walk(node))


def has_branches(node: Node) -> bool:
    """Does its normal form hold for positive letters only: roots, logarithms or absolute values of letters?"""
    return any(map(_branches, walk(node)))


def _branches(part: Node) -> bool:
    if type(part) is Pow:
        plain = type(part.exponent) is Num and part.exponent.value.denominator == 1
        return not plain and _has_letters(part.base)
    return type(part) is Call and part.name in _BRANCHING and _has_letters(part)


def _has_letters(node: Node) -> bool:
    """Letters, the bound ones among them."""
    return any(type(part) is Sym for part in walk(node))
