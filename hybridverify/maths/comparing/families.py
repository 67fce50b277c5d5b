"""Solutions of differential equations with one free constant: `Ce^x` and `2Ke^x` are one family, `Ce^{-x}` is another.

Both must be linear in their constant, f + Cg. They are one family where the two g have a constant ratio and the two f
are a multiple of g apart; that is proved by algebra. It is refuted by numbers where the ratio changes on a short way.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Mul, Node, Num, negative, rename, symbols
from hybridverify.maths.comparing.primitives import moves
from hybridverify.maths.comparing.renaming import may_be_constant, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.limits import Unread

_ASKED = ("differential", "general solution", "y'", "dy/dx", "\\frac{dy}{dx}", "\\frac{d y}{d x}", "微分方程")
_STARTS = (0.31, 0.83, 1.7, 2.9, -0.61, -1.9)
_STEP, _LEAST = 0.02, 2
_NO_CONSTANTS = "iIEknm"


class _Family(NamedTuple):
    """What stands without the constant, and what the constant multiplies."""

    fixed: Node
    factor: Node


@lru_cache(maxsize=256)
def _asks_solution(question: str) -> bool:
    return any(sign in question for sign in _ASKED)


def one_family(left: Node, right: Node, case: Case) -> bool | None:
    """Are the two one family of functions? None where nothing is proved, or no differential equation is asked about."""
    if not _asks_solution(case.question):
        return None
    mine, theirs = _family(left, case), _family(right, case)
    if mine is None or theirs is None:
        return None
    names = frozenset().union(*map(symbols, (*mine, *theirs)))
    name = next(iter(names), "i")
    if len(names) != 1 or name[0] in _NO_CONSTANTS:
        return None
    gap = Add((mine.fixed, negative(theirs.fixed)))
    pairs = ((mine.factor, theirs.factor), (mine.factor, gap))
    if any(_change_apart(one, other, name) for one, other in pairs):
        return False
    return True if all(_are_proportional(one, other, name, case) for one, other in pairs) else None


def _family(node: Node, case: Case) -> _Family | None:
    """The function by its one free constant; None where it has none or several, or is not linear in it."""
    constants = [one for one in symbols(node) if may_be_constant(one) and not mentions(case.question, one)]
    if len(constants) != 1:
        return None
    none, once, twice = (rename(node, {constants[0]: Num(number)}) for number in (0, 1, 2))
    factor = Add((once, negative(none)))
    try:
        linear = same_expression(Add((twice, negative(once))), factor, case.setting) is Same.EQUAL
        nothing = same_expression(factor, Num(0), case.setting) is not Same.DIFFERENT
    except (Unread, OverflowError):
        return None
    return _Family(none, factor) if linear and not nothing else None


def _are_proportional(one: Node, other: Node, name: str, case: Case) -> bool:
    """Is the other a constant times the one, as at some place?"""
    return any(_proportional_at(one, other, name, place, case) for place in (0, 1))


def _proportional_at(one: Node, other: Node, name: str, place: int, case: Case) -> bool:
    first, second = (rename(node, {name: Num(place)}) for node in (one, other))
    try:
        if same_expression(first, Num(0), case.setting) is not Same.DIFFERENT:
            return False
        return same_expression(Mul((other, first)), Mul((one, second)), case.setting) is Same.EQUAL
    except (Unread, OverflowError):
        return False


def _change_apart(one: Node, other: Node, name: str) -> bool:
    """Does the ratio of the two change near every place where both have a value?"""
    told = [found for start in _STARTS if (found := _changes(one, other, name, start)) is not None]
    return len(told) >= _LEAST and all(told)


def _changes(one: Node, other: Node, name: str, start: float) -> bool | None:
    """None where there is no telling: a ratio that jumps once may have another constant on each side."""
    values = []
    for number in range(3):
        point = {name: start + number * _STEP}
        try:
            pair = numeric.evaluate(one, point), numeric.evaluate(other, point)
        except numeric.NoValue:
            return None
        if not isinstance(pair[0], float) or not isinstance(pair[1], float) or not pair[0]:
            return None
        values.append(pair[1] / pair[0])
    return moves(values, max(map(abs, values)))
