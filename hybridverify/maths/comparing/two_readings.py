r"""Notation that people read in two ways: what differs from the reference in both is another value.

`5\frac{5}{4}` is a sum or a product, `1/6x` a sixth of x or one over 6x. Such a text is never read as a value, but it
may be told from one.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.maths.parsing.reading import Reading
from hybridverify.maths.parsing.texts import without_commands
from hybridverify.maths.values.kinds import Unreadable

_SIGNS = ("not ", r"\neg", r"\lnot", "¬")
_NEGATION = re.compile(r"\\l?n(?:eg|ot)\b\s*|¬\s*")
_IMPROPER = re.compile(
    r"(-?)(\d{1,9})\s*\\[dt]?frac\s*\{?(\d{1,9})\}?\s*\{?(\d{1,9})\}?|(-?)(\d{1,9}) (\d{1,9})/(\d{1,9})"
)
_SLASH = re.compile(r"(-?\d{1,9})/(\d{1,9})\s?([A-Za-z](?:\^\d)?)")


def ways_to_read(reading: Reading) -> tuple[str, ...]:
    """Of a text that was not read, the ways to read it."""
    return readings(reading.text) if isinstance(reading.value, Unreadable) else ()


def is_negated(one: str, other: str) -> bool:
    r"""Does one of two texts say that it is not the other?

    >>> is_negated(r"\text{M}", r"\text{not M}"), is_negated(r"\neg p", "p"), is_negated("p", "q")
    (True, True, False)
    """
    if not any(sign in text for text in (one, other) for sign in _SIGNS):
        return False
    first, second = (" ".join(_NEGATION.sub("not ", without_commands(text)).split()) for text in (one, other))
    return first != second and (first == "not " + second or second == "not " + first)


def readings(text: str) -> tuple[str, ...]:
    r"""The ways to read a text that has two, each in a spelling that has one; nothing for any other text.

    >>> readings("1/6x"), readings(r"5\frac{5}{4}"), readings("7")
    (('(1/6)x', '1/(6x)'), ('5+5/4', '5*5/4'), ())
    """
    text = text.strip("$ ")
    slash = _SLASH.fullmatch(text)
    if slash is not None:
        top, bottom, letter = slash.groups()
        return f"({top}/{bottom}){letter}", f"{top}/({bottom}{letter})"
    mixed = _IMPROPER.fullmatch(text)
    if mixed is None:
        return ()
    sign, whole, top, bottom = (
        part or "" for part in (mixed.groups()[:4] if mixed[2] else mixed.groups()[4:])
    )
    if int(top) < int(bottom) or not int(bottom):
        return ()
    return f"{sign}{whole}{sign or '+'}{top}/{bottom}", f"{sign}{whole}*{top}/{bottom}"
