"""Units of the international system with their prefixes, as symbols and as words: mA, kΩ, keV, megametre.

A symbol is told by its case: mA is a milliampere, MA a megaampere, and Ma nothing. Names of whole units that the
general table has (metre, watt) are read there.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hybridverify.language.word_forms import singular
from hybridverify.maths.units.table import UNITS


class Measure(NamedTuple):
    """A unit: its kind, its size in base units, and its name in full."""

    kind: str
    size: Fraction
    name: str


_F = Fraction
NAMES: dict[str, tuple[str, Fraction]] = {
    "ampere": ("current", _F(1)),
    "amp": ("current", _F(1)),
    "coulomb": ("charge", _F(1)),
    "farad": ("capacitance", _F(1)),
    "henry": ("inductance", _F(1)),
    "tesla": ("induction", _F(1)),
    "weber": ("flux", _F(1)),
    "siemens": ("conductance", _F(1)),
    "becquerel": ("becquerel", _F(1)),
    "watthour": ("energy", _F(3600)),
    "tonne": ("mass", _F(1000)),
    "calorie": ("calorie", _F(1)),
    "electronvolt": ("energy", _F("1.602176634e-19")),
    "bar": ("pressure", _F(100_000)),
    "gauss": ("induction", _F("0.0001")),
    "molar": ("molarity", _F(1000)),
    "bit": ("data", _F(1)),
    "byte": ("data", _F(8)),
    "bps": ("datarate", _F(1)),
}
_ALSO = (
    "meter",
    "metre",
    "gram",
    "second",
    "kelvin",
    "mole",
    "hertz",
    "newton",
    "pascal",
    "joule",
    "watt",
    "volt",
)
_WHOLE = (*_ALSO, "ohm", "liter", "litre", "hour", "angstrom")
_SYMBOLS = {
    "m": "meter", "g": "gram", "s": "second", "A": "ampere", "K": "kelvin", "mol": "mole", "Hz": "hertz",
    "N": "newton", "Pa": "pascal", "J": "joule", "W": "watt", "V": "volt", "C": "coulomb", "F": "farad",
    "Omega": "ohm", "Ω": "ohm", "ohm": "ohm", "Ohm": "ohm", "S": "siemens", "Wb": "weber", "T": "tesla", "H": "henry",
    "L": "liter", "l": "liter", "eV": "electronvolt", "Bq": "becquerel", "cal": "calorie", "t": "tonne",
    "Wh": "watthour", "bar": "bar", "M": "molar", "B": "byte", "b": "bit", "bit": "bit", "bps": "bps", "Å": "angstrom",
}  # fmt: skip
_SIGNS = {
    "T": "tera", "G": "giga", "M": "mega", "k": "kilo", "m": "milli", "u": "micro", "µ": "micro", "n": "nano",
    "p": "pico", "f": "femto",
}  # fmt: skip
_BINARY = {"Ki": "kibi", "Mi": "mebi", "Gi": "gibi", "Ti": "tebi"}
_FURTHER = {
    "meter": {"c": "centi", "d": "deci", "h": "hecto", "da": "deca"},
    "gram": {"c": "centi", "d": "deci"},
    "liter": {"c": "centi", "d": "deci", "h": "hecto"},
    "pascal": {"h": "hecto"},
    "byte": {"K": "kilo", **_BINARY},
    "bit": _BINARY,
}
"""Prefixes that only these units have in use."""
_UPWARDS = frozenset(("bit", "byte", "bps"))
_LARGE = frozenset(("kilo", "mega", "giga", "tera", "peta", *_BINARY.values()))
"""Of a byte there are no parts."""
_POWERS = {
    "exa": 18, "peta": 15, "tera": 12, "giga": 9, "mega": 6, "kilo": 3, "hecto": 2, "deca": 1, "deci": -1,
    "centi": -2, "milli": -3, "micro": -6, "nano": -9, "pico": -12, "femto": -15, "atto": -18,
}  # fmt: skip
_SIZES = {name: _F(10) ** power for name, power in _POWERS.items()} | {
    name: _F(1024) ** power for power, name in enumerate(_BINARY.values(), 1)
}
_SHORTENED = {"kilohm": "kiloohm", "megohm": "megaohm"}
_OTHERWISE = frozenset(("pH", "fl", "pt", "ft", "nt", "mt", "ut", "pg", "B", "b", "kM", "MM", "GM", "TM"))
"""Symbols that are something else, or nothing: acidity, fluid ounces, pints, feet, pages; a billion."""
OTHER_MEANINGS = {
    "c": ("celsius", Measure("charge", _F(1), "coulomb")),
    "f": ("fahrenheit", Measure("capacitance", _F(1), "farad")),
}
"""Letters that the general table takes for degrees of temperature."""


@lru_cache(maxsize=1024)
def measure_of(text: str) -> Measure | None:
    """The unit of a symbol or of a word, None where it is none of the system.

    >>> measure_of("mA"), measure_of("MA").size, measure_of("Ma"), measure_of("megametres").name
    (Measure(kind='current', size=Fraction(1, 1000), name='milliampere'), Fraction(1000000, 1), None, 'megametre')
    """
    return _of_symbol(text) or _of_word(text)


def _of_symbol(text: str) -> Measure | None:
    if text in _OTHERWISE or len(text) > 7:
        return None
    if text in _SYMBOLS:
        return _whole(_SYMBOLS[text])
    for size in (1, 2):
        name = _SYMBOLS.get(text[size:], "")
        prefix = _SIGNS.get(text[:size]) or _FURTHER.get(name, {}).get(text[:size])
        if name and prefix:
            return _prefixed(prefix, name)
    return None


def _of_word(text: str) -> Measure | None:
    low = _SHORTENED.get(singular(text), text.lower())
    if len(low) < 3:
        return None
    found = _whole(low) or _whole(singular(low))
    if found is not None:
        return found
    for prefix in _SIZES:
        if low.startswith(prefix):
            rest = low[len(prefix) :]
            return _prefixed(prefix, rest) or _prefixed(prefix, singular(rest))
    return None


def _whole(name: str) -> Measure | None:
    if name in NAMES:
        return Measure(*NAMES[name], name)
    return Measure(*UNITS[name], name) if name in _WHOLE else None


def _prefixed(prefix: str, name: str) -> Measure | None:
    unit = _whole(name)
    if unit is None or (name in _UPWARDS and prefix not in _LARGE):
        return None
    return Measure(unit.kind, unit.size * _SIZES[prefix], prefix + name)


@lru_cache(maxsize=4096)
def size_of(word: str) -> tuple[str, Fraction] | None:
    """Kind and size of a unit by its name in small letters, from either table."""
    found = UNITS.get(word)
    if found is None and len(word) > 2:
        measure = _of_word(word)
        return measure and (measure.kind, measure.size)
    return found
