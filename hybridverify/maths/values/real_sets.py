"""Sets of real numbers as unions of intervals: union, complement, intersection, and solving for one variable."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import (
    Add,
    Call,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    negative,
    quotient,
    symbols,
)
from hybridverify.maths.algebra.roots import Coefficients, coefficients, real_roots, value_at
from hybridverify.maths.limits import MAX_ITEMS, Limit, Unread
from hybridverify.maths.values.kinds import INFINITY, Piece, is_infinite

Pieces = tuple[Piece, ...]
MINUS_INFINITY = negative(INFINITY)
REALS: Pieces = (Piece(MINUS_INFINITY, False, INFINITY, False),)


def value_of(node: Node) -> float:
    """The place of an end point on the line; raises Unread where it is not known."""
    sign = is_infinite(node)
    if sign:
        return math.inf * sign
    value = numeric.constant(node)
    if value is None:
        if node == Num(0):
            return 0.0
        raise Unread("end point")
    return value


def compare_ends(left: Node, right: Node) -> int:
    """-1, 0, 1 by order; 0 only where equality is proved."""
    first, second = value_of(left), value_of(right)
    if first == second and (math.isinf(first) or left == right):
        return 0
    finite = not math.isinf(first) and not math.isinf(second)
    if finite and abs(first - second) <= 1e-9 * max(1.0, abs(first), abs(second)):
        if same_expression(left, right) is Same.EQUAL:
            return 0
        raise Unread("end points too close")
    return -1 if first < second else 1


def _before(left: Piece, right: Piece) -> int:
    return compare_ends(left.low, right.low) or (right.low_closed - left.low_closed)


def interval(low: Node, low_closed: bool, high: Node, high_closed: bool) -> Pieces:
    """An interval; reversed bounds are no interval."""
    if is_infinite(low) > 0 or is_infinite(high) < 0:
        raise Unread("reversed bounds")
    if (is_infinite(low) and low_closed) or (is_infinite(high) and high_closed):
        raise Unread("closed at infinity")
    piece = Piece(low, low_closed, high, high_closed)
    if not symbols(low) and not symbols(high) and _is_empty(piece):
        raise Unread("reversed bounds")
    return (piece,)


def _is_empty(piece: Piece) -> bool:
    order = compare_ends(piece.low, piece.high)
    return order > 0 or (order == 0 and not (piece.low_closed and piece.high_closed))


def point(node: Node) -> Piece:
    """One number as a piece."""
    return Piece(node, True, node, True)


def union(pieces: Pieces) -> Pieces:
    """The pieces in order, joined where they touch."""
    if len(pieces) > MAX_ITEMS:
        raise Limit("limit")
    if len(pieces) < 2:
        return pieces
    joined: list[Piece] = []
    for piece in sorted(pieces, key=cmp_to_key(_before)):
        if joined:
            last = joined[-1]
            order = compare_ends(piece.low, last.high)
            if order < 0 or (order == 0 and (piece.low_closed or last.high_closed)):
                joined[-1] = _joined(last, piece)
                continue
        joined.append(piece)
    return tuple(joined)


def _joined(last: Piece, piece: Piece) -> Piece:
    order = compare_ends(piece.high, last.high)
    if order > 0:
        return Piece(last.low, last.low_closed, piece.high, piece.high_closed)
    closed = last.high_closed or (order == 0 and piece.high_closed)
    return Piece(last.low, last.low_closed, last.high, closed)


def complement(pieces: Pieces) -> Pieces:
    """The real numbers that are in none of the pieces."""
    gaps: list[Piece] = []
    low, closed = MINUS_INFINITY, False
    for piece in union(pieces):
        order = compare_ends(low, piece.low)
        if order < 0 or (order == 0 and closed and not piece.low_closed and not is_infinite(low)):
            gaps.append(Piece(low, closed, piece.low, not piece.low_closed and not is_infinite(piece.low)))
        low, closed = piece.high, not piece.high_closed
    if not is_infinite(low) > 0:
        gaps.append(Piece(low, closed and not is_infinite(low), INFINITY, False))
    return tuple(gaps)


def intersect(left: Pieces, right: Pieces) -> Pieces:
    """The numbers in both. A single bound on each side may be symbolic."""
    if len(left) == len(right) == 1:
        first, second = left[0], right[0]
        if is_infinite(first.low) and is_infinite(second.high):
            first, second = second, first
        symbolic = bool(symbols(first.low) or symbols(second.high))
        if symbolic and is_infinite(second.low) and is_infinite(first.high):
            return (Piece(first.low, first.low_closed, second.high, second.high_closed),)
    return complement(union(complement(left) + complement(right)))


def same_pieces(left: Pieces, right: Pieces) -> Same:
    """EQUAL when all ends agree in value and kind."""
    if len(left) != len(right):
        return Same.UNKNOWN
    for first, second in zip(left, right, strict=True):
        if (first.low_closed, first.high_closed) != (second.low_closed, second.high_closed):
            return Same.UNKNOWN
        for one, other in ((first.low, second.low), (first.high, second.high)):
            if is_infinite(one) or is_infinite(other):
                if is_infinite(one) != is_infinite(other):
                    return Same.UNKNOWN
            elif same_expression(one, other) is not Same.EQUAL:
                return Same.UNKNOWN
    return Same.EQUAL


def solve(side: Node, variable: Sym | Call, sign: str, bound: Node) -> Pieces | None:
    """The values of the variable with `side sign bound`; None where the side is not linear or |x|."""
    if side == Call("abs", (variable,)):
        return _absolute(sign, bound)
    line = linear(side, variable)
    if line is None:
        return _of_polynomial(side, variable, sign, bound)
    slope, shift = line
    rate = numeric.constant(slope)
    if rate is None or abs(rate) < 1e-9:
        return None
    end = bound if shift == Num(0) else Add((bound, negative(shift)))
    if slope != Num(1):
        if is_infinite(end):
            return None
        end = quotient(end, slope)
    return _restricted(sign, end, turned=rate < 0)


def _of_polynomial(side: Node, variable: Sym | Call, sign: str, bound: Node) -> Pieces | None:
    """`t^2 > 9`, where all roots are found; None where every number or none is a solution."""
    if type(variable) is not Sym or sign not in ("<", "<=", ">", ">=") or symbols(bound):
        return None
    poly = coefficients(Add((side, negative(bound))), variable.name)
    roots = real_roots(poly) if poly and len(poly) > 2 else None
    return _between_roots(poly, sorted(roots, key=value_of), sign) if poly and roots else None


def _between_roots(poly: Coefficients, roots: list[Node], sign: str) -> Pieces | None:
    """The stretches between the sorted roots where the polynomial has the sign."""
    stretches = list(pairwise([MINUS_INFINITY, *roots, INFINITY]))
    places = [_between(value_of(low), value_of(high)) for low, high in stretches]
    holds = [(value_at(poly, place) > 0) == (sign[0] == ">") for place in places]
    if all(holds):
        return None
    closed = sign.endswith("=")
    pieces = [_stretch(*ends, closed) for ends, inside in zip(stretches, holds, strict=True) if inside]
    return _with_ends(pieces, roots if closed else [])


def _with_ends(pieces: list[Piece], roots: list[Node]) -> Pieces | None:
    """The union with the roots that solve it too, None where no number does."""
    found = (*pieces, *map(point, roots))
    return union(found) if found else None


def _stretch(low: Node, high: Node, closed: bool) -> Piece:
    """The numbers between two ends, with those that are numbers where it is closed."""
    return Piece(low, closed and not is_infinite(low), high, closed and not is_infinite(high))


def is_polynomial(side: Node, variable: Sym) -> bool:
    """Is it solved by its roots: neither linear nor an absolute value?"""
    return side != Call("abs", (variable,)) and linear(side, variable) is None


def _between(low: float, high: float) -> Fraction:
    """A number between two others."""
    if math.isinf(low):
        return Fraction(high) - 1 if not math.isinf(high) else Fraction(0)
    return Fraction(low) + 1 if math.isinf(high) else (Fraction(low) + Fraction(high)) / 2


def _restricted(sign: str, end: Node, turned: bool) -> Pieces:
    """The numbers with `x sign end`, or with the opposite sign where the division by a negative number turned it."""
    if sign == "!=":
        return complement((point(end),))
    closed = sign.endswith("=") and not is_infinite(end)
    if (sign[0] == ">") != turned:
        return (Piece(end, closed, INFINITY, False),)
    return (Piece(MINUS_INFINITY, False, end, closed),)


def _absolute(sign: str, bound: Node) -> Pieces | None:
    value = numeric.constant(bound)
    if value is None or value <= 0 or sign == "!=":
        return None
    closed = sign.endswith("=")
    if sign[0] == "<":
        return (Piece(negative(bound), closed, bound, closed),)
    return (
        Piece(MINUS_INFINITY, False, negative(bound), closed),
        Piece(bound, closed, INFINITY, False),
    )


def linear(side: Node, variable: Sym | Call) -> tuple[Node, Node] | None:
    """Slope and shift of a side that is linear in the variable."""
    if side == variable:
        return Num(1), Num(0)
    if not symbols(side):
        return Num(0), side
    if type(side) is Add:
        return _linear_sum(side, variable)
    return _linear_product(side, variable) if type(side) is Mul else None


def _linear_sum(side: Add, variable: Sym | Call) -> tuple[Node, Node] | None:
    parts = [linear(term, variable) for term in side.terms]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    return _sum([slope for slope, _ in found]), _sum([shift for _, shift in found])


def _linear_product(side: Mul, variable: Sym | Call) -> tuple[Node, Node] | None:
    """Numbers times one factor that is linear itself."""
    moving = [factor for factor in side.factors if symbols(factor)]
    inner = linear(moving[0], variable) if len(moving) == 1 and type(moving[0]) is not Pow else None
    if inner is None:
        return None
    fixed = tuple(factor for factor in side.factors if not symbols(factor))
    slope, shift = inner
    lone = slope == Num(1) and len(fixed) == 1
    return fixed[0] if lone else _times(fixed, slope), _times(fixed, shift)


def _times(fixed: tuple[Node, ...], part: Node) -> Node:
    return part if part == Num(0) else Mul((*fixed, part))


def _sum(nodes: list[Node]) -> Node:
    kept = tuple(node for node in nodes if node != Num(0))
    if not kept:
        return Num(0)
    return kept[0] if len(kept) == 1 else Add(kept)
