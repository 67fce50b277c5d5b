"""How much of a reference stands in an answer, word for word: a hint beside the text that the model reads.

Six layers read meaning well and letters badly; a few words said by counting spare them that work.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hybridverify.language.number_words import read_words
from hybridverify.language.text import place_of

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_REMARK = re.compile(r" ?\([^()]*\)$")
"""A bracketed remark at the end, as in "Mercury (planet)", is not looked for."""
_ARTICLES = frozenset(("the", "a", "an"))
_LEVELS = (0.0, 0.34, 0.67, 0.999)
_LETTER_LEVELS = (0.25, 0.5, 0.75, 0.95)
_MAX_WORDS = 400


@dataclass(frozen=True)
class Overlap:
    """`placed`: same (the whole answer), early (in its first clause), late, inside (the answer is part of the
    reference) or none. `words` and `letters`: levels 0 to 4 of the share found; `numbers`: none (the reference
    has none), all, some or no."""

    placed: str
    words: int
    letters: int
    numbers: str
    nearness: float

    def marks(self) -> tuple[str, str, str, str]:
        """Names of the hints, one of each group."""
        return (
            f"placed:{self.placed}",
            f"words:{self.words}",
            f"letters:{self.letters}",
            f"numbers:{self.numbers}",
        )


MARKS = (
    *(f"placed:{name}" for name in ("same", "early", "late", "inside", "none")),
    *(f"words:{level}" for level in range(5)),
    *(f"letters:{level}" for level in range(5)),
    *(f"numbers:{name}" for name in ("none", "all", "some", "no")),
)


Words = tuple[str, ...]


class Counting(NamedTuple):
    """What counts as found; benchmarks/embedded/second has another."""

    telling: Callable[[Words, frozenset[str]], Sequence[str]]
    """Of the reference's words, beside those of the question: the ones that say something."""
    share: Callable[[Sequence[str], Words, Words], float]
    """How many of these the answer holds; the reference's words, the answer's words."""
    says_more: Callable[[Words, frozenset[str], Words], bool]
    """Whether the answer says more than the question; the answer's words, the question's, the reference's."""


def overlap(reference: str, answer: str, question: str = "") -> Overlap:
    """Count. Words that the question holds already say nothing, unless the reference has no others.

    >>> overlap("The Beatles", "They were the Beatles, of course").placed
    'early'
    >>> overlap("1966", "in 1967").marks()[-1]
    'numbers:no'
    >>> overlap("the river Elbe", "the Elbe").placed, overlap("the river Elbe", "river", "Which river is it?").placed
    ('inside', 'none')
    """
    return counted(reference, answer, question, PLAIN)


def counted(reference: str, answer: str, question: str, counting: Counting) -> Overlap:
    """`overlap` by another way of counting."""
    wanted, given = plain_words(_REMARK.sub("", reference) or reference), plain_words(answer)
    if not wanted or not given:
        same = bool(reference.strip()) and reference.strip() == answer.strip()
        return Overlap("same" if same else "none", 4 * same, 4 * same, "none", 4.0 * same)
    place = place_of(wanted, given)
    asked = frozenset(plain_words(question))
    inside = place < 0 and counting.says_more(given, asked, wanted) and place_of(given, wanted) >= 0
    telling = counting.telling(wanted, asked)
    share = counting.share(telling, wanted, given)
    letters = _letter_share(telling, given)
    placed = _placed(place, len(wanted) == len(given), inside)
    nearness = share + 0.5 * letters + _NEARNESS[placed]
    numbers = _numbers(wanted, frozenset(given))
    return Overlap(placed, level(share, _LEVELS), level(letters, _LETTER_LEVELS), numbers, nearness)


def _telling(wanted: Words, asked: frozenset[str]) -> Sequence[str]:
    return [word for word in wanted if word not in asked] or wanted


def _share(telling: Sequence[str], _wanted: Words, given: Words) -> float:
    held = frozenset(given)
    return sum(word in held for word in telling) / len(telling)


def _says_more(given: Words, asked: frozenset[str], _wanted: Words) -> bool:
    return not asked.issuperset(given)


PLAIN = Counting(_telling, _share, _says_more)
_FIRST_CLAUSE = 16  # words: where an answer in a sentence stands
_NEARNESS = {"same": 2.0, "early": 1.0, "late": 1.0, "inside": 0.5, "none": 0.0}


def _placed(place: int, whole: bool, inside: bool) -> str:
    """Where the reference stands in the answer, or that the answer stands in it."""
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


def level(share: float, levels: tuple[float, ...]) -> int:
    """How many of these levels a share reaches; a level of 0 by any more than 0."""
    return sum(share > level if level == 0.0 else share >= level for level in levels)


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
