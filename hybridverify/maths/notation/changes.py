"""Changes in words with their direction, `a decrease of 20%` and `a loss of $30`, and basis points, `25 bps`."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.notation.vocabulary import words

_FALLING = words(
    "decrease decreased decreases decline declined drop dropped fall fell reduction reduced down loss lost losses "
    "deficit"
)
_RISING = words("increase increased increases rise rose gain gained growth grew up profit surplus")
_WAYS = _FALLING | _RISING
_CHANGING = _RISING | words("change changed changes")
_AFTERWARDS = words("after new final now resulting")
"""A question with one of these may ask for what there is after the change."""
_OF_CHANGES = words("by percent percentage")
"""With one of these "how many" asks for a change."""
_IDLE = words("a an of by it the price value net went there was")
_DIRECTIONS = words("up down")
"""Of an amount that is no percentage they may say where something points."""
_MAX = 60
_BEFORE_NUMBERS = "\\$€£¥₹"
_POINTS = {
    **dict.fromkeys(("basis points", "basis point", "bps", "bp"), 100),
    **dict.fromkeys(("percentage points", "percentage point", "pp"), 1),
}
"""How many of them are one percent."""


def as_change(text: str) -> str:
    r"""`a 20% drop` with its sign, "" for a text that tells no change.

    >>> as_change("a 20% drop"), as_change("increase of 12.5 percent"), as_change("20% of it")
    ('-20\\%', '12.5\\%', '')
    >>> as_change("a loss of $30"), as_change("it rose by 8 degrees"), as_change("a drop in the bucket")
    ('-$30', '8 degrees', '')
    """
    told = text.replace(".", " ").lower().split() if len(text) <= _MAX else ()
    if len(told) < 2 or _WAYS.isdisjoint(told):
        return ""
    plain = text.rstrip(".").replace("\\%", "%").replace(" percent", "%").replace(" per cent", "%")
    named = [word for word in plain.split() if word.lower() not in _IDLE]
    way, amount = _way_and_amount(named)
    percent = amount.endswith("%")
    if not way or not amount.lstrip(_BEFORE_NUMBERS)[:1].isdigit() or (way in _DIRECTIONS and not percent):
        return ""
    return ("-" if way in _FALLING else "") + (amount[:-1] + "\\%" if percent else amount)


def _way_and_amount(named: list[str]) -> tuple[str, str]:
    """The word for the direction, which stands at one end, and the rest; nothing where another direction is in it."""
    first, last = named[0].lower(), named[-1].lower()
    way, rest = (first, named[1:]) if first in _WAYS else (last, named[:-1])
    if way not in _WAYS or not rest or not _WAYS.isdisjoint(map(str.lower, rest)):
        return "", ""
    return way, " ".join(rest)


def is_fall(change: str) -> bool:
    """Has what `as_change` made a minus?"""
    return change.startswith("-")


def may_rise(question: str) -> bool:
    """Does the question ask for a change, and say nothing of a fall?"""
    told = _words(question)
    if _asks_otherwise(told):
        return False
    return _FALLING.isdisjoint(told) and not _CHANGING.isdisjoint(told)


def only_falls(question: str) -> bool:
    """Does the question speak of a fall, and of no rise?"""
    told = _words(question)
    if _asks_otherwise(told):
        return False
    return _RISING.isdisjoint(told) and not _FALLING.isdisjoint(told)


def _asks_otherwise(told: list[str]) -> bool:
    """Does the question ask for what there is afterwards, or how many there are of something?"""
    counts = "many" in told and _OF_CHANGES.isdisjoint(told)
    return counts or not _AFTERWARDS.isdisjoint(told)


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
