r"""Figures by the letters of their corners: `\triangle ABC`, "angle ABC", "quadrilateral ABCD"."""

from __future__ import annotations

from typing import NamedTuple

from hybridverify.maths.parsing.texts import without_commands

_KINDS = {
    **dict.fromkeys(("\\triangle", "\\Delta", "triangle"), "triangle"),
    **dict.fromkeys(("\\angle", "\\measuredangle", "angle"), "angle"),
    **dict.fromkeys(("\\overrightarrow", "ray"), "ray"),
    **dict.fromkeys(("\\overleftrightarrow", "line"), "line"),
    **dict.fromkeys(("\\overline", "segment", "side"), "segment"),
    **{
        name: name
        for name in ("quadrilateral", "parallelogram", "rectangle", "square", "rhombus", "trapezoid")
    },
    **{name: name for name in ("pentagon", "hexagon")},
}
_CORNERS = {"triangle": 3, "angle": 3, "ray": 2, "line": 2, "segment": 2, "pentagon": 5, "hexagon": 6}
_OF_SEGMENTS = ("side", "segment", "chord", "edge", "diameter", "hypotenuse", "diagonal")
_MAX = 60


class Figure(NamedTuple):
    """Its kind, and its corners in order."""

    kind: str
    corners: str

    def is_surely_other(self, other: Figure) -> bool:
        """Has it other corners? One line or ray has many names, and so has the angle of one vertex."""
        if self.kind in ("line", "ray"):
            return False
        if self.kind == "angle":
            return self.vertex != other.vertex
        return set(self.corners) != set(other.corners)

    @property
    def vertex(self) -> str:
        """The corner of an angle."""
        return self.corners[len(self.corners) // 2]

    def turned(self, any_order: bool) -> frozenset[str]:
        """The ways to write its corners. `any_order`: a triangle is named by them in whatever order."""
        if self.kind == "ray":
            return frozenset((self.corners,))
        if self.kind == "angle":
            return frozenset((self.corners, self.corners[::-1]))
        if self.kind == "triangle" and not any_order:
            return frozenset((self.corners,))
        starts = [self.corners[place:] + self.corners[:place] for place in range(len(self.corners))]
        return frozenset(starts) | {start[::-1] for start in starts}


def figure(text: str) -> Figure | None:
    r"""The figure that the text names, None for any other text.

    >>> figure(r"\triangle ABC"), figure("angle CBA"), figure("ABC")
    (Figure(kind='triangle', corners='ABC'), Figure(kind='angle', corners='CBA'), None)
    """
    if len(text) > _MAX or not (text[-1:].isupper() or text.endswith("}")):
        return None
    plain = " ".join(without_commands(text).replace("{", " ").replace("}", " ").split())
    name, _, corners = plain.rpartition(" ")
    kind = _KINDS.get(name.lower() if name[:1] != "\\" else name, "")
    if not kind or not corners.isalpha() or not corners.isupper() or len(set(corners)) < len(corners):
        return None
    return _figure(kind, corners)


def _figure(kind: str, corners: str) -> Figure | None:
    alone = kind == "angle" and len(corners) == 1
    return Figure(kind, corners) if alone or len(corners) == _CORNERS.get(kind, 4) else None


def named_as(told: Figure, text: str, question: str) -> Figure | None:
    """What the corners alone name beside a figure: DEF beside triangle DEF. One letter may be an option and a bar may
    be a negation, unless the question speaks of an angle or a side."""
    if not text.isalpha() or not text.isupper() or len(set(text)) < len(text):
        return None
    needed = ("angle",) if len(text) == 1 else _OF_SEGMENTS if told.kind == "segment" else ("",)
    return _figure(told.kind, text) if any(word in question.lower() for word in needed) else None
