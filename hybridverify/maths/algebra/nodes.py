"""The whitelist of expression nodes. The parser builds nothing else, and nothing else is ever evaluated."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from hybridverify.maths.algebra.remembered import remembered
from hybridverify.maths.limits import Undefined, check_bits

Exact: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Num:
    """A literal. `digits` counts the digits after a decimal point as written, -1 for an exact number.

    Below -1 the number is large and rounded: the last digit of `1.2e5` counts ten thousands (see `coarse`).
    """

    value: Exact
    digits: int = -1


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable; a subscript is part of its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """`pi`, `e`, `inf`, or `deg` (pi/180)."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    """A sum."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product; a quotient holds a power with exponent -1."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """A power; roots are powers with the exponent 1/k."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments; unknown names stay opaque."""

    name: str
    args: tuple[Node, ...]


Node: TypeAlias = Num | Sym | Const | Add | Mul | Pow | Call

MINUS_ONE = Num(-1)
INFINITY = Const("inf")
BOUND = "\x02"
"""How the names of letters begin that a sum or the like binds: they are no variables of the whole."""


def coarse(places: int) -> int:
    """`digits` of a number written with a power of ten, whose last digit stands at 10^-places.

    >>> coarse(3), coarse(0), step_of(coarse(-4)), step_of(-1)
    (3, -2, 10000, 0)
    """
    return places if places > 0 else places - 2


def step_of(digits: int) -> int:
    """What the last written digit of a large rounded number counts, 0 for any other."""
    return int(10 ** (-digits - 2)) if digits < -1 else 0


def whole(value: Exact) -> Exact:
    """An int where the fraction is one: integer arithmetic is ten times faster."""
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value


def negative(node: Node) -> Node:
    """The node with its sign turned."""
    if type(node) is Num:
        return Num(-node.value, node.digits)
    return Mul((MINUS_ONE, node))


def quotient(top: Node, bottom: Node) -> Node:
    """top / bottom, computed where both are literals."""
    if type(top) is Num and type(bottom) is Num:
        if bottom.value == 0:
            raise Undefined("division by zero")
        if top.digits < 0 and bottom.digits < 0:
            return Num(whole(Fraction(top.value) / bottom.value))
    return Mul((top, Pow(bottom, MINUS_ONE)))


def is_infinite(node: Node) -> int:
    """1 for infinity, -1 for minus infinity, 0 for anything else."""
    if type(node) is Const:
        return 1 if node.name == "inf" else 0
    if type(node) is Mul and len(node.factors) == 2 and type(node.factors[1]) is Const:
        first, last = node.factors
        if last != INFINITY:
            return 0
        if type(first) is Num and first.value:
            return 1 if first.value > 0 else -1
    return 0


def rational_value(node: Node) -> Exact | None:
    """The exact value where only rational arithmetic is needed; None otherwise.

    >>> rational_value(Add((Num(1), Num(Fraction(1, 2)))))
    Fraction(3, 2)
    """
    return node.value if type(node) is Num else _worked_out(node)


@remembered
def _worked_out(node: Node) -> Exact | None:
    return _exact(node)


def _exact(node: Node) -> Exact | None:
    if type(node) is Num:
        return node.value
    if type(node) is Add:
        total: Exact = 0
        for term in node.terms:
            value = _exact(term)
            if value is None:
                return None
            total += value
        return whole(total)
    if type(node) is Mul:
        product: Exact = 1
        for factor in node.factors:
            value = _exact(factor)
            if value is None:
                return None
            check_bits(_bits(product) + _bits(value))
            product *= value
        return whole(product)
    if type(node) is Pow:
        return _rational_power(node)
    return None


def _bits(value: Exact) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _rational_power(node: Pow) -> Exact | None:
    base, exponent = _exact(node.base), _exact(node.exponent)
    if base is None or exponent is None or exponent.denominator != 1:
        return None
    count = exponent.numerator
    check_bits(_bits(base) * abs(count) if base not in (0, 1, -1) else 0)
    if base == 0 and count <= 0:
        raise Undefined("division by zero" if count else "0^0")
    if count < 0:
        return whole((1 / Fraction(base)) ** -count)
    return whole(base**count)


def has_call(node: Node, names: Container[str]) -> bool:
    """Does it hold one of these functions?"""
    return any(type(part) is Call and part.name in names for part in walk(node))


def is_told_in_radians(node: Node) -> bool:
    """A number with pi, or with a degree sign inside, is no bare number of degrees."""
    return any(type(part) is Const and part.name in ("pi", "deg") for part in walk(node))


def walk(node: Node) -> Iterator[Node]:
    """Every node of the tree, the root first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if type(current) is Num or type(current) is Sym:
            continue  # most of a tree
        if type(current) is Add:
            stack.extend(current.terms)
        elif type(current) is Mul:
            stack.extend(current.factors)
        elif type(current) is Pow:
            stack += (current.base, current.exponent)
        elif type(current) is Call:
            stack.extend(current.args)


_NO_NAMES: frozenset[str] = frozenset()


def symbols(node: Node) -> frozenset[str]:
    """The names of all variables, without those that an operator binds."""
    return _NO_NAMES if type(node) is Num else _names(node)  # most values are plain numbers


@remembered
def _names(node: Node) -> frozenset[str]:
    return frozenset([part.name for part in walk(node) if type(part) is Sym and part.name[0] != BOUND])


@remembered
def has_decimals(node: Node) -> bool:
    """Is a number in it that is told in decimals, and so may be rounded?"""
    return any(type(part) is Num and part.digits != -1 for part in walk(node))


def rename(node: Node, names: dict[str, Node]) -> Node:
    """The node with variables replaced."""
    return (
        names.get(node.name, node)
        if type(node) is Sym
        else with_parts(node, lambda part: rename(part, names))
    )


def with_parts(node: Node, changed: Callable[[Node], Node]) -> Node:
    """The node with each of its direct parts changed."""
    if type(node) is Add:
        return Add(tuple(map(changed, node.terms)))
    if type(node) is Mul:
        return Mul(tuple(map(changed, node.factors)))
    if type(node) is Pow:
        return Pow(changed(node.base), changed(node.exponent))
    if type(node) is Call:
        return Call(node.name, tuple(map(changed, node.args)))
    return node
