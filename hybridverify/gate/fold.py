"""Fold texts to bare words and look them up in the tables of words.py.

Apart from content.py because folding is about scripts: case, accents, width, look-alike letters, and scripts that
write sentences without blanks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hybridverify.gate import refusal_words, words
from hybridverify.language.patterns import DIGIT

_MAX_JOINED = 60
"""Longest word that is taken apart."""
_MAX_ENTRY = 16
MAX_REFERENCE = 1000
"""Characters of a reference that are read."""
LOOKALIKES = str.maketrans(
    "аеорсухіѕјһӏмткнвАЕОРСХМТКНВοανρτικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxisjhlmtkhbAEOPCXMTKHBoavptikABEZHIKMNOPTYX"
)
_WITHOUT_MARK = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d"})
_WORD = re.compile(r"[^\W_]+")
_WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_APOSTROPHES = re.compile(r"['’ʼ`´‘]")


def folded_words(text: str) -> list[str]:
    """The words without case, accents and width.

    >>> folded_words("Réponse: LÖSUNG, I don't"), folded_words("S\u043elution")
    (['reponse', 'losung', 'i', 'dont'], ['solution'])
    """
    return list(_folded(text))


@lru_cache(maxsize=256)  # gate and guards look at the same answer one after the other
def _folded(text: str) -> tuple[str, ...]:
    if text.isascii():
        return tuple(_WORD.findall(text.replace("'", "").replace("`", "").lower()))
    decomposed = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text))
    bare = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    folded = unicodedata.normalize("NFC", bare.casefold()).translate(_WITHOUT_MARK)
    return tuple(_one_script(word) for word in _WORD.findall(folded))


@lru_cache(maxsize=1024)
def reference_words(reference: str) -> tuple[str, ...]:
    """`folded_words` of the beginning of a reference, kept: many responses are held against it."""
    return tuple(folded_words(reference[:MAX_REFERENCE]))


def _one_script(word: str) -> str:
    """Cyrillic and Greek letters that stand in for Latin ones inside a Latin word."""
    if word.isascii() or not any(char.isascii() and char.isalpha() for char in word):
        return word
    return word.translate(LOOKALIKES)


@lru_cache(maxsize=32)
def table(*names: str) -> frozenset[str]:
    """The folded entries of one or several tables."""
    if len(names) > 1:
        return frozenset().union(*map(table, names))
    home = words if hasattr(words, names[0]) else refusal_words
    entries = getattr(home, names[0]).split()
    return frozenset(" ".join(folded_words(entry.replace("_", " "))) for entry in entries)


@lru_cache(maxsize=4)
def single_words(name: str) -> frozenset[str]:
    """The words of a table's phrases."""
    return frozenset(word for entry in table(name) for word in entry.split())


@lru_cache(maxsize=4096)
def parts_of(word: str) -> tuple[str, ...]:
    """The openers and fillers a word is made of, () where it holds anything else.

    Scripts without blanks write whole sentences in one word; in Latin only openers are found inside a word
    ("SolutionSolution"), since fillers are short and would spell anything.
    """
    known = table("OPENERS", "FILLERS")
    if word in known:
        return (word,)
    return _taken_apart(word, table("OPENERS") if word.isascii() else known)


@lru_cache(maxsize=4096)
def known_parts(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """The known words that a word is made of, () where it holds anything else.

    Only scripts that write sentences without blanks are taken apart: short words would spell anything elsewhere.
    """
    if word in known:
        return (word,)
    return _taken_apart(word, known) if _WITHOUT_BLANKS.fullmatch(word) else ()


def _taken_apart(word: str, known: frozenset[str]) -> tuple[str, ...]:
    if len(word) > _MAX_JOINED:
        return ()
    best: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _MAX_ENTRY), end if not word.isascii() else end - 3):
            head = best[start]
            if head is not None and word[start:end] in known:
                best[end] = (*head, word[start:end])
                break
    return best[-1] or ()


def has_digit(text: str) -> bool:
    """True for digits of any script; words for numbers are words."""
    if text.isascii():
        return DIGIT.search(text) is not None
    return any(unicodedata.category(char)[0] == "N" for char in text)
