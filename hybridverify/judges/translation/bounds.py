"""Bounds in words and in signs. A translation must not reverse, open, close, add or drop one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from hybridverify.judges.translation.atoms import Atom
from hybridverify.language import expressions as re
from hybridverify.language.pieces import runs

_INTERVAL = re.compile(r"([(\[\]])([^,;()\[\]]{1,40})[,;]([^,;()\[\]]{1,40})([)\]\[])")
_INFINITY = frozenset(("infty", "inf", "infinity", "oo"))
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
        return "invents a bound" if _of_bounds(source) else ""
    if not written.signs:
        return "" if _all_spoken(translated, source) and not _has_square(text) else "drops a bound"
    if _apart(said.sides, written.sides):
        return "turns a bound round"
    return "opens or closes a bound" if _apart(said.ends, written.ends) else ""


def _of_bounds(atoms: Sequence[Atom]) -> set[tuple[str, str]]:
    return {(atom.kind, atom.value) for atom in atoms if atom.kind == "bound"}


def _all_spoken(translated: Sequence[Atom], source: Sequence[Atom]) -> bool:
    """Whether the translation states each bound in the same words."""
    return _of_bounds(translated) <= _of_bounds(source)


def _has_square(text: str) -> bool:
    """Whether two values stand between brackets of which one is square, as those of an interval may be; not the rows
    of a matrix."""
    return "[[" not in text and any(
        opening != "(" or closing != ")" for opening, _, _, closing in _INTERVAL.findall(text)
    )


def _apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both say something, and not the same."""
    return bool(one and other) and one != other


def _bounds(text: str, atoms: Sequence[Atom]) -> Bounds:
    sides: set[str] = set()
    ends: set[str] = set()
    for place, atom in enumerate(atoms):
        if atom.kind == "bound":
            sides |= _sides_of(atoms, place)
            ends |= _ends_of(atom)
        elif atom[:2] == ("word", "equal") and sides:
            ends.add("closed")
    intervals = _INTERVAL.findall(text)
    for name, end in (limit for interval in intervals for limit in _limits(*interval)):
        sides.add(name)
        ends.add(end)
    return Bounds(frozenset(sides), frozenset(ends), bool(intervals) or any(map(_is_relation, atoms)))


def _is_relation(atom: Atom) -> bool:
    return atom.kind == "bound" and atom.value in _CLOSED_SIGNS + _OPEN_SIGNS


def _sides_of(atoms: Sequence[Atom], place: int) -> set[str]:
    """The sides of a bound in signs or in words."""
    if _is_relation(atoms[place]):
        return _side(atoms, place)
    value = atoms[place].value
    return {"up", "down"} if value == "both" else {value} & {"up", "down"}


def _ends_of(atom: Atom) -> set[str]:
    """Whether a bound in signs or in words belongs to its range, if it says so."""
    if _is_relation(atom):
        return {"closed" if atom.value in _CLOSED_SIGNS else "open"}
    return {atom.value} & {"open", "closed"}


def _limits(opening: str, low: str, high: str, closing: str) -> list[tuple[str, str]]:
    """The finite limits of an interval: their sides and ends."""
    limits = [("up", low, opening == "["), ("down", high, closing == "]")]
    return [
        (name, "closed" if closed else "open")
        for name, value, closed in limits
        if "∞" not in value and _INFINITY.isdisjoint(runs(value))
    ]


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
