"""What was found out of a node is remembered: a comparison asks the same of the same tree many times."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Node = TypeVar("Node")
Found = TypeVar("Found")
Third = TypeVar("Third")
_MOST = 2048
"""Trees of the readings at hand; those of a group's reference are asked for by every response."""


def remembered(find: Callable[[Node], Found]) -> Callable[[Node], Found]:
    """The function, run once for each object, which must never change.

    Objects are told apart by identity: to hash a tree costs as much as to walk it. What is remembered holds its
    object, so no other one can get its identity.
    """
    known: dict[int, tuple[Any, Found]] = {}

    @wraps(find)
    def told(node: Node) -> Found:
        entry = known.get(id(node))
        if entry is not None:
            return entry[1]
        found = find(node)
        if len(known) >= _MOST:
            known.clear()
        known[id(node)] = (node, found)
        return found

    return told


def remembered_of_two(
    find: Callable[[Node, Node, Third], Found],
) -> Callable[[Node, Node, Third], Found]:
    """As above, of two objects under a third: several rules ask whether the same two expressions are equal."""
    known: dict[tuple[int, int, int], tuple[Any, Any, Any, Found]] = {}

    @wraps(find)
    def told(one: Node, other: Node, under: Third) -> Found:
        key = (id(one), id(other), id(under))
        entry = known.get(key)
        if entry is not None:
            return entry[3]
        found = find(one, other, under)
        if len(known) >= _MOST:
            known.clear()
        known[key] = (one, other, under, found)
        return found

    return told
