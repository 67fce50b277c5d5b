"""Turns of speech, found in a text: lists of the lexicon whose entries are whole phrases.

An entry is words, `_` between them (`take|took_it|that_back`). `a|b` is either word, and `+` a blank in it
(`do+not|don't`); `err*` is a word that begins so, `.` any word, `.3` up to three of them, `..` more of the sentence,
`w?` a word that may be missing, `,?` a comma that may be, and `[name]` any entry of the list `name` in the same
file, `[file.name]` of one in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple, cast

from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.patterns import WORD

_SIGNS = {"*": r"\w*", "+": r"\s", "'": "['’]", ":": "[*_ ]{0,4}:"}
_SIGNS_AFTER = (",",)
_GAP = r"[^.\n]{1,60}"
_BLANK = r"\s"
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"
_JOINED = "\u0e00"
"""Scripts from here on set no blanks between words."""
CUE = 4
"""So many letters of a word are looked up by a quick look."""
_BEGINNING = itemgetter(slice(CUE))


@cache
def phrases(
    file: str, *kinds: str, before: str = "", after: str = "", cased: bool = False
) -> re.Pattern[str]:
    """The expression for the phrases of these lists, between two expressions for what stands around them; in any case
    of letters, unless it is `cased`.

    >>> slips = phrases("retraction", "slip")
    >>> [bool(slips.search(text)) for text in ("I have made an error.", "I took an apple.", "We've made one mistake")]
    [True, False, True]
    """
    built = re.built(partial(_expression, file, kinds, before, after), 0 if cased else re.IGNORECASE)
    return cast("re.Pattern[str]", _Phrases(built, file, kinds))


class _Phrases:
    """Stands for the expression of phrases. An ASCII text without any word that they need is answered without it:
    nearly all texts are, and to compile the longest expression takes as long as to grade hundreds of answers."""

    def __init__(self, expression: re.Pattern[str], file: str, kinds: tuple[str, ...]) -> None:
        self._expression = expression
        self._lists = (file, kinds)

    def search(self, text: str, *place: int) -> re.Match[str] | None:
        return self._expression.search(text, *place) if self._may_be_in(text) else None

    def match(self, text: str, *place: int) -> re.Match[str] | None:
        return self._expression.match(text, *place) if self._may_be_in(text) else None

    def finditer(self, text: str, *place: int) -> Iterator[re.Match[str]]:
        return self._expression.finditer(text, *place) if self._may_be_in(text) else iter(())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._expression, name)

    def _may_be_in(self, text: str) -> bool:
        if not text.isascii() or self._unsure:
            return True
        begun = beginnings(text.lower())
        if self._needed.isdisjoint(begun):
            return False
        for cue in self._needed & begun:
            if any(not any(map(begun.isdisjoint, told)) for told in self._by_cue[cue]):
                return True
        return False

    @cached_property
    def _needed(self) -> frozenset[str]:
        """How the words begin of which each phrase has one."""
        return frozenset(self._by_cue)

    @cached_property
    def _by_cue(self) -> dict[str, list[list[frozenset[str]]]]:
        """By such a beginning the phrases: for each other place how the words begin of which one stands there."""
        found: dict[str, list[list[frozenset[str]]]] = {}
        for places in self._places:
            told = [frozenset(map(_BEGINNING, place.words)) for place in places if place.sure]
            for cue in told[0]:
                found.setdefault(cue, []).append(told[1:])
        return found

    @cached_property
    def _unsure(self) -> bool:
        """Whether some phrase can be without a word."""
        return not all(places[0].sure for places in self._places)

    @cached_property
    def _places(self) -> list[list[_Place]]:
        file, kinds = self._lists
        told = [_places(file, entry) for kind in kinds for entry in entries(file, kind)]
        return [sorted(places, key=lambda place: place.rarity, reverse=True) for places in told]


def _expression(file: str, kinds: tuple[str, ...], before: str, after: str) -> str:
    found = "|".join(any_of(file, kind) for kind in kinds)
    return f"{before}(?:{found}){after}"


def cues(file: str, *kinds: str) -> frozenset[str]:
    """How the longest word of each phrase begins: an ASCII text with none of these beginnings holds no phrase of words.

    >>> sorted(cues("retraction", "slip"))
    ['erro', 'mist', 'slip', 'typo']
    """
    return frozenset(map(_BEGINNING, cue_words(file, *kinds)))


def cue_words(file: str, *kinds: str) -> frozenset[str]:
    """The longest word of each phrase, whole: an ASCII text without any of these words holds no phrase. For lists
    without beginnings of words.

    >>> sorted(cue_words("retraction", "slip"))
    ['error', 'errors', 'mistake', 'mistakes', 'slip', 'slips', 'typo', 'typos']
    """
    found = (_rarest(file, entry) for kind in kinds for entry in entries(file, kind))
    return frozenset(word for place in found for word in place.words)


@lru_cache(maxsize=16)  # several expressions are looked for in one text
def beginnings(low: str) -> frozenset[str]:
    """The first letters of every word of a text in lower case, as many as a cue has.

    >>> sorted(beginnings("so, 12 dollars"))
    ['doll', 'so']
    """
    return frozenset(map(_BEGINNING, words_of(low)))


def first_words(file: str, *kinds: str) -> frozenset[str]:
    """How the words begin on which phrases may begin.

    >>> sorted(first_words("retraction", "slip"))
    ['i', 'we']
    """
    found: set[str] = set()
    for entry in (entry for kind in kinds for entry in entries(file, kind)):
        for place in entry.split(" "):
            found |= _firsts(file, place.removesuffix("?"))
            if not place.endswith("?"):
                break
    return frozenset(found)


def _firsts(file: str, place: str) -> frozenset[str]:
    if place[0] == "[":
        return first_words(*_list(file, place))
    return frozenset(words[0][:CUE] for told in place.split("|") if (words := WORD.findall(told)))


def longest_of(texts: Iterable[str]) -> frozenset[str]:
    """How the longest word of each text begins."""
    return frozenset(word[:CUE] for word in _longest(texts))


def _longest(texts: Iterable[str]) -> list[str]:
    return [max(words, key=len) for text in texts if (words := WORD.findall(text))]


class _Place(NamedTuple):
    """The longest word of each alternative in a place of a phrase; `sure`: whatever stands there has one of them."""

    words: tuple[str, ...]
    sure: bool

    @property
    def rarity(self) -> tuple[bool, int]:
        return self.sure, min(map(len, self.words), default=0)


def _rarest(file: str, entry: str) -> _Place:
    """That place in a phrase whose shortest word is longest: long words are rare."""
    return max(_places(file, entry), key=lambda place: place.rarity)


def _places(file: str, entry: str) -> list[_Place]:
    """The places of a phrase that must be filled."""
    places = [place for place in entry.split(" ") if place[0] != "." and not place.endswith("?")]
    return [_at(file, place) for place in places]


@cache
def _at(file: str, place: str) -> _Place:
    if place[0] != "[":
        told = place.split("|")
        return _Place(tuple(_longest(told)), all(map(_is_sure, told)))
    file, kind = _list(file, place)
    rarest = [_rarest(file, entry) for entry in entries(file, kind)]
    return _Place(tuple(word for one in rarest for word in one.words), all(one.sure for one in rarest))


def _is_sure(told: str) -> bool:
    """Whether an alternative in an ASCII text has its longest word, by so many letters as are looked up."""
    if told[0] == "*" or (told[-1] == "*" and len(told) <= CUE):
        return False
    return WORD.search(told) is not None or not told.isascii()


def _list(file: str, place: str) -> tuple[str, str]:
    """The file and the name of the list that `[name]` or `[file.name]` stands for."""
    other, _, kind = place[1:-1].rpartition(".")
    return other or file, kind


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
        elif place in _SIGNS_AFTER:
            built += f"{place}?"
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
        return f"(?:{any_of(*_list(file, place))})"
    if place == ".":
        return r"\w+"
    starts, ends = _is_plain(place, 0), _is_plain(place, -1)
    return f"(?:{'|'.join(_alternative(told, starts, ends) for told in place.split('|'))})"


def _alternative(text: str, starts: bool, ends: bool) -> str:
    """`starts`, `ends`: the phrase sees to it that no letter stands beside."""
    told = "".join(_SIGNS.get(sign, re.escape(sign)) for sign in text)
    start = _START if not starts and _is_letter(text[0]) else ""
    return start + told + (_END if not ends and _is_letter(text[-1]) else "")
