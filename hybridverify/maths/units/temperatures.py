"""Temperatures in kelvin, degrees Celsius and degrees Fahrenheit: three scales with three zeros."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.values.kinds import Unit

_F = Fraction
_SCALES = {
    "kelvin": (_F(1), _F(0)),
    "celsius": (_F(1), _F("273.15")),
    "fahrenheit": (_F(5, 9), _F("459.67") * 5 / 9),
}
"""How many kelvin a degree has, and how many there are at nought degrees."""


def told_in(value: Fraction, unit: Unit, other: Unit) -> tuple[Fraction, Fraction] | None:
    """A temperature told in another unit: as a temperature, and as a difference of two. None for other units.

    >>> celsius, kelvin = (Unit(((name, 1),), Fraction(1), known=True) for name in ("celsius", "kelvin"))
    >>> told_in(Fraction(25), celsius, kelvin)
    (Fraction(5963, 20), Fraction(25, 1))
    """
    one, two = _scale(unit), _scale(other)
    if one is None or two is None:
        return None
    (size, zero), (step, start) = one, two
    return (value * size + zero - start) / step, value * size / step


def _scale(unit: Unit) -> tuple[Fraction, Fraction] | None:
    """The scale of a unit that is degrees alone."""
    if len(unit.dimension) != 1 or unit.dimension[0][1] != 1:
        return None
    size, zero = _SCALES.get(unit.dimension[0][0], (_F(0), _F(0)))
    return (size * unit.factor, zero) if size else None
