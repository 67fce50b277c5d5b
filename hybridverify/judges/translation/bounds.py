"""Bounds in words and in signs. A translation must not reverse, open, close, add or drop one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from hybridverify.judges.translation.atoms import Atom

_INTERVAL = re.compile(r"([(\[\]])([^,;()\[\]]{1,40})[,;]([^,;()\[\]]{1,40})([)\]\[])")
_INFINITE = re.compile(r"\\infty|∞|\b(?:inf|infinity|oo)\b")
_CLOSED_SIGNS, _OPEN_SIGNS = ("<=", ">="), ("<", ">")
_NAMES = ("letter", "function")


class Bounds(NamedTuple):
    """The bounds that a text states: on which sides they are, and whether they belong to the range. Empty sets mean
    that nothing is said."""

    sides: frozenset[str]
    ends: frozenset[str]
    signs: bool
    """Whether a relation or an interval is written out."""


def bounds_differ(text: str, translation: str, translated: Sequence[Atom], source: Sequence[Atom]) -> str:
    """The reason against a translation whose bounds are not those of the text, or ""."""
    said, written = _bounds(text, translated), _bounds(translation, source)
    if not said.sides and not said.signs:
        return "invents a bound" if any(atom.kind == "bound" for atom in source) else ""
    if not written.signs:
        spoken = {atom[:2] for atom in translated if atom.kind == "bound"} <= {atom[:2] for atom in source}
        return "" if spoken else "drops a bound"
    if _apart(said.sides, written.sides):
        return "turns a bound round"
    return "opens or closes a bound" if _apart(said.ends, written.ends) else ""


def _apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both say something, and not the same."""
    return bool(one and other) and one != other


def _bounds(text: str, atoms: Sequence[Atom]) -> Bounds:
    sides: set[str] = set()
    ends: set[str] = set()
    signs = False
    for place, atom in enumerate(atoms):
        if atom.kind == "bound" and atom.value in _CLOSED_SIGNS + _OPEN_SIGNS:
            signs = True
            sides |= _side(atoms, place)
            ends.add("closed" if atom.value in _CLOSED_SIGNS else "open")
        elif atom.kind == "bound":
            sides |= {"up", "down"} if atom.value == "both" else {atom.value} & {"up", "down"}
            ends |= {atom.value} & {"open", "closed"}
        elif atom[:2] == ("word", "equal") and sides:
            ends.add("closed")
    for opening, low, high, closing in _INTERVAL.findall(text):
        signs = True
        finite = [(opening, low, "["), (closing, high, "]")]
        for name, (bracket, end, closed) in zip(("up", "down"), finite, strict=True):
            if not _INFINITE.search(end):
                sides.add(name)
                ends.add("closed" if bracket == closed else "open")
    return Bounds(frozenset(sides), frozenset(ends), signs)


def _side(atoms: Sequence[Atom], place: int) -> set[str]:
    """Whether the named side is the larger or the smaller one, so that `x > 3` and `3 < x` are equal. Nothing if both
    sides have names."""
    left = _has_name(atoms[:place][::-1])
    right = _has_name(atoms[place + 1 :])
    if left and right:
        return set()
    up = atoms[place].value in (">", ">=")
    return {"up" if up != right else "down"}


def _has_name(atoms: Sequence[Atom]) -> bool:
    """Whether a letter or function stands before the next relation."""
    side = takewhile(lambda atom: atom.kind != "bound", atoms)
    return any(atom.kind in _NAMES for atom in side)
