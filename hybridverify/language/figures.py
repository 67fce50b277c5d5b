"""The words of a question with its numbers in figures: "a third of ninety-six" as `1/3`, `of`, `96`."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language.number_words import NUMBER_WORDS, read_words

_MAX_TEXT = 20_000
_LONGEST = 5
"""So many words may name a number."""
_SIGNS = frozenset("./%")
_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in _SIGNS}


@lru_cache(maxsize=512)  # every response to a question asks for the same
def in_figures(text: str) -> tuple[str, ...]:
    """The words in lower case, but for "the", and what numbers in words are in figures.

    >>> in_figures("Give a third of the ninety-six.")
    ('give', '1/3', 'of', '96')
    """
    words = _words(text[:_MAX_TEXT].lower().replace(" percent", "%"))
    told, at = [], 0
    while at < len(words):
        size = _size_of_number(words[at : at + _LONGEST]) if words[at] in NUMBER_WORDS else 0
        told.append(read_words(" ".join(words[at : at + size])) if size else words[at])
        at += size or 1
    return tuple(told)


def _words(text: str) -> list[str]:
    """Words and figures, without the signs between them and at the end of a sentence."""
    plain = text.translate(_BLANKS) if text.isascii() else "".join(map(_blanked, text))
    return [word for part in plain.split() if (word := part.strip("./")) and word != "the"]


def _blanked(char: str) -> str:
    return char if char.isalnum() or char in _SIGNS else " "


def _size_of_number(words: list[str]) -> int:
    """How many of the words, from the first one on, name a number; 0 for none."""
    for size in range(len(words), 0, -1):
        if NUMBER_WORDS.issuperset(words[:size]) and read_words(" ".join(words[:size])):
            return size
    return 0
