r"""Angles in degrees, minutes and seconds: `30^\circ 27'`, `30 degrees 27 minutes` are one number of degrees."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.language import expressions as re

_DEGREES = r"(?<![\d.])(\d{1,4})\s?(?:\^\s?\{?\s?\\(?:circ|degree)\s?\}?|\\degree|degrees?\b)(?:\\[,;: ]|\s|and\s){0,3}"
_MINUTES = r"(\d{1,2}(?:\.\d{1,9})?)\s?(?:'(?!')|\^\s?\{?\s?\\prime\s?\}?(?!\s?\\prime)|\\prime|minutes?\b)"
_SECONDS = r"(\d{1,2}(?:\.\d{1,9})?)\s?(?:''|\"|\^\s?\{?\s?\\prime\s?\\prime\s?\}?|seconds?\b)"
_ANGLE = re.compile(rf"{_DEGREES}{_MINUTES}(?:(?:\\[,;: ]|\s|,|and\s){{0,3}}{_SECONDS})?", re.IGNORECASE)


def angle_in_parts(text: str) -> str:
    r"""The text with such angles as one fraction of degrees.

    >>> angle_in_parts("30^\\circ 30'")
    '(\\frac{61}{2})^\\circ '
    """
    if "circ" not in text and "egree" not in text:
        return text
    return _ANGLE.sub(_one, text)


def _one(found: re.Match[str]) -> str:
    minutes, seconds = Fraction(found[2]), Fraction(found[3] or 0)
    if minutes >= 60 or seconds >= 60 or (found[3] and "." in found[2]):
        return found[0]
    angle = int(found[1]) + minutes / 60 + seconds / 3600
    return rf"(\frac{{{angle.numerator}}}{{{angle.denominator}}})^\circ "
