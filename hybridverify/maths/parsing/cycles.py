r"""Permutations in cycle notation: `(1\ 3\ 2)`, `(12)(345)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_GAPS = str.maketrans({"~": " ", ";": " "})
_MAX = 300


class Permutation(NamedTuple):
    """Where each moved number goes, and how many cycles were written."""

    moves: frozenset[tuple[str, str]]
    cycles: int


def permutation(text: str) -> Permutation | None:
    r"""The permutation of disjoint cycles that the text writes, None for any other text.

    >>> permutation(r"(1\,2)(3\,4\,5)") == permutation("(453)(21)"), permutation("(1 2)(2 3)"), permutation("(1 1)")
    (True, None, None)
    """
    if not text.startswith("(") or len(text) > _MAX:
        return None
    plain = text.replace("\\left", "").replace("\\right", "").replace("\\cdot", "")
    for gap in ("\\,", "\\;", "\\:", "\\ ", "\\quad"):
        plain = plain.replace(gap, " ")
    plain = plain.translate(_GAPS)
    opened, *written = plain.split("(")
    cycles = [_elements(cycle.strip()) for cycle in written]
    moved = [element for cycle in cycles for element in cycle]
    if opened.strip() or not all(cycles) or len(set(moved)) < len(moved):
        return None
    return Permutation(frozenset(_moves(cycles)), len(cycles))


def _moves(cycles: Sequence[list[str]]) -> Iterator[tuple[str, str]]:
    for cycle in cycles:
        if len(cycle) > 1:
            yield from zip(cycle, [*cycle[1:], cycle[0]], strict=True)


def _elements(cycle: str) -> list[str]:
    """The numbers of a cycle; digits in one run are a number each. Nothing where something else stands there."""
    parts = cycle.removesuffix(")").replace(",", " ").split()
    if not cycle.endswith(")") or not all(part.isdecimal() for part in parts):
        return []
    return [*parts[0]] if len(parts) == 1 else parts
