"""How much of a reference stands in an answer, counted by content words in any of their forms."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.number_words import read_words
from hybridverify.language.text import place_of

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_ARTICLES = frozenset(("the", "a", "an"))
_LEVELS = (0.0, 0.34, 0.67, 0.999)
_LETTER_LEVELS = (0.25, 0.5, 0.75, 0.95)
_MAX_WORDS = 400
_CLOSED = """
a an the this that these those it its he him his she her hers they them their theirs we us our ours you your
yours i me my mine who whom whose which what when where why how there here s t d ll ve re m o is are was were be
been being am do does did done doing has have had having will would shall should can could may might must of in
on at by for with from to into onto upon about over under as than then so such also and or nor but if because
while during until since through between among within without against toward towards via per out up down off
very too just only both either neither each every any some all most more other another same own not no yes th st
nd rd
"""
FUNCTION_WORDS = frozenset(_CLOSED.split())
"""Words of closed classes, which any sentence holds."""
_ROMAN = {
    "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10", "xi": "11",
    "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19",
    "xx": "20",
}  # fmt: skip
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_ORDINALS = {word: str(place) for place, word in enumerate(ORDINALS, 1)}
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_LEAST_STEM = 3
"""An ending is cut off only if this many letters are left."""


@dataclass(frozen=True)
class Overlap:
    """`placed`: same (the reference is the whole answer), early (in its first clause), late, inside (the answer is
    part of the reference) or none. `words` and `letters`: levels 0 to 4 of the share that was found. `numbers`:
    none (the reference has none), all, some or no."""

    placed: str
    words: int
    letters: int
    numbers: str
    nearness: float


Words = tuple[str, ...]


def overlap(reference: str, answer: str, question: str = "") -> Overlap:
    """The overlap of an answer with a reference. Words of the question do not count, unless the reference has no
    others.

    >>> overlap("The Beatles", "They were the Beatles, of course").placed
    'early'
    >>> overlap("1966", "in 1967").numbers, overlap("Ivo B. Holm", "Holm").words, overlap("Ivo Holm", "I. Holm").words
    ('no', 1, 4)
    >>> overlap("the river Elbe", "the Elbe").placed, overlap("the river Elbe", "river", "Which river is it?").placed
    ('inside', 'none')
    """
    wanted, given = plain_words(_without_remark(reference) or reference), plain_words(answer)
    if not wanted or not given:
        same = bool(reference.strip()) and reference.strip() == answer.strip()
        return Overlap("same" if same else "none", 4 * same, 4 * same, "none", 4.0 * same)
    place = place_of(wanted, given)
    asked = frozenset(plain_words(question))
    inside = place < 0 and _says_more(given, asked, wanted) and place_of(given, wanted) >= 0
    telling = _telling(wanted, asked)
    share = _found(telling, wanted, given)
    letters = _letter_share(telling, given)
    placed = _placed(place, len(wanted) == len(given), inside)
    nearness = share + 0.5 * letters + _NEARNESS[placed]
    numbers = _numbers(wanted, frozenset(given))
    return Overlap(placed, level(share, _LEVELS), level(letters, _LETTER_LEVELS), numbers, nearness)


def _telling(wanted: Words, asked: frozenset[str]) -> list[str]:
    """The words of the reference that are not in the question and carry content, if there are any."""
    fresh = [word for word in wanted if word not in asked] or list(wanted)
    return [word for word in fresh if word not in FUNCTION_WORDS] or fresh


def _found(telling: Sequence[str], wanted: Words, given: Words) -> float:
    """The share of these words in the answer, in any form. An initial counts as a name if another word is found."""
    held = frozenset(map(key, given)) | frozenset(given)
    found = [key(word) in held or word in held for word in telling]
    if len(wanted) > 1 and any(found):
        initials = {word for word in given if len(word) == 1 and word.isalpha()}
        found = [at or word[0] in initials for at, word in zip(found, telling, strict=True)]
    return sum(found) / len(telling)


def _says_more(given: Words, asked: frozenset[str], wanted: Words) -> bool:
    """Whether the answer holds more than words of the question, and more than words that any sentence holds."""
    plain = not FUNCTION_WORDS.issuperset(wanted)
    return not asked.issuperset(given) and not (plain and FUNCTION_WORDS.issuperset(given))


_FIRST_CLAUSE = 16  # words; an answer in a sentence usually stands there
_NEARNESS = {"same": 2.0, "early": 1.0, "late": 1.0, "inside": 0.5, "none": 0.0}


def _placed(place: int, whole: bool, inside: bool) -> str:
    """The value of `Overlap.placed`."""
    if place < 0:
        return "inside" if inside else "none"
    if whole:
        return "same"
    return "early" if place < _FIRST_CLAUSE else "late"


def _letter_share(wanted: Sequence[str], given: tuple[str, ...]) -> float:
    pieces = _trigrams(" ".join(wanted))
    return len(pieces & _trigrams(" ".join(given))) / len(pieces)


@lru_cache(maxsize=256)
def _trigrams(text: str) -> frozenset[str]:
    padded = f" {text} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _without_remark(title: str) -> str:
    """Without a remark in brackets at the end, as in "Mercury (planet)"."""
    head, opening, remark = title.removesuffix("\n").rpartition("(")
    return head.removesuffix(" ") if opening and remark.find(")") == len(remark) - 1 else title


def level(share: float, levels: tuple[float, ...]) -> int:
    """How many of these levels the share reaches. Level 0 needs more than 0."""
    return bisect_right(levels, share) if share > 0 else 0


def _numbers(wanted: tuple[str, ...], held: frozenset[str]) -> str:
    numbers = [word for word in wanted if word[0].isdigit()]
    if not numbers:
        return "none"
    found = sum(word in held for word in numbers)
    return "all" if found == len(numbers) else "some" if found else "no"


@lru_cache(maxsize=4096)
def plain_words(text: str) -> tuple[str, ...]:
    """Lower-case words and numbers without accents and articles; number words become digits.

    >>> plain_words("The Seven Röntgens, 1,000 of 'em")
    ('7', 'rontgens', '1000', 'of', 'em')
    """
    bare = _bare(text[:8000])
    words = [_number(word) for word in _WORD.findall(bare)[:_MAX_WORDS]]
    return tuple(word for word in words if word not in _ARTICLES)


def _bare(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in folded if not unicodedata.combining(char))


@lru_cache(maxsize=8192)
def _number(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    return read_words(word) or word


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """A key that all forms of a lower-case word share.

    >>> [key(word) for word in ("lapwings", "lapwing", "cities", "iv", "fourth", "4", "glass", "his")]
    ['lapw', 'lapw', 'city', '4', '4', '4', 'glass', 'his']
    >>> key("raised") == key("raising") == key("raise")
    True
    """
    if word in _ROMAN or word in _ORDINALS:
        return _ROMAN.get(word) or _ORDINALS[word]
    if not word.isalpha() or (len(word) < 5 and not word.endswith("s")):
        return word
    word = _shortened(_shortened(word))
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _shortened(word: str) -> str:
    """The word without its first known ending, if enough of it is left."""
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: len(word) - len(ending)] + instead
    return word


def contents(words: Iterable[str]) -> list[str]:
    """The keys of the content words, in order."""
    return [key(word) for word in words if word not in FUNCTION_WORDS]
