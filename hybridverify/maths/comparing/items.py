"""The items of a value that holds several, and what it proves that some of them have no partner in another value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from hybridverify.language.lexicon.phrases import phrases
from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.comparing.label_rules import labelled
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.parsing.reading import reference_reading
from hybridverify.maths.values.kinds import (
    Degrees,
    Dots,
    FiniteSet,
    Letter,
    Listing,
    Matrix,
    Money,
    Named,
    Percent,
    Quantity,
    Relation,
    Scalar,
    Tuple,
    Value,
)

SINGLES = (Scalar, Percent, Money, Quantity, Degrees)
_MAX_QUESTION = 20_000
_MAX_EQUATION = 200
_SOLVES = phrases("phrases", "solving")
"""Solving is finding all solutions."""


def without_name(value: Value) -> Value:
    """The value of `x = 3`, any other as it is."""
    return value.value if isinstance(value, Named) else value


def items_of(value: Value) -> list[Value] | None:
    """The items of a value, those of lists in it for themselves; None where it is no collection of values."""
    if isinstance(value, Named):
        return items_of(value.value)
    if isinstance(value, Matrix):
        return None if value.determinant else [*chain(*value.rows)]
    if isinstance(value, (Listing, FiniteSet)):
        return _items_of_list(value.items)
    if isinstance(value, Tuple):
        return None if any(isinstance(item, Dots) for item in value.items) else [*value.items]
    return [value] if isinstance(value, SINGLES) else None


def _items_of_list(items: Sequence[Value]) -> list[Value] | None:
    found: list[Value] = []
    for item in items:
        nested = _nested(item)
        if nested is None:
            return None
        found += nested
    return found


def _nested(item: Value) -> list[Value] | None:
    """An item itself, those of a list in a list; None for a letter of a choice and for dots."""
    if isinstance(item, (Dots, Letter)):
        return None
    inner = without_name(item)
    return items_of(inner) if isinstance(inner, Listing) else [item]


def proves(left: Value, right: Value, lost: list[bool], added: list[bool], case: Case) -> bool:
    """Do items without a partner prove the difference? Where one side only has more, the question may want that."""
    if all(lost) or all(added):
        return True
    if _has_free_signs(left) != _has_free_signs(right):
        return False
    if any(added):
        return any(lost) or _are_too_many(left, right, case)
    return any(lost) and _are_too_few(left, right, case)


def _are_too_many(left: Value, right: Value, case: Case) -> bool:
    """Is an answer wrong that has all of the reference, and more?"""
    if isinstance(right, Listing) and labelled(right):
        return False
    if isinstance(left, (Listing, FiniteSet)):
        return True
    return asks_all(case) and isinstance(right, (Listing, FiniteSet))


def _are_too_few(left: Value, right: Value, case: Case) -> bool:
    """Is an answer wrong that has only some of the reference? A set is told as a whole."""
    if isinstance(left, FiniteSet) and isinstance(right, FiniteSet):
        return True
    if not isinstance(left, (Listing, FiniteSet)):
        return False
    return (isinstance(left, Listing) and "pm" in left.separators) or asks_all(case)


def _has_free_signs(value: Value) -> bool:
    """`(\\pm 1, \\pm 2)` may be two points or four; one number behind a sign is two numbers."""
    return (
        isinstance(value, Listing)
        and "pm" in value.separators
        and (any(isinstance(item, Tuple) for item in value.items))
    )


def asks_all(case: Case) -> bool:
    """Does the question want all that there are?"""
    if case.speaks_of("all") or _SOLVES.search(case.question[:_MAX_QUESTION]):
        return True
    return _is_equation(case.question.strip(" $."), case)


def _is_equation(question: str, case: Case) -> bool:
    """A question that is nothing but an equation with a number on its right asks for its solutions."""
    if "=" not in question or len(question) > _MAX_EQUATION:
        return False
    told = reference_reading(question, case.conventions).value
    return isinstance(told, Relation) and told.operators == ("=",) and not symbols(told.sides[1])
