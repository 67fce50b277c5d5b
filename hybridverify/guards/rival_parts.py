r"""Another value beside that of the reference: "12 kg or 15 kg", `35 \approx 21`, "(2, 3) if n is even, else (3, 2)".

value_parts.py cuts the answer. One part that the rules prove to be the reference, and another of the same kind that
they prove to be none, are two answers. Steps of a calculation are equal, and what is read as no value (`15 of them are
boys`) is no rival.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hybridverify.conventions import Conventions
from hybridverify.guards.value_parts import cuts
from hybridverify.maths import answer_reading, compare, reference_reading
from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.values.kinds import (
    Clock,
    Date,
    Degrees,
    FiniteSet,
    Matrix,
    Money,
    Named,
    Percent,
    Proportion,
    Quantity,
    RealSet,
    Scalar,
    Tuple,
    Value,
)

_KINDS = (
    Scalar,
    Quantity,
    Money,
    Percent,
    Degrees,
    Proportion,
    Clock,
    Date,
    Tuple,
    RealSet,
    Matrix,
    FiniteSet,
)
"""What holds one answer, and is proved to be another by its value."""
_MAX_ANSWER = 300
_STEPS = ("=", "≈", "≡", "/", "\\approx", "\\equiv")
"""Signs of a calculation: what stands beside one may be the same expression in a form that is not proved to be."""


def holds_rival(answer: str, references: Sequence[str], question: str, conventions: Conventions) -> bool:
    r"""Whether one part of a short answer is the reference, and another part is another value of its kind.

    >>> from hybridverify.conventions import DEFAULT
    >>> [holds_rival(text, ["35"], "", DEFAULT) for text in ("35 vs 21", "35 = 21", "70/2 = 35", "35 (15 boys)")]
    [True, True, False, False]
    """
    values = _values(references, conventions) if len(answer) <= _MAX_ANSWER else []
    if not values:
        return False
    formulas = () if any(map(answer.__contains__, _STEPS)) else values
    for parts in cuts(answer, question, measured=Quantity in map(type, values)):
        told = [_Told.of(part, references, question, conventions) for part in parts]
        if any(_is_like(one.part, values, conventions) for one in _others(told, formulas, conventions)):
            return True
    return False


def _values(references: Sequence[str], conventions: Conventions) -> list[Value]:
    """The values of the references, or none where one is of no such kind."""
    values = [reference_reading(one, conventions).value for one in references]
    return values if all(isinstance(value, _KINDS) for value in values) else []


class _Told(NamedTuple):
    """A part, what it is said to be the value of, and how it compares with the references."""

    part: str
    name: str
    outcomes: frozenset[str]

    @classmethod
    def of(cls, part: str, references: Sequence[str], question: str, conventions: Conventions) -> _Told:
        found = frozenset(compare(one, part, question, conventions).outcome for one in references)
        return cls(part, _name(part, conventions), found)


def _others(told: Sequence[_Told], formulas: Sequence[Value], conventions: Conventions) -> list[_Told]:
    """The parts that are another value, or another of `formulas`, under a name of the reference, "" for none."""
    names = {one.name for one in told if "equal" in one.outcomes}
    return [
        one
        for one in told
        if one.name in names
        and (
            one.outcomes == {"different"}
            or ("equal" not in one.outcomes and _is_formula(one.part, formulas, conventions))
        )
    ]


def _is_formula(part: str, values: Sequence[Value], conventions: Conventions) -> bool:
    """Whether a part and a value are expressions in the same letters, which may be equal without our knowing."""
    letters = _letters(answer_reading(part, conventions).value)
    return bool(letters) and any(_letters(value) == letters for value in values)


def _name(part: str, conventions: Conventions) -> str:
    """What a part is said to be the value of: with `x = 2`, `y = 3` is no rival."""
    value = answer_reading(part, conventions).value
    return value.name if isinstance(value, Named) else ""


def _is_like(part: str, values: Sequence[Value], conventions: Conventions) -> bool:
    """Is a part of the kind of one of the values, in letters if that one is?"""
    other = answer_reading(part, conventions).value
    other = other.value if isinstance(other, Named) else other
    return any(type(other) is type(value) and _has_letters(other) == _has_letters(value) for value in values)


def _has_letters(value: Value) -> bool:
    return bool(_letters(value))


def _letters(value: Value) -> frozenset[str]:
    return frozenset(symbols(value.node)) if isinstance(value, Scalar) else frozenset()
