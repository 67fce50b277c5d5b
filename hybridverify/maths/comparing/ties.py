"""Formulas that differ whatever ties their letters: only where a letter is nothing may they have one value.

A question may tie letters to one another (the sides of a triangle), so that two formulas that differ at free points
are one under the tie. Not so where their difference is a power product of the letters, or where one is a constant
multiple of the other: the one vanishes with a letter alone, the other with the reference itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import Node, symbols

_NEAR = 1e-7
_LOST = 1e-5
"""A difference this small against the values has lost its digits."""
_MAX_SIGNS = 8
_Point = dict[str, float]


def differ_under_any_tie(left: Node, right: Node) -> bool:
    """Is the difference a power product of the letters, or the quotient a constant other than one?"""
    names = symbols(left) | symbols(right)
    told = [
        found
        for signs in _signs(names)
        if (found := _differ_in_region(left, right, names, signs)) is not None
    ]
    return bool(told) and all(told)


def _signs(names: frozenset[str]) -> Iterator[int]:
    """The regions of the letters' signs, the first of them where all are positive."""
    every = 2 ** len(names)
    yield from range(min(every, _MAX_SIGNS))
    if every > _MAX_SIGNS:
        yield every - 1


def _differ_in_region(left: Node, right: Node, names: frozenset[str], signs: int) -> bool | None:
    """None where the formulas have no value."""
    first, second, third = (numeric.point_for(names, number, signs) for number in (21, 22, 23))
    one, other = numeric.point_for(names, 24), numeric.point_for(names, 25)
    points = [
        first,
        _times(first, one),
        _times(first, other),
        _times(_times(first, one), other),
        second,
        third,
    ]
    values = [values_at(left, right, point) for point in points]
    pairs = [pair for pair in values if pair is not None]
    if len(pairs) < len(values):
        return None if not pairs else False
    return _are_multiples(pairs) or _is_power_product([one - other for one, other in pairs[:4]], pairs)


def _times(point: _Point, factors: _Point) -> _Point:
    return {name: value * factors[name] for name, value in point.items()}


def values_at(left: Node, right: Node, point: _Point) -> tuple[float, float] | None:
    """The values of both at a point, None where one has none that is real."""
    try:
        values = numeric.evaluate(left, point), numeric.evaluate(right, point)
    except numeric.NoValue:
        return None
    first, second = values
    return (first, second) if isinstance(first, float) and isinstance(second, float) else None


def _are_multiples(pairs: list[tuple[float, float]]) -> bool:
    """Has the quotient one value, and is it not one?"""
    ratio = one_ratio(pairs)
    return ratio is not None and abs(ratio - 1) > _LOST


def one_ratio(pairs: list[tuple[float, float]]) -> float | None:
    """The quotient that all pairs have, None where they have several or one of the two is zero."""
    if not all(one and other for one, other in pairs):
        return None
    first, *others = [one / other for one, other in pairs]
    return first if all(math.isclose(ratio, first, rel_tol=_NEAR) for ratio in others) else None


def _is_power_product(gaps: list[float], pairs: list[tuple[float, float]]) -> bool:
    """A function f with f(p) f(abp) = f(ap) f(bp) is a power product; `gaps` are its values at these points."""
    if any(
        abs(gap) <= _LOST * max(abs(one), abs(other)) for gap, (one, other) in zip(gaps, pairs, strict=False)
    ):
        return False
    return math.isclose(gaps[0] * gaps[3], gaps[1] * gaps[2], rel_tol=_NEAR)
