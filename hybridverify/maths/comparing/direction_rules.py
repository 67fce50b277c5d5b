"""Comparing amounts with a direction."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.parsing.directed_amounts import directed

_SAME, _OTHER = 0.05, 2.0
"""Degrees: so near two directions are one, so far apart no rounding explains them."""


def directions(
    reference: str, answer: str, _question: str, same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Both the amount and the direction; None where one of the two has none."""
    mine, theirs = directed(reference), directed(answer)
    if mine is None or theirs is None:
        return None
    if mine.plane != theirs.plane:
        return undecided("direction")
    apart = abs(mine.angle - theirs.angle)
    apart = min(apart, 360 - apart)
    if apart > _OTHER:
        return different("another direction")
    amounts = same(mine.amount, theirs.amount)
    return amounts if not amounts.equal else equal("direction") if apart <= _SAME else undecided("direction")
