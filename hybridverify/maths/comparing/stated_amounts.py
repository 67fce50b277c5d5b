"""Amounts that a question states: whoever gives one of them back has converted nothing."""

from __future__ import annotations

import math
from functools import lru_cache

from hybridverify.conventions import DEFAULT
from hybridverify.language import expressions as re
from hybridverify.language.word_forms import singular
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.parsing.reading import reading_of
from hybridverify.maths.units.measures import is_physical
from hybridverify.maths.units.si import size_of
from hybridverify.maths.values.kinds import Quantity, Scalar, Unit

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
_LONGEST_SYMBOL = 3
_BEFORE_UNITS, _MOST_WORDS, _STOPS = frozenset(("in", "(in", "[in", "In", "many")), 3, ".,;:?!)]"
"""What stands before the name of a unit, and the words that such a name has."""
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
def units_asked(question: str) -> tuple[Unit, ...]:
    """The units that the question names for a number: `in m/s`, `how many yards`.

    >>> [unit.factor for unit in units_asked("Find its length (in nm).")]
    [Fraction(1, 1000000000)]
    """
    words = question[:_MAX_QUESTION].replace("$", " ").split()
    found: dict[object, Unit] = {}
    for at, word in enumerate(words[:-1]):
        if word not in _BEFORE_UNITS or len(found) > _MAX_AMOUNTS:
            continue
        unit = _unit_of(words[at + 1 : at + 1 + _MOST_WORDS])
        if unit is not None and unit.known:
            found[unit.dimension, unit.factor] = unit
    return tuple(found.values())


def measures_another(unit: Unit, question: str) -> bool:
    """Does the question ask for units of one base each, and is this another one: `2.5 kg` where metres are asked for,
    and `120 hours` where minutes are?"""
    if not question or not _is_base(unit) or not is_physical(unit):
        return False
    asked = units_asked(question)
    own = unit.dimension, unit.factor
    return bool(asked) and all(_is_base(one) and (one.dimension, one.factor) != own for one in asked)


def _is_base(unit: Unit) -> bool:
    return len(unit.dimension) == 1 and unit.dimension[0][1] == 1


def _may_be_unit(word: str) -> bool:
    """A quick look: a name of a unit, a symbol with a capital, or signs between letters."""
    if not word.isalpha():
        return word[:1].isalpha() or word[:1] == "\\"
    symbol = len(word) <= _LONGEST_SYMBOL and not word.islower()
    return symbol or size_of(word) is not None or size_of(singular(word)) is not None


def _unit_of(words: list[str]) -> Unit | None:
    """The unit that the longest of these phrases names: the words up to a stop, and the same with fewer of them."""
    first = words[0].strip(_STOPS + "([")
    if not _may_be_unit(first) or _measured(f"1 {first}") is None:
        return None
    stop = next((at for at, word in enumerate(words, 1) if word[-1] in _STOPS), len(words))
    named = (_measured("1 " + " ".join(words[:end]).strip(_STOPS + "([")) for end in range(stop, 0, -1))
    return next((amount.unit for amount in named if amount), None)


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
