"""Values over all integers: `k\\pi` and `2n\\pi` are two sets of numbers, whatever the letters are called.

Two progressions are one only if they have steps of one size and places that are whole steps apart. The same holds of
intervals that come again with every step: their lengths must agree as well.
"""

from __future__ import annotations

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import Node, symbols
from hybridverify.maths.comparing.items import without_name
from hybridverify.maths.comparing.renaming import has_period, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.values.kinds import Qualified, Scalar, Tuple, Value

_NEAR = 1e-6
_PLACES = (1.0, 2.0, 4.0)


def progressions_apart(left: Value, right: Value, case: Case) -> bool:
    """Do two values with an integer parameter run over different numbers, or different intervals?"""
    one, other = _plain(left), _plain(right)
    if not case.question or one is None or other is None:
        return False
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return _are_apart(_steps(one.node, case), _steps(other.node, case))
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        return _intervals_apart(_ends(one, case), _ends(other, case))
    return False


def _plain(value: Value) -> Value | None:
    """The value without its name, and without a condition that only says what the parameter is."""
    inner = without_name(value)
    if isinstance(inner, Qualified):
        return without_name(inner.value) if inner.harmless else None
    return inner


def _steps(node: Node, case: Case) -> tuple[float, float] | None:
    """The start and the step of a progression; None for what is none."""
    name = next(iter(symbols(node)), "")
    if len(symbols(node)) != 1 or not has_period(node, name) or mentions(case.question, name):
        return None
    try:
        one, two, four = (numeric.evaluate(node, {name: place}) for place in _PLACES)
    except numeric.NoValue:
        return None
    if isinstance(one, complex) or isinstance(two, complex) or isinstance(four, complex):
        return None
    step = two - one
    even = abs(four - two - 2 * step) <= _NEAR and abs(step) > _NEAR
    return (one - step, step) if even else None


def _are_apart(one: tuple[float, float] | None, other: tuple[float, float] | None) -> bool:
    if one is None or other is None:
        return False
    return abs(abs(one[1]) - abs(other[1])) > _NEAR or not _is_whole((one[0] - other[0]) / one[1])


def _is_whole(turns: float) -> bool:
    return abs(turns - round(turns)) <= _NEAR


def _ends(value: Tuple, case: Case) -> list[tuple[float, float]] | None:
    """Start and step of both ends of an interval, which move together."""
    nodes = [item.node for item in value.items if isinstance(item, Scalar)]
    ends = [steps for node in nodes if (steps := _steps(node, case)) is not None]
    if len(value.items) != 2 or len(ends) != 2 or abs(ends[0][1] - ends[1][1]) > _NEAR:
        return None
    return ends if 0 < ends[1][0] - ends[0][0] < abs(ends[0][1]) - _NEAR else None


def _intervals_apart(
    mine: list[tuple[float, float]] | None, theirs: list[tuple[float, float]] | None
) -> bool:
    """Do the intervals have gaps between them, and lie elsewhere or end elsewhere?"""
    if mine is None or theirs is None or abs(abs(mine[0][1]) - abs(theirs[0][1])) > _NEAR:
        return False
    return any(_are_apart(one, other) for one, other in zip(mine, theirs, strict=True))
