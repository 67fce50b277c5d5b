"""Quotients with remainders: `14 R 2`, `14 remainder 2`, `quotient 14, remainder 2`."""

from __future__ import annotations

from typing import NamedTuple

from hybridverify.language import expressions as re
from hybridverify.language.patterns import DIGIT
from hybridverify.maths.parsing.texts import without_commands

_MAX = 120
_MAX_DIGITS = 18
_SIGNS = frozenset("RrQq余.")
"""One of these stands in every such text."""
_SHORT = re.compile(
    r"(?P<quotient>-?\d{1,18})\s?(?:[Rr]\.?|\.{3,6}|\\[lc]?dots|余)\s?(?P<remainder>\d{1,18})"
    r"|(?P<whole>[^,;=]{1,60}?),?\s(?:and )?"
    r"(?:(?:with )?(?:a |the )?remainder(?: of| is|:)?|rem\b\.?)\s?(?P<rest>[^,;=]{1,60})"
)
_LABELLED = re.compile(
    r"(?:the )?(?P<label>[Qq]uotient|[Rr]emainder|[QqRr])(?:\([a-z]\))?\s?(?:is|=|:|of)?\s?(?P<value>[^,;=:]{1,60}?)"
    r"(?:\s?[,;]\s?(?:and )?|\sand\s|$)"
)


class Division(NamedTuple):
    """The two parts as they are written."""

    quotient: str
    remainder: str


def division(text: str) -> Division | None:
    """The quotient and the remainder that the text tells; None for any other text.

    >>> division("14 R 2") == division("remainder 2, quotient 14"), division("x + 2 remainder 3")
    (True, Division(quotient='x + 2', remainder='3'))
    """
    if len(text) > _MAX or _SIGNS.isdisjoint(text) or not DIGIT.search(text):
        return None
    plain = " ".join(without_commands(text).replace("\\,", " ").replace("\\ ", " ").split())
    return _labelled(plain) or _short(plain)


def remainder_of(text: str) -> str:
    """The remainder of a division that is written as a sum, and true; "" for any other text.

    >>> remainder_of(r"100 = 7 \\cdot 14 + 2"), remainder_of("100=7*14+3"), remainder_of("9=2+7")
    ('2', '', '')
    """
    whole, equals, sum_ = text.partition("=")
    product, plus, rest = sum_.partition("+")
    for sign in ("\\cdot", "\\times", "×", "·"):
        product = product.replace(sign, "*")
    numbers = [part.strip(" ()${}") for part in (whole, *product.split("*"), rest)]
    plain = equals and plus and all(part.isdecimal() and len(part) <= _MAX_DIGITS for part in numbers)
    if not plain or len(numbers) != 4:
        return ""
    total, one, other, left = map(int, numbers)
    return str(left) if one * other + left == total and left < max(one, other) else ""


def _short(text: str) -> Division | None:
    found = _SHORT.fullmatch(text)
    if found is None:
        return None
    return Division(
        (found["quotient"] or found["whole"]).strip(), (found["remainder"] or found["rest"]).strip()
    )


def _labelled(text: str) -> Division | None:
    parts: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _LABELLED.match(text, at)
        label = found["label"][0].lower() if found else ""
        if found is None or label in parts:
            return None
        parts[label] = found["value"].strip()
        at = found.end()
    return Division(parts["q"], parts["r"]) if len(parts) == 2 else None
