"""When two sets of real numbers surely differ: inside every domain that the question may set for its letters."""

from __future__ import annotations

import math
from itertools import pairwise

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.nodes import Node, symbols
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.limits import Unread
from hybridverify.maths.parsing.sets import to_real_set
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Listing, Piece, RealSet, Scalar, Tuple, Value, is_infinite

_INTERVAL_WORDS = ("interval", "inequal", "domain", "range", "solve")
_POINT_WORDS = ("coordinate", "ordered pair", "the point", "vector", "intersect", "pairs")
_EITHER_ENDS = ("creas", "monoton", "concav", "convex", "单调", "递增", "递减", "增区间", "减区间")
"""Where these are asked for, an interval may be given with or without its ends."""
_WHOLE = re.compile(
    r"\b(?:integers?|whole|naturals?|digits?|how many|number of|count|people)\b|整数|自然数", re.I
)
_POSITIVE = re.compile(
    r"positive|natural|non-?negative|length|side|width|height|radius|distance|area|time|speed|cost|price|> ?0|>= ?0"
    r"|\\g(?:t|eq?|eqslant) ?0|≥ ?0|＞ ?0|正",
    re.I,
)
_NEAR = 1e-9


def holds_interval(left: Value, right: Value, case: Case) -> bool:
    """Is one of the two a set of numbers, and the other read as one?"""
    if isinstance(left, RealSet) or isinstance(right, RealSet):
        return not (isinstance(left, Scalar) or isinstance(right, Scalar))
    if not isinstance(left, Tuple) or not isinstance(right, Tuple) or case.asks(*_POINT_WORDS):
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
        mine, theirs = _pieces(left), _pieces(right)
        points = _points(mine + theirs)
    except Unread:
        return False
    differing = _differing(mine, theirs, points)
    places = _numbers(differing)
    if not differing or _agree_in_domain(mine, theirs, places, case.question):
        return False
    stretches = [point for point, stretch in differing if stretch]
    if not stretches:
        return bool(case.question) and not case.asks(*_EITHER_ENDS)
    if len(stretches) > 1 or _each_has_own(mine, places):
        return True
    return not _is_cut_by_domain(stretches[0], _numbers(points), case.question)


def _differing(
    mine: tuple[Piece, ...], theirs: tuple[Piece, ...], points: list[tuple[float, bool]]
) -> list[tuple[float, bool]]:
    """The points, ends or in a stretch, that one of the two holds alone."""
    return [(point, stretch) for point, stretch in points if _holds(mine, point) != _holds(theirs, point)]


def _numbers(points: list[tuple[float, bool]]) -> list[float]:
    return [point for point, _ in points]


def _agree_in_domain(
    mine: tuple[Piece, ...], theirs: tuple[Piece, ...], differing: list[float], question: str
) -> bool:
    """Are the two one on whole or on positive numbers, where the question may mean only these?"""
    if _may_mean(_WHOLE, question) and not _differ_on_whole_numbers(mine, theirs, question):
        return True
    return _may_mean(_POSITIVE, question) and not any(point > 0 for point in differing)


def _may_mean(words: re.Pattern[str], question: str) -> bool:
    """Does the question have such a word, or is it not known?"""
    return not question or words.search(question) is not None


def _each_has_own(mine: tuple[Piece, ...], differing: list[float]) -> bool:
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


def _points(pieces: tuple[Piece, ...]) -> list[tuple[float, bool]]:
    """The ends, and a number of each stretch between and around them."""
    ends = sorted(
        {_place(end) for piece in pieces for end in (piece.low, piece.high) if not is_infinite(end)}
    )
    if any(later - end < 1e-6 * max(1.0, abs(end)) for end, later in pairwise(ends)):
        raise Unread("end points too close")
    if not ends:
        return []
    points = [(ends[0] - 1, True)]
    for end, later in zip(ends, [*ends[1:], ends[-1] + 2], strict=True):
        points += [(end, False), ((end + later) / 2, True)]
    return points


def _place(end: Node) -> float:
    if symbols(end):
        raise Unread("end point")
    return real_sets.value_of(end)


def _holds(pieces: tuple[Piece, ...], point: float) -> bool:
    return any(_piece_holds(piece, point) for piece in pieces)


def _piece_holds(piece: Piece, point: float) -> bool:
    low = -math.inf if is_infinite(piece.low) else real_sets.value_of(piece.low)
    high = math.inf if is_infinite(piece.high) else real_sets.value_of(piece.high)
    if math.isclose(point, low, abs_tol=_NEAR):
        return piece.low_closed
    if math.isclose(point, high, abs_tol=_NEAR):
        return piece.high_closed
    return low < point < high


def _differ_on_whole_numbers(mine: tuple[Piece, ...], theirs: tuple[Piece, ...], question: str) -> bool:
    """Do they differ on whole numbers, on positive ones where nobody says what the letters are?"""
    ends = [_place(end) for piece in mine + theirs for end in (piece.low, piece.high) if not is_infinite(end)]
    near = {math.floor(end) + shift for end in ends for shift in (-1, 0, 1, 2)}
    least = 1 if _may_mean(_POSITIVE, question) else -math.inf
    return any(_holds(mine, number) != _holds(theirs, number) for number in near if number >= least)
