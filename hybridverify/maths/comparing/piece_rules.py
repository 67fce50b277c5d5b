"""Comparing functions in pieces."""

from __future__ import annotations

from hybridverify.maths.comparing.rules import Case, Comparison, all_of, equal, undecided
from hybridverify.maths.values.kinds import Cases, RealSet, Value


def cases(left: Cases, right: Cases, case: Case) -> Comparison:
    """Every piece finds the one with its condition, and has its value."""
    if len(left.pieces) != len(right.pieces):
        return undecided("cases")
    rest = [*right.pieces]
    results = []
    for value, condition in left.pieces:
        place = next((i for i, other in enumerate(rest) if _same(condition, other[1], case)), -1)
        if place < 0:
            return undecided("cases")
        results.append(case.same(value, rest.pop(place)[0]))
    result = all_of(results, "cases")
    return equal("cases") if result.equal else undecided("cases")


def _same(one: Value | None, other: Value | None, case: Case) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, RealSet) and isinstance(other, RealSet) and one.name != other.name:
        return False
    return case.same(one, other).equal
