"""What a sentence claims, and the words in it that deny, doubt, suppose or change the value that it gives.

Every reader of sentences asks here and keeps no list of such words: it names the kinds of words that a sentence of
its sort may not hold. The words stand in `lexicon/signals.toml`.
"""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from typing import NamedTuple

from hybridverify.language.lexicon import entries, lists
from hybridverify.language.patterns import WORD

_JOINED = "_joined"
"""Ending of the lists whose entries stand in texts without blanks."""
CONTRACTED = "contracted"
"""The kind of "isn't" and its like."""
ASKED = "asked"
"""The kind of a question mark."""
KINDS = frozenset(name.removesuffix(_JOINED) for name in lists("signals")) | {CONTRACTED, ASKED}
_STEM = 3
"""An entry with any ending is looked up by so many letters."""


def kinds(names: str) -> frozenset[str]:
    """Kinds of words by their names, which blanks set apart."""
    wanted = frozenset(names.split())
    if not wanted <= KINDS:
        raise ValueError(f"no kinds of words: {', '.join(sorted(wanted - KINDS))}")
    return wanted


DENIED = kinds(f"not no {CONTRACTED}")
"""A sentence with such a word denies something."""


class _Lexicon:
    """The entries of all kinds, by how they are found."""

    def __init__(self) -> None:
        self.words: dict[str, frozenset[str]] = {}
        self.stems: dict[str, list[tuple[str, str]]] = {}
        self.phrases: dict[str, list[tuple[str, str]]] = {}
        self.joined: list[tuple[str, str]] = []
        for name in lists("signals"):
            for entry in entries("signals", name):
                self._add(entry, name)

    def _add(self, entry: str, name: str) -> None:
        if name.endswith(_JOINED):
            self.joined.append((entry, name.removesuffix(_JOINED)))
        elif " " in entry:
            self.phrases.setdefault(entry.partition(" ")[0], []).append((f" {entry} ", name))
        elif entry.endswith("*"):
            self.stems.setdefault(entry[:_STEM], []).append((entry[:-1], name))
        else:
            self.words[entry] = self.words.get(entry, frozenset()) | {name}


_LEXICON = _Lexicon()


@lru_cache(maxsize=1024)
def signals(text: str) -> frozenset[str]:
    """The kinds of words in a text that bear on a value in it.

    >>> sorted(signals("It isn't 5, perhaps.")), sorted(signals("It is 5."))
    (['contracted', 'unsure'], [])
    """
    low = text.lower()
    words = WORD.findall(low)
    found: set[str] = set()
    for word in words:
        found |= _of_word(word)
        if word in _LEXICON.phrases:
            found.update(_of_phrases(word, words))
    if "?" in low or "？" in low:
        found.add(ASKED)
    if "n't" in low or "n’t" in low:
        found.add(CONTRACTED)
    if not low.isascii():
        found.update(kind for entry, kind in _LEXICON.joined if entry in low)
    return frozenset(found)


@lru_cache(maxsize=4096)
def _of_word(word: str) -> frozenset[str]:
    stems = _LEXICON.stems.get(word[:_STEM], ())
    return _LEXICON.words.get(word, frozenset()).union(kind for stem, kind in stems if word.startswith(stem))


def _of_phrases(first: str, words: list[str]) -> list[str]:
    """The kinds of the phrases in a text that begin with this word."""
    spaced = f" {' '.join(words)} "
    return [kind for phrase, kind in _LEXICON.phrases[first] if phrase in spaced]


def holds(text: str, wanted: frozenset[str]) -> bool:
    """Whether the text has a word of one of these kinds."""
    return not wanted.isdisjoint(signals(text))


def is_denial(sentence: str) -> bool:
    """Whether a sentence denies something: what it ends on may be what it denies."""
    return holds(sentence, DENIED)


COPULA = re.compile(
    r"(?:(?<![^\W_])(?:is|are|equals?|was|were|es|est|ist|è|é|jest|равно?|равна)(?![^\W_])|是|为|為|等于|等於)"
)


class Claim(NamedTuple):
    """What a sentence says of something: the text before its copula, and where the text after it begins."""

    subject: str
    start: int


def first_claim(sentence: str) -> Claim | None:
    """The claim of the first copula, None where there is none."""
    found = COPULA.search(sentence)
    return Claim(sentence[: found.start()], found.end()) if found else None


def last_claim(sentence: str) -> Claim | None:
    """The claim of the last copula, None where there is none.

    >>> last_claim("What she has is 5.")
    Claim(subject='What she has ', start=15)
    """
    found = deque(COPULA.finditer(sentence), maxlen=1)
    return Claim(sentence[: found[0].start()], found[0].end()) if found else None
