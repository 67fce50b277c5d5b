"""Which kinds of words stand in a text: the lists of one file of the lexicon, looked up word by word.

An entry is a word, several words (`used_to`; a "the" between them counts for nothing), or the beginning of a word
(`doubt*`). The lists whose name ends on `_joined` hold what is looked for in texts without blanks, as in Chinese; they
belong to the kind of the same name. `可能!的` is looked for where no `的` follows.
"""

from __future__ import annotations

from functools import cache, lru_cache

from hybridverify.language.lexicon import entries, lists
from hybridverify.language.patterns import WORD

_JOINED = "_joined"
_STEM = 3
"""A beginning of a word is looked up by so many letters."""
_NONE: frozenset[str] = frozenset()
_BLANKS = bytes(code if chr(code).isalpha() else ord(" ") for code in range(128)).ljust(256)
"""Blanks for all that is no letter in ASCII. Bytes are translated four times as fast as a text."""


def words_of(low: str) -> list[str]:
    """The words of a text; in ASCII, as most are, without the pattern, which takes ten times as long."""
    return low.encode().translate(_BLANKS).decode().split() if low.isascii() else WORD.findall(low)


class Vocabulary:
    """The lists of one file, ready to be looked up."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.kinds = frozenset(name.removesuffix(_JOINED) for name in lists(file))
        self._words: dict[str, frozenset[str]] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        self._phrases: dict[str, list[tuple[str, frozenset[str], str]]] = {}
        self._joined: list[tuple[str, str, str]] = []
        for name in lists(file):
            for entry in entries(file, name):
                self._add(entry, name)
        self.of_word = lru_cache(maxsize=4096)(self._of_word)

    def _add(self, entry: str, name: str) -> None:
        if name.endswith(_JOINED):
            told, _, other = entry.partition("!")
            self._joined.append((told, told + other if other else "", name.removesuffix(_JOINED)))
        elif " " in entry:
            parts = entry.split()
            self._phrases.setdefault(parts[0], []).append((f" {entry} ", frozenset(parts), name))
        elif entry.endswith("*"):
            self._stems.setdefault(entry[:_STEM], []).append((entry[:-1], name))
        else:
            self._words[entry] = self._words.get(entry, _NONE) | {name}

    def of(self, low: str) -> set[str]:
        """The kinds of words in a text in lower case."""
        words = words_of(low)
        different = set(words)
        found = set[str]().union(*map(self.of_word, different))
        for first in self._phrases.keys() & different:
            told = [phrase for phrase in self._phrases[first] if phrase[1] <= different]
            found.update(_of_phrases(told, words) if told else ())
        if not low.isascii():
            found.update(kind for entry, other, kind in self._joined if _is_joined(entry, other, low))
        return found

    def may_hold(self, words: frozenset[str], *kinds: str) -> bool:
        """A quick look for one of some kinds in the words of an ASCII text, before all kinds are looked up. Only lists
        of whole words are looked for.

        >>> signals = Vocabulary("signals")
        >>> signals.may_hold(frozenset(["it", "is"]), "not"), signals.may_hold(frozenset(["never"]), "not")
        (False, True)
        """
        needed = self._needed(kinds)
        if needed is None:
            return True
        if needed.keys().isdisjoint(words):
            return False
        return any(parts <= words for longest in needed.keys() & words for parts in needed[longest])

    @cache  # noqa: B019 - a vocabulary lives as long as the process
    def _needed(self, kinds: tuple[str, ...]) -> dict[str, list[frozenset[str]]] | None:
        """By its longest word the words of each entry of some lists, None where one is the beginning of a word."""
        told = [entry for kind in kinds for entry in entries(self._file, kind)]
        if any(entry.endswith("*") for entry in told):
            return None
        found: dict[str, list[frozenset[str]]] = {}
        for parts in (entry.split(" ") for entry in told):
            found.setdefault(max(parts, key=len), []).append(frozenset(parts))
        return found

    def _of_word(self, word: str) -> frozenset[str]:
        found, stems = self._words.get(word, _NONE), self._stems.get(word[:_STEM])
        return found.union(kind for stem, kind in stems if word.startswith(stem)) if stems else found


def _is_joined(entry: str, other: str, low: str) -> bool:
    """Whether the text has the entry elsewhere than in the longer word `other`."""
    return entry in low and (not other or entry in low.replace(other, ""))


def _of_phrases(told: list[tuple[str, frozenset[str], str]], words: list[str]) -> list[str]:
    """The kinds of those phrases whose words stand side by side in a text."""
    spaced = f" {' '.join([word for word in words if word != 'the'])} "
    return [kind for phrase, _, kind in told if phrase in spaced]
