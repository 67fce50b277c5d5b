"""Values over all integers: `k\\pi` and `2n\\pi` are two sets of numbers, whatever the letters are called.

Progressions are listed around zero and compared number by number, all of one side with all of the other: `k\\pi` and
`\\frac{\\pi}{2} + k\\pi` together are `\\frac{k\\pi}{2}`. Intervals that come again with every step are one only if
their lengths agree as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.nodes import Node, symbols
from hybridverify.maths.comparing.items import asks_all
from hybridverify.maths.comparing.renaming import has_period, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.values.kinds import Listing, Named, Qualified, Scalar, Tuple, Value

_NEAR = 1e-6
_MOST = 30
"""Values are listed for the integers from minus to plus this."""
_MAX_ITEMS = 12
_LEAST_TURNS = 2


class _Family(NamedTuple):
    """The values of a list of numbers and progressions near zero, in order, and how far they are all there."""

    values: list[float]
    reach: float
    endless: bool


def progressions_apart(left: Value, right: Value, case: Case) -> bool:
    """Do two values, one of them with an integer parameter, hold different numbers, or different intervals?"""
    if not case.question:
        return False
    one, other = _plain(left), _plain(right)
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        return _intervals_apart(_ends(one, case), _ends(other, case))
    if len({*_names(one), *_names(other)} - {""}) > 1:
        return False
    mine = _family(one, case)
    theirs = _family(other, case) if mine is not None else None
    if mine is None or theirs is None or not (mine.endless or theirs.endless):
        return False
    return _families_apart(mine, theirs, case)


def _plain(value: Value) -> Value:
    """The value without a condition that only says what the parameter is."""
    return value.value if isinstance(value, Qualified) and value.harmless else value


def _families_apart(mine: _Family, theirs: _Family, case: Case) -> bool:
    reach = min(mine.reach, theirs.reach)
    if mine.endless and theirs.endless:
        return _has_others(mine, theirs, reach) or _has_others(theirs, mine, reach)
    if theirs.endless:
        return _has_others(mine, theirs, reach)
    return _has_others(theirs, mine, reach) or asks_all(case)


def _has_others(one: _Family, other: _Family, reach: float) -> bool:
    """Has the one a number within reach that the other lacks?"""
    return any(abs(value) < reach and not _holds(other.values, value) for value in one.values)


def _holds(values: list[float], value: float) -> bool:
    place = bisect_left(values, value - _NEAR)
    return place < len(values) and values[place] <= value + _NEAR


def _family(value: Value, case: Case) -> _Family | None:
    """None for what holds something else than numbers and progressions of one name."""
    items = _items(value)
    listed = [_listed(node, case) for node in items]
    known = [values for values in listed if values is not None]
    if not items or len(known) < len(items):
        return None
    steps = [abs(values[-1] - values[0]) / (2 * _MOST) for values in known if len(values) > 1]
    reach = min(steps, default=1e6) * (_MOST - 2)
    starts = max(abs(values[len(values) // 2]) for values in known)
    reach -= starts if steps else 0.0
    if steps and reach < _LEAST_TURNS * max(steps):
        return None
    return _Family(sorted(number for values in known for number in values), reach, bool(steps))


def _items(value: Value) -> list[Node]:
    """The numbers of a value; none where a part is none, or where the parts have different names."""
    parts = _parts(value)
    inner = [part.value if isinstance(part, Named) else part for part in parts]
    nodes = [part.node for part in inner if isinstance(part, Scalar)]
    return nodes if len(nodes) == len(parts) <= _MAX_ITEMS and len(_names(value)) == 1 else []


def _parts(value: Value) -> Sequence[Value]:
    return value.items if isinstance(value, Listing) else (value,)


def _names(value: Value) -> set[str]:
    """The names of the parts, empty for a part without one."""
    return {part.name if isinstance(part, Named) else "" for part in _parts(value)}


def _listed(node: Node, case: Case) -> list[float] | None:
    """The one value of a number, or those of a progression for the integers around zero; None for anything else."""
    names = symbols(node)
    if not names:
        alone = numeric.constant(node)
        return None if alone is None else [alone]
    name = next(iter(names))
    if len(names) > 1 or not has_period(node, name) or mentions(case.question, name):
        return None
    values: list[float] = []
    for number in range(-_MOST, _MOST + 1):
        try:
            value = numeric.evaluate(node, {name: float(number)})
        except numeric.NoValue:
            return None
        if isinstance(value, complex):
            return None
        values.append(value)
    return values if _is_even(values) else None


def _is_even(values: list[float]) -> bool:
    """Does every second value lie one same step further on? So `(-1)^k` may be in it."""
    step = values[2] - values[0]
    pairs = zip(values, values[2:], strict=False)
    return abs(step) > _NEAR and all(abs(other - one - step) <= _NEAR for one, other in pairs)


def _ends(value: Tuple, case: Case) -> list[list[float]] | None:
    """Both ends of an interval, which move together and leave gaps."""
    listed = [_listed(item.node, case) for item in value.items if isinstance(item, Scalar)]
    ends = [values for values in listed if values and len(values) > 1]
    if [len(value.items), len(ends)] != [2, 2]:
        return None
    length, step = ends[1][0] - ends[0][0], abs(ends[0][1] - ends[0][0])
    together = all(abs(high - low - length) <= _NEAR for low, high in zip(*ends, strict=True))
    return ends if together and 0 < length < step - _NEAR else None


def _intervals_apart(mine: list[list[float]] | None, theirs: list[list[float]] | None) -> bool:
    """Have intervals of one step other beginnings or other ends?"""
    if mine is None or theirs is None:
        return False
    steps = [abs(ends[0][1] - ends[0][0]) for ends in (mine, theirs)]
    if abs(steps[0] - steps[1]) > _NEAR:
        return False
    return any(_turns_apart(one[0], other[0], steps[0]) for one, other in zip(mine, theirs, strict=True))


def _turns_apart(one: float, other: float, step: float) -> bool:
    turns = (one - other) / step
    return abs(turns - round(turns)) > _NEAR
