r"""Recurrences with their first term at n: `a_{n+2} = 2a_{n+1} + n` as `a_n = 2a_{n-1} + (n-2)`."""

from __future__ import annotations

from hybridverify.language import expressions as re

_MAX = 120
_INDEXED = re.compile(r"([a-zA-Z])_(?:\{\s?([nk])\s?(?:([+-])\s?(\d))?\s?\}|([nk])(?![a-zA-Z]))")
_PLACE = "@"
"""Stands for an index until the other letters are changed."""


def from_first_term(text: str) -> str:
    r"""The recurrence with the index of its left side moved to n, "" for any other text.

    >>> from_first_term("a_{n+1} = 3a_n + n"), from_first_term("a_n = 3a_{n-1}"), from_first_term("a_1 = 2")
    ('a_{n} = 3a_{n-1} + (n-1)', '', '')
    """
    left, equals, _ = text.partition("=")
    first = _INDEXED.fullmatch(left.strip()) if equals and len(text) <= _MAX and text.count("_") > 1 else None
    shift = _shift(first) if first else 0
    if first is None or not shift or _PLACE in text or text.count("=") > 1:
        return ""
    name, found = first[2] or first[5], list(_INDEXED.finditer(text))
    if any((one[1], one[2] or one[5]) != (first[1], name) for one in found):
        return ""
    rest = re.sub(rf"(?<![a-zA-Z\\]){name}(?![a-zA-Z])", f"({name}{-shift:+d})", _INDEXED.sub(_PLACE, text))
    for one in found:
        rest = rest.replace(_PLACE, f"{one[1]}_{{{_told(name, _shift(one) - shift)}}}", 1)
    return rest


def _shift(index: re.Match[str]) -> int:
    return int(f"{index[3]}{index[4]}") if index[3] else 0


def _told(name: str, shift: int) -> str:
    return f"{name}{shift:+d}" if shift else name
