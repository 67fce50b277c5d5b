"""What an answer can be: one frozen class for each kind. compare.py has one table over pairs of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from hybridverify.maths.algebra.nodes import INFINITY, Node, is_infinite
from hybridverify.maths.values.single import (
    BaseNumber,
    Clock,
    Date,
    Degrees,
    Letter,
    Money,
    Percent,
    Quantity,
    Scalar,
    Text,
    Unit,
    Unreadable,
)


@dataclass(frozen=True, slots=True)
class Proportion:
    """`5:8`, `1:2:3`."""

    parts: tuple[Value, ...]
    spoken: bool = field(default=False, compare=False)
    """`5 to 8`, which may be a range as well."""


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(a, b)`, and with other brackets or as an interval `[a, b)`."""

    items: tuple[Value, ...]
    opening: str = "("
    closing: str = ")"

    @property
    def round(self) -> bool:
        """Both brackets are round."""
        return self.opening == "(" and self.closing == ")"


@dataclass(frozen=True, slots=True)
class Listing:
    """A bare list; the separators (`,` `;` `and` `or` `pm`) are kept."""

    items: tuple[Value, ...]
    separators: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """`{a, b}`."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of scalars; `determinant` for vertical bars."""

    rows: tuple[tuple[Scalar, ...], ...]
    determinant: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval; a point is closed with equal ends."""

    low: Node
    low_closed: bool
    high: Node
    high_closed: bool


@dataclass(frozen=True, slots=True)
class RealSet:
    """A union of intervals and points, in order; `name` is the variable of an inequality, `solved` whether it stood
    alone there: `x > 3`, not `2x > 6`."""

    pieces: tuple[Piece, ...]
    name: str = ""
    solved: bool = field(default=True, compare=False)
    polynomial: bool = field(default=False, compare=False)
    """It was `x^2 > 4`: what is left to do is the whole work."""


@dataclass(frozen=True, slots=True)
class NumberSet:
    """R, Z, Q, N or C, with its suffix."""

    name: str


@dataclass(frozen=True, slots=True)
class SetExpression:
    """`A \\cup B` over named sets, operands sorted where the operation commutes."""

    operation: str
    operands: tuple[Value, ...]


TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The sign with its sides exchanged, where that is another one."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A chain of sides with `=`, `<`, `<=`, `!=` between them that is neither a name's value nor a set."""

    sides: tuple[Node, ...]
    operators: tuple[str, ...]
    written: str = field(default="", compare=False)
    """The left side as it stands, to look for it in the question."""


@dataclass(frozen=True, slots=True)
class Named:
    """`x = 5`, `f(x) = 2x`, `x \\in [0, 1]`: a name, its parameters, the value."""

    name: str
    parameters: tuple[str, ...]
    value: Value
    node: Node | None = None
    """The left side as an expression, to compare with equations."""
    word: bool = False
    """The label is made of words (`Minimum: 3`)."""


@dataclass(frozen=True, slots=True)
class Congruence:
    """`a = r (mod m)`."""

    left: Node
    residue: Node
    modulus: Node


@dataclass(frozen=True, slots=True)
class Cases:
    """A function in pieces: each value with its condition, which is empty for `otherwise`."""

    pieces: tuple[tuple[Value, Value | None], ...]


@dataclass(frozen=True, slots=True)
class Rough:
    """`\\approx 5`: an integer or exact value that is only near."""

    value: Value


@dataclass(frozen=True, slots=True)
class Qualified:
    """A value with its condition: `k\\pi, k \\in \\mathbb{Z}`, `f(x)=x for all x`. `text` is canonical."""

    value: Value
    text: str
    integers: frozenset[str] = frozenset()
    """Names that the condition declares as integers."""
    constants: frozenset[str] = frozenset()
    """Names that the condition declares as free constants."""
    domain: frozenset[str] = frozenset()
    """The number sets and restrictions in it."""
    harmless: bool = False
    """The condition repeats a whole number set or says `for all x`."""


@dataclass(frozen=True, slots=True)
class Dots:
    """An ellipsis in a list."""


Value: TypeAlias = (
    Unreadable
    | Scalar
    | Percent
    | Degrees
    | Quantity
    | Money
    | BaseNumber
    | Proportion
    | Clock
    | Date
    | Letter
    | Text
    | Tuple
    | Listing
    | FiniteSet
    | Matrix
    | RealSet
    | NumberSet
    | SetExpression
    | Relation
    | Named
    | Congruence
    | Qualified
    | Cases
    | Rough
    | Dots
)

__all__ = [
    "BaseNumber",
    "Cases",
    "Clock",
    "Congruence",
    "Date",
    "Degrees",
    "Dots",
    "FiniteSet",
    "INFINITY",
    "Letter",
    "Listing",
    "Matrix",
    "Money",
    "Named",
    "NumberSet",
    "Percent",
    "Piece",
    "Proportion",
    "Qualified",
    "Quantity",
    "RealSet",
    "Relation",
    "Rough",
    "Scalar",
    "SetExpression",
    "Text",
    "Tuple",
    "Unit",
    "Unreadable",
    "Value",
    "is_infinite",
]
