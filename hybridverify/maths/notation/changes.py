"""Percentages in words: a change with its direction, `a decrease of 20%`, and basis points, `25 bps`."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.notation.vocabulary import words

_FALLING = words(
    "decrease decreased decreases decline declined drop dropped fall fell reduction reduced down"
)
_RISING = words("increase increased increases rise rose gain gained growth grew up")
_CHANGING = _RISING | words("change changed changes")
_IDLE = words("a an of by it the price value")
_MAX = 60
_POINTS = {
    **dict.fromkeys(("basis points", "basis point", "bps", "bp"), 100),
    **dict.fromkeys(("percentage points", "percentage point", "pp"), 1),
}
"""How many of them are one percent."""


def as_change(text: str) -> str:
    r"""`a 20% drop` with its sign, "" for a text that tells no change.

    >>> as_change("a 20% drop"), as_change("increase of 12.5 percent"), as_change("20% of it")
    ('-20\\%', '12.5\\%', '')
    """
    if len(text) > _MAX:
        return ""
    text = text.replace("\\%", "%").replace(" percent", "%").replace(" per cent", "%")
    told = [word for word in text.lower().split() if word not in _IDLE]
    if len(told) != 2:
        return ""
    amount, way = told if told[0].endswith("%") else told[::-1]
    if way not in _FALLING | _RISING or not amount.endswith("%"):
        return ""
    number = amount[:-1]
    if not number.replace(".", "", 1).isdigit():
        return ""
    return ("-" if way in _FALLING else "") + number + "\\%"


def may_rise(question: str) -> bool:
    """Does the question ask for a change, and say nothing of a fall?"""
    told = _words(question)
    return _FALLING.isdisjoint(told) and not _CHANGING.isdisjoint(told)


def only_falls(question: str) -> bool:
    """Does the question speak of a fall, and of no rise?"""
    told = _words(question)
    return _RISING.isdisjoint(told) and not _FALLING.isdisjoint(told)


def _words(question: str) -> list[str]:
    return question.lower().replace("?", " ").replace(".", " ").replace(",", " ").split()


def as_percentage(text: str) -> str:
    r"""Basis points and percentage points as a percentage, "" for any other text.

    >>> as_percentage("25 bps"), as_percentage("0.25 percentage points"), as_percentage("25")
    ('\\frac{1}{4}\\%', '\\frac{1}{4}\\%', '')
    """
    words = text.lstrip("-+0123456789.").lstrip()
    number = text[: len(text) - len(words)].strip()
    if words not in _POINTS or len(text) > _MAX or not number.lstrip("-+").replace(".", "", 1).isdecimal():
        return ""
    share = Fraction(number) / _POINTS[words]
    return f"\\frac{{{share.numerator}}}{{{share.denominator}}}\\%"
