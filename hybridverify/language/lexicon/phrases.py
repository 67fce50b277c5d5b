"""Turns of speech, found in a text: lists of the lexicon whose entries are whole phrases.

An entry is words, `_` between them (`take|took_it|that_back`). `a|b` is either word, and `+` a blank in it
(`do+not|don't`); `err*` is a word that begins so, `.` any word, `.3` up to three of them, `..` more of the sentence,
`w?` a word that may be missing, and `[name]` any entry of the list `name` in the same file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import WORD

_SIGNS = {"*": r"\w*", "+": r"\s", "'": "['’]", ":": "[*_ ]{0,4}:"}
_GAP = r"[^.\n]{1,60}"
_BLANK = r"\s"
_JOINED = "\u0e00"
"""Scripts from here on set no blanks between words."""
_CUE = 4


@cache
def phrases(file: str, *kinds: str, before: str = "", after: str = "") -> re.Pattern[str]:
    """The expression for the phrases of these lists in any case, between two expressions for what stands around them.

    >>> slips = phrases("retraction", "slip")
    >>> [bool(slips.search(text)) for text in ("I have made an error.", "I took an apple.", "We've made one mistake")]
    [True, False, True]
    """
    return re.compile(f"{before}(?:{'|'.join(any_of(file, kind) for kind in kinds)}){after}", re.IGNORECASE)


def cues(file: str, *kinds: str) -> frozenset[str]:
    """How the longest word of each phrase begins: an ASCII text with none of these beginnings holds no phrase of words.

    >>> sorted(cues("retraction", "slip"))
    ['erro', 'mist', 'slip', 'typo']
    """
    found = (_rarest(file, entry) for kind in kinds for entry in entries(file, kind))
    return frozenset(word[:_CUE] for words in found for word in words)


def beginnings(low: str) -> frozenset[str]:
    """The first letters of every word of a text in lower case, as many as a cue has.

    >>> sorted(beginnings("so, 12 dollars"))
    ['doll', 'so']
    """
    return frozenset(word[:_CUE] for word in WORD.findall(low))


def longest_of(texts: Iterable[str]) -> frozenset[str]:
    """How the longest word of each text begins."""
    return frozenset(word[:_CUE] for word in _longest(texts))


def _longest(texts: Iterable[str]) -> list[str]:
    return [max(words, key=len) for text in texts if (words := WORD.findall(text))]


def _rarest(file: str, entry: str) -> list[str]:
    """The words of that place in a phrase whose shortest one is longest: long words are rare."""
    places = [word for word in entry.split(" ") if word[0] != "." and not word.endswith("?")]
    return max((_at(file, place) for place in places), key=lambda words: min(map(len, words), default=0))


def _at(file: str, place: str) -> list[str]:
    if place[0] != "[":
        return _longest(place.split("|"))
    return [word for entry in entries(file, place[1:-1]) for word in _rarest(file, entry)]


@cache
def any_of(file: str, kind: str) -> str:
    """The phrases of one list as a piece of an expression."""
    return "|".join(_phrase(file, entry) for entry in entries(file, kind))


def _phrase(file: str, entry: str) -> str:
    built, blank = "", ""
    for word in entry.split(" "):
        if word == "..":
            built, blank = built + _GAP, ""
        elif word[0] == "." and word[1:].isdigit():
            built += rf"(?:{blank}\w+){{0,{word[1:]}}}"
        elif word.endswith("?"):
            told = _word(file, word[:-1])
            built += f"(?:{blank}{told})?" if blank else f"(?:{told}{_BLANK})?"
        else:
            built, blank = f"{built}{blank}{_word(file, word)}", _BLANK
    return built


def _word(file: str, word: str) -> str:
    if word[0] == "[":
        return f"(?:{any_of(file, word[1:-1])})"
    return r"\w+" if word == "." else f"(?:{'|'.join(map(_alternative, word.split('|')))})"


def _alternative(text: str) -> str:
    told = "".join(_SIGNS.get(sign, re.escape(sign)) for sign in text)
    start = r"(?<![^\W_])" if text[0].isalpha() and text[0] < _JOINED else ""
    end = r"(?![^\W_])" if text[-1].isalpha() and text[-1] < _JOINED else ""
    return start + told + end
