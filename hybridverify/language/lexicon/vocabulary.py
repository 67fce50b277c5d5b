"""Which kinds of words stand in a text: the lists of one file of the lexicon, looked up word by word.

An entry is a word, several words (`used_to`; a "the" between them counts for nothing), or the beginning of a word
(`doubt*`). The lists whose name ends on `_joined` hold what is looked for in texts without blanks, as in Chinese; they
belong to the kind of the same name.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language.lexicon import entries, lists
from hybridverify.language.patterns import WORD

_JOINED = "_joined"
_STEM = 3
"""A beginning of a word is looked up by so many letters."""
_NONE: frozenset[str] = frozenset()


class Vocabulary:
    """The lists of one file, ready to be looked up."""

    def __init__(self, file: str) -> None:
        self.kinds = frozenset(name.removesuffix(_JOINED) for name in lists(file))
        self._words: dict[str, frozenset[str]] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        self._phrases: dict[str, list[tuple[str, str]]] = {}
        self._joined: list[tuple[str, str]] = []
        for name in lists(file):
            for entry in entries(file, name):
                self._add(entry, name)
        self.of_word = lru_cache(maxsize=4096)(self._of_word)

    def _add(self, entry: str, name: str) -> None:
        if name.endswith(_JOINED):
            self._joined.append((entry, name.removesuffix(_JOINED)))
        elif " " in entry:
            self._phrases.setdefault(entry.partition(" ")[0], []).append((f" {entry} ", name))
        elif entry.endswith("*"):
            self._stems.setdefault(entry[:_STEM], []).append((entry[:-1], name))
        else:
            self._words[entry] = self._words.get(entry, _NONE) | {name}

    def of(self, low: str) -> set[str]:
        """The kinds of words in a text in lower case."""
        words = WORD.findall(low)
        different = set(words)
        found = set[str]().union(*map(self.of_word, different))
        for first in self._phrases.keys() & different:
            found.update(self._of_phrases(first, words))
        if not low.isascii():
            found.update(kind for entry, kind in self._joined if entry in low)
        return found

    def _of_word(self, word: str) -> frozenset[str]:
        found, stems = self._words.get(word, _NONE), self._stems.get(word[:_STEM])
        return found.union(kind for stem, kind in stems if word.startswith(stem)) if stems else found

    def _of_phrases(self, first: str, words: list[str]) -> list[str]:
        """The kinds of the phrases in a text that begin with this word."""
        spaced = f" {' '.join(word for word in words if word != 'the')} "
        return [kind for phrase, kind in self._phrases[first] if phrase in spaced]
