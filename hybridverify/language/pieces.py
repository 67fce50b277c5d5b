"""Cuts a text where things are listed: at signs, and at words that join."""

from __future__ import annotations

from collections.abc import Collection

from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import WORD

AND, OR = frozenset(entries("joining", "and")), frozenset((*entries("joining", "or"), "o", "veya", "atau"))
_TIED = frozenset("-'’")
"""A word beside one of these is part of a longer one: "rock-and-roll"."""


def pieces(text: str, signs: str, words: Collection[str] = ()) -> list[str]:
    """The text between the signs and the joining words, which are told in lower case. Pieces may be blank.

    >>> pieces("Ulm, Bonn and Linz", ",", ("and",)), pieces("rock-and-roll", ",", ("and",))
    (['Ulm', ' Bonn ', ' Linz'], ['rock-and-roll'])
    """
    found, start = [], 0
    for begin, end in sorted([*_signs(text, signs), *_words(text, words)]):
        found.append(text[start:begin])
        start = end
    return [*found, text[start:]]


def holds(text: str, words: Collection[str]) -> bool:
    """Whether one of the joining words stands in the text."""
    return bool(_words(text, words))


def runs(text: str) -> list[str]:
    """The runs of letters and digits.

    >>> runs("(B2) or C-4")
    ['B2', 'or', 'C', '4']
    """
    return "".join(char if char.isalnum() else " " for char in text).split()


def _signs(text: str, signs: str) -> list[tuple[int, int]]:
    return [(at, at + 1) for at, char in enumerate(text) if char in signs]


def _words(text: str, words: Collection[str]) -> list[tuple[int, int]]:
    found = (word.span() for word in WORD.finditer(text) if word.group().lower() in words)
    return [
        (begin, end) for begin, end in found if _stands_free(text[begin - 1 : begin], text[end : end + 1])
    ]


def _stands_free(before: str, after: str) -> bool:
    beside = before + after
    return _TIED.isdisjoint(beside) and not any(char.isalnum() or char == "_" for char in beside)
