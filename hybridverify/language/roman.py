"""Roman numerals in their one usual spelling: XIV, not XIIII."""

from __future__ import annotations

_VALUES = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_LETTERS, _LONGEST = frozenset("mdclxvi"), 15


def is_roman(text: str) -> bool:
    """Is the text a numeral, in whatever case?

    >>> is_roman("XVI"), is_roman("mcmxciv"), is_roman("IIII"), is_roman("mild")
    (True, True, False, False)
    """
    rest = text.lower()
    if not rest or len(rest) > _LONGEST or not _LETTERS.issuperset(rest):
        return False
    value = 0
    for amount, letters in _VALUES:
        while rest.startswith(letters):
            rest, value = rest[len(letters) :], value + amount
    return not rest and _written(value) == text.lower()


def _written(value: int) -> str:
    told = ""
    for amount, letters in _VALUES:
        count, value = divmod(value, amount)
        told += letters * count
    return told
