"""Amounts that a question states: whoever gives one of them back has converted nothing."""

from __future__ import annotations

import math
from functools import lru_cache

from hybridverify.conventions import DEFAULT
from hybridverify.language import expressions as re
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.parsing.reading import reading_of
from hybridverify.maths.values.kinds import Quantity, Scalar

_AMOUNT = re.compile(
    r"(?<![\w.,/])(\d[\d,]{0,15}(?:\.\d{1,12})?(?:\s?/\s?\d{1,4}|\s\d{1,3}/\d{1,4}|\s?\\frac\{\d{1,3}\}\{\d{1,3}\})?)"
    r"((?:[\s~]|\\[,;: ]){0,3}(?:[^\s,.;:?!\d][^\s,;:?!]{0,25})(?: [^\s,.;:?!\d][^\s,;:?!]{0,25}){0,4})"
)
_COMPOUND = re.compile(
    r"(?<![\w.,/])\d{1,6}\s?(?:[a-zA-Z]{1,12}|'|°)(?:,? and |,? )?\d{1,6}\s?(?:[a-zA-Z]{1,12}|\"|')(?![a-zA-Z])"
)
"""`3 h 20 min`, `5 dollars and 25 cents`."""
_MAX_QUESTION = 20_000
_MAX_AMOUNTS = 40
_SAME = 1e-9
"""A root that is worked out is the number of the question up to this share."""


def is_stated(value: Quantity, question: str) -> bool:
    """Does the question itself hold the quantity, in whatever spelling of its unit?

    >>> value = reading_of("2.7 g/cm^3", DEFAULT).value
    >>> is_stated(value, "It has 2.7 grams per cubic centimeter."), is_stated(value, "2.7 kg, 1 cm")
    (True, False)
    """
    number = constant(value.value.node)
    if number is None:
        return False
    unit = (value.unit.dimension, value.unit.factor)
    return any(
        unit == kind and math.isclose(amount, number, rel_tol=_SAME) for amount, kind in _amounts(question)
    )


@lru_cache(maxsize=256)
def _amounts(question: str) -> tuple[tuple[float, object], ...]:
    """Each number with each unit that the words after it may spell."""
    found: list[tuple[float, object]] = []
    for match in list(_AMOUNT.finditer(question[:_MAX_QUESTION]))[:_MAX_AMOUNTS]:
        words = match[2].replace("$", " ").split()
        for end in range(1, len(words) + 1):
            amount = _measured(f"{match[1]} {' '.join(words[:end]).rstrip('.)')}")
            number = None if amount is None else constant(amount.value.node)
            if amount is not None and number is not None:
                found.append((number, (amount.unit.dimension, amount.unit.factor)))
    compounds = map(_measured, _COMPOUND.findall(question[:_MAX_QUESTION])[:_MAX_AMOUNTS])
    found += [
        (constant(one.value.node) or 0.0, (one.unit.dimension, one.unit.factor)) for one in compounds if one
    ]
    return tuple(found)


def _measured(text: str) -> Quantity | None:
    value = reading_of(text, DEFAULT).value
    if isinstance(value, Scalar):
        return value.measured
    return value if isinstance(value, Quantity) else None
