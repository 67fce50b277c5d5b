"""Comparing functions in pieces."""

from __future__ import annotations

from hybridverify.maths.comparing.rules import Case, Comparison, all_of, equal, undecided
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Cases, RealSet, Value


def cases(left: Cases, right: Cases, case: Case) -> Comparison:
    """Every piece finds the one with its condition, and has its value."""
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


def _told(function: Cases) -> list[tuple[Value, Value | None]]:
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
