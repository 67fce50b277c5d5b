"""When two equations surely differ: points that solve the one are no solutions of the other."""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import Add, Node, negative, symbols
from hybridverify.maths.comparing.formula_difference import has_constant, may_be_rounded
from hybridverify.maths.comparing.primitives import asks_primitive
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.values.kinds import Relation

_ONE_OF_MANY = ("an example", "one possible", "a possible", "any one", "for example")
_STARTS = (0.37, 1.31, 2.73, 4.19)
_GRID = 32
_WIDTH = 9.7
_STEPS = 45
_ROOTS = 2
_STRAIGHT = 1e-9
_CLOSE = 1e-4


def equations_apart(left: Relation, right: Relation, case: Case) -> bool:
    """Do two equations surely have other solutions? A point that solves one is no solution of the other."""
    if left.operators != ("=",) or right.operators != ("=",) or case.asks(*_ONE_OF_MANY):
        return False
    one, other = (Add((each.sides[0], negative(each.sides[1]))) for each in (left, right))
    mine, theirs = symbols(one), symbols(other)
    if mine != theirs or not 1 < len(mine) <= 3 or not _are_named(mine, case) or may_be_rounded(one, other):
        return False
    return _has_other_roots(one, other, mine) and _has_other_roots(other, one, mine)


def _are_named(names: frozenset[str], case: Case) -> bool:
    if any(name[0] in "iIE" for name in names) or asks_primitive(case.question):
        return False
    if not case.question:
        return not has_constant(names)
    usual = ("r", "rho", "theta") if case.asks("polar") else ("x", "y", "z")
    known = all(name in usual or mentions(case.question, name) for name in names)
    return known and not case.asks("parametri", "vector")


def _has_other_roots(solved: Node, tested: Node, names: frozenset[str]) -> bool:
    """Are there points of the one that are none of the other, among the positive ones as well if there are any?"""
    apart: dict[bool, list[bool]] = {True: [], False: []}
    for point, name in _solutions(solved, names):
        found = _is_off(tested, point, name)
        if found is None:
            return False
        apart[all(value > 0 for value in point.values())].append(found)
        if all(map(any, apart.values())):
            return True
    told = [any(found) for found in apart.values() if found]
    return bool(told) and all(told) and sum(map(sum, apart.values())) >= _ROOTS


def _solutions(node: Node, names: frozenset[str]) -> Iterator[tuple[dict[str, float], str]]:
    """Points at which the node is zero, each with the letter it was solved for."""
    for turn, start in enumerate(_STARTS):
        for name in sorted(names):
            others = sorted(names - {name})
            sign = -1 if turn % 2 else 1
            point = {other: sign * (start + 0.61 * place) for place, other in enumerate(others)}
            yield from (({**point, name: root}, name) for root in _roots(node, point, name))


def _roots(node: Node, point: dict[str, float], name: str) -> Iterator[float]:
    low, middle, high = (_at(node, point, name, place) for place in (-1.0, 0.5, 2.0))
    line = None if low is None or middle is None or high is None else (low, middle, high)
    if line is None or abs(line[2] - 2 * line[1] + line[0]) > _STRAIGHT * (abs(line[2]) + abs(line[0])):
        yield from _roots_on_grid(node, point, name)
    elif line[2] != line[0]:
        yield 0.5 - 3 * line[1] / (line[2] - line[0])


def _roots_on_grid(node: Node, point: dict[str, float], name: str) -> Iterator[float]:
    last: tuple[float, float] | None = None
    for number in range(_GRID + 1):
        place = -_WIDTH + 2 * _WIDTH * number / _GRID
        value = _at(node, point, name, place)
        if value is not None and last is not None and (value > 0) != (last[1] > 0):
            yield _bisected(node, point, name, last[0], place)
        last = None if value is None else (place, value)


def _bisected(node: Node, point: dict[str, float], name: str, low: float, high: float) -> float:
    rising = (_at(node, point, name, high) or 0.0) > 0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        value = _at(node, point, name, middle)
        if value is None:
            return middle
        if (value > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _at(node: Node, point: dict[str, float], name: str, place: float) -> float | None:
    try:
        value = numeric.evaluate(node, {**point, name: place})
    except numeric.NoValue:
        return None if type(node) is not Add else _plain_sum(node, {**point, name: place})
    return value if isinstance(value, float) else None


def _plain_sum(node: Add, point: dict[str, float]) -> float | None:
    """Near a root the digits cancel, which is what is looked for."""
    try:
        values = [numeric.evaluate(term, point) for term in node.terms]
    except numeric.NoValue:
        return None
    return sum(value for value in values if isinstance(value, float))


def _is_off(node: Node, point: dict[str, float], name: str) -> bool | None:
    """Is the nearest zero of the node far from the point? None where it has no value."""
    place = point[name]
    step = 1e-3 * (1 + abs(place))
    here, low, high = (_at(node, point, name, place + shift) for shift in (0.0, -step, step))
    if here is None or low is None or high is None:
        return None
    slope = max(abs(high - here), abs(here - low)) / step
    return abs(here) > _CLOSE * (1 + abs(place)) * slope and abs(here) > 1e-9
