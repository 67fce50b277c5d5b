"""Chains such as `a > b > c`: two that put the same things in opposite orders cannot both hold."""

from __future__ import annotations

from itertools import combinations

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Node
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.values.kinds import Relation

_FALLING = frozenset((">", ">="))
_RISING = frozenset(("<", "<="))
_STRICT = frozenset((">", "<"))
_MAX_SIDES = 8
_NEAR = 1e-6
"""Far above what floating point loses."""


def orders_apart(left: Relation, right: Relation, case: Case) -> bool:
    """Do two chains contradict one another on some two of their sides?"""
    mine, theirs = _falling(left), _falling(right)
    if mine is None or theirs is None or len(mine[0]) != len(theirs[0]):
        return False
    places = _places(mine[0], theirs[0], case)
    if places is None:
        return False
    for one, other in combinations(range(len(mine[0])), 2):
        first, second = places[one], places[other]
        if second < first and (any(mine[1][one:other]) or any(theirs[1][second:first])):
            return True
    return False


def _falling(chain: Relation) -> tuple[tuple[Node, ...], tuple[bool, ...]] | None:
    """The sides from the largest to the smallest, and which of the signs between them are strict."""
    signs = frozenset(chain.operators)
    if not 1 < len(chain.sides) <= _MAX_SIDES or not (signs <= _FALLING or signs <= _RISING):
        return None
    strict = tuple(sign in _STRICT for sign in chain.operators)
    return (chain.sides, strict) if signs <= _FALLING else (chain.sides[::-1], strict[::-1])


def _places(mine: tuple[Node, ...], theirs: tuple[Node, ...], case: Case) -> list[int] | None:
    """Where each side of the one stands in the other; None where one of them stands nowhere, or in two places."""
    places = []
    for side in mine:
        found = [place for place, other in enumerate(theirs) if _are_one(side, other, case)]
        if len(found) != 1:
            return None
        places.append(found[0])
    return places if len(set(places)) == len(places) else None


def _are_one(left: Node, right: Node, case: Case) -> bool:
    """Are they equal? Numbers that are far apart need no proof."""
    one, other = numeric.constant(left), numeric.constant(right)
    if one is not None and other is not None and abs(one - other) > _NEAR * max(1.0, abs(one), abs(other)):
        return False
    return same_expression(left, right, case.setting) is Same.EQUAL
