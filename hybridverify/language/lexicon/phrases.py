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
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"
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
    """The phrases of one list as a piece of an expression; where a word has to begin is looked at once for all."""
    found = entries(file, kind)
    plain = [_phrase(file, entry) for entry in found if _is_plain(entry.split(" ")[0], 0)]
    others = [_phrase(file, entry) for entry in found if not _is_plain(entry.split(" ")[0], 0)]
    return "|".join([f"{_START}(?:{'|'.join(plain)})", *others] if plain else others)


def _phrase(file: str, entry: str) -> str:
    built, blank, last = "", "", ""
    for word in entry.split(" "):
        place = word.removesuffix("?")
        if word == "..":
            built, blank = f"{built}{_end(last)}{_GAP}{_START}", ""
        elif word[0] == "." and word[1:].isdigit():
            built += rf"(?:{blank}\w+){{0,{word[1:]}}}"
        elif word != place:
            built += f"(?:{blank}{_word(file, place)})?" if blank else f"(?:{_word(file, place)}{_BLANK})?"
        else:
            built, blank = f"{built}{blank}{_word(file, place)}", _BLANK
        last = place
    return built + _end(last)


def _end(place: str) -> str:
    return _END if _is_plain(place, -1) else ""


def _is_plain(place: str, end: int) -> bool:
    """Whether each alternative begins (0) or ends (-1) on a letter, beside which no other may stand."""
    return place[0] not in ".[" and all(_is_letter(told[end]) for told in place.removesuffix("?").split("|"))


def _is_letter(char: str) -> bool:
    return char.isalpha() and char < _JOINED


def _word(file: str, place: str) -> str:
    if place[0] == "[":
        return f"(?:{any_of(file, place[1:-1])})"
    if place == ".":
        return r"\w+"
    starts, ends = _is_plain(place, 0), _is_plain(place, -1)
    return f"(?:{'|'.join(_alternative(told, starts, ends) for told in place.split('|'))})"


def _alternative(text: str, starts: bool, ends: bool) -> str:
    """`starts`, `ends`: the phrase sees to it that no letter stands beside."""
    told = "".join(_SIGNS.get(sign, re.escape(sign)) for sign in text)
    start = _START if not starts and _is_letter(text[0]) else ""
    return start + told + (_END if not ends and _is_letter(text[-1]) else "")
