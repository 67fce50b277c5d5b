"""What is counted, in any language: a bare 18 and `18 Äpfel`, where the question asks how many of them there are."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import WORD
from hybridverify.maths import numerals

_HOW_MANY = frozenset(entries("questions", "how_many"))
_MAX, _MAX_QUESTION = 40, 20_000
_STEM = 3
"""Endings change with the number: `34 марки`, `36 марок`."""
_LINKS = frozenset(("de", "di", "d"))


def number_of_counted(text: str) -> str:
    """The number before one word, "" for any other text.

    >>> number_of_counted("18 Äpfel"), number_of_counted("18"), number_of_counted("18 kleine Äpfel")
    ('18', '', '')
    """
    number, _, noun = text.partition(" ")
    alone = len(text) <= _MAX and noun.isalpha() and len(noun) >= _STEM
    return number if alone and numerals.read(number) is not None else ""


def are_asked_for(question: str, texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Does the question ask for the number of what one text names, and is the other a bare number?"""
    bare = len(others) == 1 and numerals.read(others[0]) is not None
    nouns = _nouns(question) if bare else frozenset()
    return bool(nouns) and all(text.split()[-1].lower()[:_STEM] in nouns for text in texts)


@lru_cache(maxsize=256)
def _nouns(question: str) -> frozenset[str]:
    """The first letters of the words right after "how many"."""
    words = WORD.findall(question[:_MAX_QUESTION].lower())
    following = [words[at + 1 : at + 3] for at, word in enumerate(words) if word in _HOW_MANY]
    told = (pair[1:] if pair[:1] and pair[0] in _LINKS else pair[:1] for pair in following)
    return frozenset(word[:_STEM] for pair in told for word in pair)
