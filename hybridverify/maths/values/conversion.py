"""Values that stand for a set of real numbers, as one: an interval in brackets, a finite set, the real numbers."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import INFINITY, Node, Num
from hybridverify.maths.limits import Unread
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import FiniteSet, NumberSet, RealSet, Scalar, Tuple, Value

_REAL_SETS = {"R": real_sets.REALS, "R>=0": real_sets.interval(Num(0), True, INFINITY, False)}


def to_real_set(value: Value) -> RealSet:
    """A value as a set of real numbers; raises Unread."""
    if isinstance(value, RealSet):
        return value
    if isinstance(value, NumberSet) and value.name in _REAL_SETS:
        return RealSet(_REAL_SETS[value.name])
    if isinstance(value, Tuple) and len(value.items) == 2:
        low, high = (_end(item) for item in value.items)
        return RealSet(real_sets.interval(low, value.opening == "[", high, value.closing == "]"))
    if isinstance(value, FiniteSet):
        return RealSet(real_sets.union(tuple(real_sets.point(_end(item)) for item in value.items)))
    raise Unread("no set of real numbers")


def _end(value: Value) -> Node:
    if not isinstance(value, Scalar):
        raise Unread("end point")
    return value.node
