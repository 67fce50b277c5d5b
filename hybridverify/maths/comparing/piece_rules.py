"""Comparing functions in pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.comparing.primitives import asks_primitive
from hybridverify.maths.comparing.rules import Case, Comparison, all_of, different, equal, undecided
from hybridverify.maths.limits import Unread
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Cases, Piece, RealSet, Scalar, Value

_Told: TypeAlias = "list[tuple[Value, Value | None]]"
_BEYOND = 2.6
_SHARES = (0.37, 0.71)
_NEAR = 0.01
"""Decimals may be rounded."""


def cases(left: Cases, right: Cases, case: Case) -> Comparison:
    """Every piece finds the one with its condition, and has its value; or they differ inside of a piece of both."""
    if _differ_somewhere(_told(left), _told(right), case):
        return different("cases")
    if len(left.pieces) != len(right.pieces):
        return undecided("cases")
    rest = _told(right)
    results = []
    for value, condition in _told(left):
        place = next((i for i, other in enumerate(rest) if _same(condition, other[1], case)), -1)
        if place < 0:
            return undecided("cases")
        results.append(case.same(value, rest.pop(place)[0]))
    result = all_of(results, "cases")
    return equal("cases") if result.equal else undecided("cases")


def _differ_somewhere(mine: _Told, theirs: _Told, case: Case) -> bool:
    """Have both a value between the same two end points, and another one?"""
    sets = [condition for _, condition in (*mine, *theirs)]
    known = [one for one in sets if isinstance(one, RealSet)]
    names = {one.name for one in known}
    if len(known) < len(sets) or len(names) != 1 or asks_primitive(case.question):
        return False
    try:
        return _differ_at(_places_between(known), mine, theirs, names.pop())
    except Unread:  # an end point with letters
        return False


def _differ_at(places: Iterator[float], mine: _Told, theirs: _Told, name: str) -> bool:
    for place in places:
        one, other = _value_at(mine, name, place), _value_at(theirs, name, place)
        if one is not None and other is not None and abs(one - other) > _NEAR * max(abs(one), abs(other)):
            return True
    return False


def _places_between(sets: list[RealSet]) -> Iterator[float]:
    """Two numbers between each two neighbours of the end points, and beyond the last ones."""
    ends = {
        real_sets.value_of(end) for one in sets for piece in one.pieces for end in (piece.low, piece.high)
    }
    finite = sorted(end for end in ends if math.isfinite(end))
    if not finite:
        return
    for low, high in pairwise((finite[0] - _BEYOND, *finite, finite[-1] + _BEYOND)):
        yield from (low + share * (high - low) for share in _SHARES)


def _value_at(function: _Told, name: str, place: float) -> float | None:
    """What the function is there; None for what is no formula in its letter, or has no real value."""
    for value, condition in function:
        if not isinstance(condition, RealSet) or not any(_holds(piece, place) for piece in condition.pieces):
            continue
        if not isinstance(value, Scalar) or not symbols(value.node) <= {name}:
            return None
        try:
            found = numeric.evaluate(value.node, {name: place})
        except numeric.NoValue:
            return None
        return None if isinstance(found, complex) else found
    return None


def _holds(piece: Piece, place: float) -> bool:
    return real_sets.value_of(piece.low) < place < real_sets.value_of(piece.high)


def _told(function: Cases) -> _Told:
    """The pieces, with `otherwise` as all that the other conditions leave."""
    sets = [condition for _, condition in function.pieces if isinstance(condition, RealSet)]
    if len(sets) != len(function.pieces) - 1 or len({one.name for one in sets}) != 1:
        return [*function.pieces]
    left = real_sets.complement(real_sets.union(tuple(piece for one in sets for piece in one.pieces)))
    rest = RealSet(left, sets[0].name)
    return [(value, rest if condition is None else condition) for value, condition in function.pieces]


def _same(one: Value | None, other: Value | None, case: Case) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, RealSet) and isinstance(other, RealSet) and one.name != other.name:
        return False
    return case.same(one, other).equal
