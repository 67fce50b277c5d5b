"""Rows of numbers that may stand for one thing in other coordinates, or for one vector at two lengths."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.values.kinds import Scalar, Value

_OTHER_COORDINATES = ("polar", "parametri", "spherical", "cylindrical", "basis", "span")
_ANY_LENGTH = ("eigenvector", "direction", "normal vector", "parallel", "perpendicular", "orthogonal")
_NEAR = 1e-9


def named_apart(one: str, other: str) -> bool:
    """Have two rows of numbers other names, as `N(0,1)` and `U(0,1)`, which are no one distribution?"""
    first, second = (text.strip(" $") for text in (one, other))
    return first[:1] != second[:1] and all(
        text[:1].isupper() and text[1:2] == "(" for text in (first, second)
    )


def is_told_otherwise(left: Sequence[Value], right: Sequence[Value], case: Case) -> bool:
    """May two rows of numbers be one in other coordinates, or one vector at two lengths?"""
    if case.asks(*_OTHER_COORDINATES):
        return True
    if not case.asks(*_ANY_LENGTH) or len(left) != len(right):
        return False
    pairs = [
        (constant(one.node) or 0.0, constant(other.node) or 0.0)
        for one, other in zip(left, right, strict=True)
        if isinstance(one, Scalar) and isinstance(other, Scalar)
    ]
    top, bottom = max(pairs, key=lambda pair: abs(pair[0]), default=(0.0, 0.0))
    return all(abs(one * bottom - other * top) <= _NEAR * abs(top * bottom) for one, other in pairs)
