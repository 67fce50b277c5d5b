"""The order of names: in which place of a tuple the value of `y` belongs when an answer says `y = 4, x = 1`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hybridverify.language import expressions as re
from hybridverify.maths.values.kinds import Named, Tuple, Value

_BRACKET = re.compile(r"\(([^()]{1,80})\)")
_MAX_QUESTION = 20_000


def usual_order(names: Sequence[str], question: str) -> list[str]:
    """The names in the order of the question's tuple, else of the alphabet if they are neighbours there.

    >>> usual_order(["y", "x"], ""), usual_order(["n", "k"], ""), usual_order(["y", "x"], "Find (y, x).")
    (['x', 'y'], ['n', 'k'], ['y', 'x'])
    """
    for match in reversed(list(_BRACKET.finditer(question[:_MAX_QUESTION]))):
        told = [part.strip(" $\\") for part in match.group(1).split(",")]
        if sorted(told) == sorted(names):
            return told
    ordered = sorted(names)
    neighbours = all(len(name) == 1 for name in names) and all(
        ord(later) - ord(name) == 1 for name, later in itertools.pairwise(ordered)
    )
    return ordered if neighbours else list(names)


def in_usual_order(value: Named, question: str) -> Value:
    """The tuple of `(y, x) = (1, 4)` as `(x, y)`; any other value as it stands."""
    inner, names = value.value, value.parameters
    if value.name != "(" or not isinstance(inner, Tuple) or len(inner.items) != len(names):
        return inner
    items = dict(zip(names, inner.items, strict=True))
    order = usual_order(names, question)
    if order == list(names) or len(items) < len(names):
        return inner
    return Tuple(tuple(items[name] for name in order), inner.opening, inner.closing)
