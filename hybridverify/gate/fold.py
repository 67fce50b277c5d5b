"""Folds texts to plain words and looks them up in the tables of words.py and refusal_words.py.

Separate from content.py because folding is about scripts: case, accents, width, letters that look alike, and scripts
that are written without blanks.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from hybridverify.gate import refusal_words, words
from hybridverify.language.patterns import DIGIT, RUN
from hybridverify.language.scripts import is_unspaced

_MAX_JOINED = 60
"""The longest word that is split into parts."""
_MAX_ENTRY = 16
MAX_REFERENCE = 1000
"""The most characters of a reference that are read."""
LOOKALIKES = str.maketrans(
    "аеорсухіѕјһӏмткнвАЕОРСХМТКНВοανρτικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxisjhlmtkhbAEOPCXMTKHBoavptikABEZHIKMNOPTYX"
)
_WITHOUT_MARK = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d"})
_WITHOUT_APOSTROPHES = str.maketrans("", "", "'’ʼ`´‘")
_ASCII_WORDS = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128)
).ljust(256)
_ASCII_APOSTROPHES = b"'`"
"""The same for ASCII in one go, without the pattern; bytes are translated four times as fast as a text."""


def folded_words(text: str) -> list[str]:
    """The words without case, accents and width.

    >>> folded_words("Réponse: LÖSUNG, I don't"), folded_words("S\u043elution")
    (['reponse', 'losung', 'i', 'dont'], ['solution'])
    """
    return list(folded(text))


@lru_cache(maxsize=256)  # the gate and the guards fold the same answer one after the other
def folded(text: str) -> tuple[str, ...]:
    """The same, kept for whoever asks next."""
    if text.isascii():
        return tuple(text.encode().translate(_ASCII_WORDS, _ASCII_APOSTROPHES).decode().split())
    decomposed = unicodedata.normalize("NFKD", text.translate(_WITHOUT_APOSTROPHES))
    bare = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    folded = unicodedata.normalize("NFC", bare.casefold()).translate(_WITHOUT_MARK)
    return tuple(_one_script(word) for word in RUN.findall(folded))


@lru_cache(maxsize=1024)
def reference_words(reference: str) -> tuple[str, ...]:
    """`folded_words` of the beginning of a reference, cached because many responses are compared with one reference."""
    return tuple(folded_words(reference[:MAX_REFERENCE]))


def _one_script(word: str) -> str:
    """The word with Latin letters in place of the Cyrillic and Greek ones that look like them."""
    if word.isascii() or not any(char.isascii() and char.isalpha() for char in word):
        return word
    return word.translate(LOOKALIKES)


@cache
def table(*names: str) -> frozenset[str]:
    """The folded entries of one or several tables; `[NAME]` in a table is all of the table NAME."""
    if len(names) > 1:
        return frozenset().union(*map(table, names))
    home = words if hasattr(words, names[0]) else refusal_words
    entries = getattr(home, names[0]).split()
    shared = (table(entry[1:-1]) for entry in entries if entry[0] == "[")
    own = (" ".join(folded_words(entry.replace("_", " "))) for entry in entries if entry[0] != "[")
    return frozenset(own).union(*shared)


@cache
def single_words(name: str) -> frozenset[str]:
    """The single words of a table's phrases."""
    return frozenset(word for entry in table(name) for word in entry.split())


@lru_cache(maxsize=4096)
def parts_of(word: str) -> tuple[str, ...]:
    """The openers and fillers that a word consists of, or () where it holds anything else.

    Scripts without blanks write whole sentences in one word. In Latin script only openers are looked for inside a
    word ("SolutionSolution"): fillers are short and would fit almost any word.
    """
    known = table("OPENERS", "FILLERS")
    if word in known:
        return (word,)
    return _taken_apart(word, table("OPENERS") if word.isascii() else known)


@lru_cache(maxsize=4096)
def known_parts(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """The known words that a word consists of, or () where it holds anything else.

    Only words of scripts without blanks are split: elsewhere short words would fit almost any word.
    """
    if word in known:
        return (word,)
    return _taken_apart(word, known) if is_unspaced(word) else ()


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
    """Whether the text has a digit of any script. Words for numbers do not count."""
    if text.isascii():
        return DIGIT.search(text) is not None
    return any(unicodedata.category(char)[0] == "N" for char in text)
