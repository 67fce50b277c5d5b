"""When two sets of real numbers surely differ: inside every domain that the question may set for its letters."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.nodes import Node, symbols
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.limits import Unread
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.conversion import to_real_set
from hybridverify.maths.values.kinds import Listing, Piece, RealSet, Scalar, Tuple, Value, is_infinite

_INTERVAL_WORDS = ("interval", "inequal", "domain", "range", "solve")
POINT_WORDS = ("coordinate", "ordered pair", "the point", "vector", "intersect", "pairs")
_EITHER_ENDS = ("creas", "monoton", "concav", "convex", "单调", "递增", "递减", "增区间", "减区间")
"""Where these are asked for, an interval may be given with or without its ends."""
_POSITIVE = (">0", ">=0", "≥0", "＞0", "\\gt0", "\\ge0", "\\geq")
"""What a question has, blanks aside, that says so of a letter."""
_NEAR = 1e-9


class _Stretch(NamedTuple):
    """A piece of a set with its ends as numbers."""

    low: float
    low_closed: bool
    high: float
    high_closed: bool


def holds_interval(left: Value, right: Value, case: Case) -> bool:
    """Is one of the two a set of numbers, and the other read as one?"""
    if isinstance(left, RealSet) or isinstance(right, RealSet):
        return not (isinstance(left, Scalar) or isinstance(right, Scalar))
    if not isinstance(left, Tuple) or not isinstance(right, Tuple) or case.asks(*POINT_WORDS):
        return False
    return len(left.items) == len(right.items) == 2 and _are_intervals(left, right, case)


def _are_intervals(left: Tuple, right: Tuple, case: Case) -> bool:
    """Do two pairs show that they are intervals, or does the question ask for some?"""
    if _shows_interval(left) or _shows_interval(right):
        return True
    return case.asks(*_INTERVAL_WORDS) and not _same_brackets(left, right)


def _same_brackets(left: Tuple, right: Tuple) -> bool:
    return (left.opening, left.closing) == (right.opening, right.closing)


def _shows_interval(value: Tuple) -> bool:
    """One round and one square bracket, or an infinite end."""
    ends = [item.node for item in value.items if isinstance(item, Scalar)]
    mixed = {"(": "[", "[": "("}.get(value.opening) == {")": "(", "]": "["}.get(value.closing)
    return mixed or any(map(is_infinite, ends))


def sets_apart(left: Value, right: Value, case: Case) -> bool:
    """Do the two hold different numbers, whatever domain the question has?"""
    try:
        mine, theirs = _stretches(_pieces(left)), _stretches(_pieces(right))
        points = _points(mine + theirs)
    except Unread:
        return False
    differing = _differing(mine, theirs, points)
    places = _numbers(differing)
    if not differing or _agree_in_domain(mine, theirs, places, case):
        return False
    stretches = [point for point, stretch in differing if stretch]
    if not stretches:
        return bool(case.question) and not case.asks(*_EITHER_ENDS)
    if len(stretches) > 1 or _each_has_own(mine, places):
        return True
    return not _is_cut_by_domain(stretches[0], _numbers(points), case.question)


def _differing(
    mine: tuple[_Stretch, ...], theirs: tuple[_Stretch, ...], points: list[tuple[float, bool]]
) -> list[tuple[float, bool]]:
    """The points, ends or in a stretch, that one of the two holds alone."""
    return [(point, stretch) for point, stretch in points if _holds(mine, point) != _holds(theirs, point)]


def _numbers(points: list[tuple[float, bool]]) -> list[float]:
    return [point for point, _ in points]


def _agree_in_domain(
    mine: tuple[_Stretch, ...], theirs: tuple[_Stretch, ...], differing: list[float], case: Case
) -> bool:
    """Are the two one on whole or on positive numbers, where the question may mean only these?"""
    positive = _may_be_positive(case)
    may_be_whole = not case.question or case.speaks_of("whole")
    if may_be_whole and not _differ_on_whole_numbers(mine, theirs, 1 if positive else -math.inf):
        return True
    return positive and not any(point > 0 for point in differing)


def _may_be_positive(case: Case) -> bool:
    """May the question mean positive numbers alone, or is it not known?"""
    if not case.question or case.speaks_of("positive"):
        return True
    told = case.question.replace(" ", "")
    return any(sign in told for sign in _POSITIVE)


def _each_has_own(mine: tuple[_Stretch, ...], differing: list[float]) -> bool:
    """Has each of the two numbers that the other lacks?"""
    return len({_holds(mine, point) for point in differing}) > 1


def _is_cut_by_domain(point: float, points: list[float], question: str) -> bool:
    """One stretch on the outside alone: the question may say that nothing lies there."""
    if point not in (points[0], points[-1]):
        return False
    end = points[1] if point == points[0] else points[-2]
    if not question or abs(end) < _NEAR:
        return True
    told = f"{abs(end):g}"
    return end != int(end) or re.search(rf"(?<![\d.]){re.escape(told)}(?![\d.])", question) is not None


def _pieces(value: Value) -> tuple[Piece, ...]:
    if isinstance(value, Scalar):
        return (real_sets.point(value.node),)
    if isinstance(value, Listing):
        return real_sets.union(tuple(piece for item in value.items for piece in _interval(item)))
    return to_real_set(value).pieces


def _interval(item: Value) -> tuple[Piece, ...]:
    if not isinstance(item, (Tuple, RealSet)):
        raise Unread("no interval")
    return to_real_set(item).pieces


def _stretches(pieces: tuple[Piece, ...]) -> tuple[_Stretch, ...]:
    """The pieces with their ends as numbers. Raises Unread where an end is not known."""
    return tuple(
        _Stretch(
            -math.inf if is_infinite(piece.low) else _place(piece.low),
            piece.low_closed,
            math.inf if is_infinite(piece.high) else _place(piece.high),
            piece.high_closed,
        )
        for piece in pieces
    )


def _place(end: Node) -> float:
    if symbols(end):
        raise Unread("end point")
    return real_sets.value_of(end)


def _ends(stretches: tuple[_Stretch, ...]) -> set[float]:
    return {end for one in stretches for end in (one.low, one.high) if not math.isinf(end)}


def _points(stretches: tuple[_Stretch, ...]) -> list[tuple[float, bool]]:
    """The ends, and a number of each stretch between and around them."""
    ends = sorted(_ends(stretches))
    if any(later - end < 1e-6 * max(1.0, abs(end)) for end, later in pairwise(ends)):
        raise Unread("end points too close")
    if not ends:
        return []
    points = [(ends[0] - 1, True)]
    for end, later in zip(ends, [*ends[1:], ends[-1] + 2], strict=True):
        points += [(end, False), ((end + later) / 2, True)]
    return points


def _holds(stretches: tuple[_Stretch, ...], point: float) -> bool:
    return any(_is_in(one, point) for one in stretches)


def _is_in(stretch: _Stretch, point: float) -> bool:
    if math.isclose(point, stretch.low, abs_tol=_NEAR):
        return stretch.low_closed
    if math.isclose(point, stretch.high, abs_tol=_NEAR):
        return stretch.high_closed
    return stretch.low < point < stretch.high


def _differ_on_whole_numbers(mine: tuple[_Stretch, ...], theirs: tuple[_Stretch, ...], least: float) -> bool:
    """Do they differ on whole numbers that are no smaller than the least one?"""
    near = {math.floor(end) + shift for end in _ends(mine + theirs) for shift in (-1, 0, 1, 2)}
    return any(_holds(mine, number) != _holds(theirs, number) for number in near if number >= least)
