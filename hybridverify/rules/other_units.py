"""Answers with the right number of another thing than the question counts: `500 dollars` for "How many cents?",
`4 crates` where the question has crates and asks for apples. A unit that the question does not have is a slip
of the pen, by the convention of published references: `4 cm` for a number of apples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from hybridverify.conventions import Conventions
from hybridverify.language.languages import FUNCTION_WORDS
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.patterns import WORD
from hybridverify.language.word_forms import singular
from hybridverify.maths import answer_reading, numerals
from hybridverify.maths.units.si import size_of
from hybridverify.maths.values.kinds import Money, Quantity, Value

OTHER_UNIT = "another unit"
"""The reason of an acceptance that is withheld."""
_NUMBER_SIGNS = "+-.,0123456789 "
_MAX_ANSWER, _MAX_QUESTION, _MOST_WORDS = 80, 20_000, 4
_SIGNS = {"$": ("dollar", "buck")}
_HOW_MANY = ("how", "many")
_MONEY_KIND = "USD"


def counts_another(question: str, answer: str, references: Sequence[str], conventions: Conventions) -> bool:
    """Whether the question asks how many there are of something, every reference is a bare number, and the answer
    names something else.

    >>> from hybridverify.conventions import DEFAULT
    >>> asked = "Ann packs 60 apples into 4 crates. How many apples are in a crate?"
    >>> [counts_another(asked, text, ["15"], DEFAULT) for text in ("15 apples", "15 crates", "15 kg", "15 each", "15")]
    [False, True, False, False, False]
    >>> counts_another("How many cents are 9 dollars?", "$900", ["900"], DEFAULT)
    True
    """
    if len(answer) > _MAX_ANSWER or not all(map(numerals.read, references)):
        return False
    if not answer.strip(_NUMBER_SIGNS):
        return False
    nouns = _counted(question[:_MAX_QUESTION])
    if not nouns or not nouns.isdisjoint(map(singular, words_of(answer.lower()))):
        return False
    value = answer_reading(answer, conventions).value
    words = frozenset(map(singular, _words(value)))
    if not words or not words.isdisjoint(nouns) or _are_one_unit(words, nouns):
        return False
    if not _has_number_of_one(value, references):
        return False
    of_money = isinstance(value, Money) or _are_of_money(words)
    return (of_money and _are_of_money(nouns)) or _words_of(question[:_MAX_QUESTION]).issuperset(words)


def _has_number_of_one(value: Value | None, references: Sequence[str]) -> bool:
    """Whether the number is a reference's as it stands; else it was converted."""
    number = value.value.exact if isinstance(value, (Quantity, Money)) else None
    return any(told is not None and told.value == number for told in map(numerals.read, references))


def _words(value: Value | None) -> Sequence[str]:
    """What a number counts, by its unit, its sign of a currency."""
    if isinstance(value, Quantity):
        return value.unit.words
    return _SIGNS.get(value.sign, (value.sign,)) if isinstance(value, Money) else ()


def _are_one_unit(words: frozenset[str], nouns: frozenset[str]) -> bool:
    """`km` for kilometers."""
    sizes = set(filter(None, map(size_of, words)))
    return bool(sizes) and not sizes.isdisjoint(map(size_of, nouns))


def _are_of_money(words: frozenset[str]) -> bool:
    """Whether one names dollars or cents."""
    return any((size_of(word) or ("",))[0] == _MONEY_KIND for word in words)


@lru_cache(maxsize=256)  # every response to a question asks the same
def _counted(question: str) -> frozenset[str]:
    """The words right after each "how many", up to one that only holds the sentence together."""
    low = question.lower()
    words = WORD.findall(low) if " ".join(_HOW_MANY) in low else []
    places = (at for at in range(len(words) - 2) if (words[at], words[at + 1]) == _HOW_MANY)
    return frozenset(noun for at in places for noun in _nouns(words[at + 2 :]))


def _nouns(words: Sequence[str]) -> Iterator[str]:
    return map(singular, islice(takewhile(lambda word: word not in FUNCTION_WORDS, words), _MOST_WORDS))


@lru_cache(maxsize=256)
def _words_of(question: str) -> frozenset[str]:
    return frozenset(map(singular, WORD.findall(question.lower())))
