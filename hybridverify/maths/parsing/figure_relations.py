r"""What holds between two figures: `AB \parallel CD`, "AB is perpendicular to CD", `△ABC \cong △DEF`."""

from __future__ import annotations

from typing import NamedTuple

_RELATIONS = {
    "parallel": ("\\parallel", "∥", "//", " is parallel to ", " || "),
    "perpendicular": ("\\perp", "⊥", " is perpendicular to "),
    "congruent": ("\\cong", "≅", " is congruent to "),
    "similar": ("\\sim", "∽", "~", " is similar to "),
}
_QUICK = frozenset(("paral", "∥", "//", "||", "perp", "⊥", "cong", "≅", "sim", "∽", "~"))
_MARKS = (
    "\\triangle",
    "\\overline",
    "\\overleftrightarrow",
    "\\text",
    "triangle",
    "line",
    "segment",
    "side",
    "△",
)
_OF_LINES = ("parallel", "perpendicular")
_MAX = 100


class FigureRelation(NamedTuple):
    """Its name, and what it says whichever figure stands first: two lines, or the corners that belong together."""

    name: str
    pairs: frozenset[frozenset[str]]

    def excludes(self, other: FigureRelation) -> bool:
        """Can the two not hold of the same figures?"""
        return {self.name, other.name} == set(_OF_LINES)


def figure_relation(text: str) -> FigureRelation | None:
    r"""The relation that the text states, None for any other text.

    >>> figure_relation(r"AB \parallel CD") == figure_relation("DC is parallel to AB")
    True
    >>> figure_relation("△ABC ≅ △DEF") == figure_relation("△EFD ≅ △BCA"), figure_relation("AB = CD")
    (True, None)
    """
    if len(text) > _MAX or not any(map(text.__contains__, _QUICK)):
        return None
    for name, spellings in _RELATIONS.items():
        sign = next((one for one in spellings if one in text), "")
        if sign:
            one, _, other = text.partition(sign)
            return _related(name, _corners(one), _corners(other))
    return None


def _corners(text: str) -> str:
    """The capitals that name a figure, "" where anything else stands there."""
    for mark in _MARKS:
        text = text.replace(mark, "")
    told = text.strip(" $.{}")
    return told if told.isalpha() and told.isupper() and len(set(told)) == len(told) else ""


def _related(name: str, one: str, other: str) -> FigureRelation | None:
    if not one or not other:
        return None
    if name in _OF_LINES:
        alike = len(one) == len(other) == 2
        return FigureRelation(name, frozenset(map(frozenset, (one, other)))) if alike else None
    if len(one) != len(other) or len(one) < 3:
        return None
    first, second = sorted((one, other), key=sorted)
    return FigureRelation(name, frozenset(map(frozenset, zip(first, second.lower(), strict=True))))
