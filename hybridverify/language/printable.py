"""Texts of models on a terminal or a page: what steers either is written out."""

from __future__ import annotations

import unicodedata

_KEPT = "\n\t"
_CUT = "..."


def printable(text: str) -> str:
    r"""Characters that steer a terminal or turn the reading direction are written out; lines stay lines.

    >>> print(printable("red \x1b[31m, turned \u202e, half \ud800, kept é"))
    red \x1b[31m, turned \u202e, half \ud800, kept é
    """
    return "".join(letter if _harmless(letter) else _written_out(letter) for letter in text)


def one_line(text: str, most: int) -> str:
    r"""The same in one line, cut off with dots where it is longer than `most`.

    >>> one_line("a\nb\tc", 80), one_line("abcdef", 5)
    ('a\\nb\\tc', 'ab...')
    """
    line = printable(text).replace("\n", "\\n").replace("\t", "\\t")
    return line if len(line) <= most else line[: most - len(_CUT)] + _CUT


def _harmless(letter: str) -> bool:
    return letter.isprintable() or letter in _KEPT or unicodedata.category(letter) == "Zs"


def _written_out(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
