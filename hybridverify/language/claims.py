"""What a sentence claims, and the words in it that deny, doubt, suppose or change the value that it gives.

Every reader of sentences asks here and keeps no list of such words: it names the kinds of words that a sentence of
its sort may not hold. The words stand in `lexicon/signals.toml`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.lexicon.vocabulary import Vocabulary
from hybridverify.language.patterns import WORD

_VOCABULARY = Vocabulary("signals")
CONTRACTED = "contracted"
"""The kind of "isn't" and its like."""
ASKED = "asked"
"""The kind of a question mark."""
KINDS = _VOCABULARY.kinds | {CONTRACTED, ASKED}


def kinds(names: str) -> frozenset[str]:
    """Kinds of words by their names, which blanks set apart."""
    wanted = frozenset(names.split())
    if not wanted <= KINDS:
        raise ValueError(f"no kinds of words: {', '.join(sorted(wanted - KINDS))}")
    return wanted


DENIED = kinds(f"not no {CONTRACTED}")
"""A sentence with such a word denies something."""
CHANGED = DENIED | kinds(
    "refuted dropped unsure believed modal supposed contrast or several compared near rounded beyond "
    "level more extreme changed shared scaled"
)
"""Beside such a word a value is not simply the one that is stated."""


@lru_cache(maxsize=1024)
def signals(text: str) -> frozenset[str]:
    """The kinds of words in a text that bear on a value in it.

    >>> sorted(signals("It isn't 5, perhaps.")), sorted(signals("It is 5."))
    (['contracted', 'unsure'], [])
    """
    low = text.lower()
    found = _VOCABULARY.of(low)
    if "?" in low or "？" in low:
        found.add(ASKED)
    if "n't" in low or "n’t" in low:
        found.add(CONTRACTED)
    return frozenset(found)


def holds(text: str, wanted: frozenset[str]) -> bool:
    """Whether the text has a word of one of these kinds."""
    return not wanted.isdisjoint(signals(text))


def is_denial(sentence: str) -> bool:
    """Whether a sentence denies something: what it ends on may be what it denies."""
    return holds(sentence, DENIED)


_NEIGHBOURS = 3
"""The most words of an entry that stands right before a value."""


def ends_on(before: str, phrases: frozenset[str]) -> bool:
    """Whether a text ends on one of these phrases; "no less than" is none of "less than".

    >>> ends_on("It is less than ", frozenset(["less than"])), ends_on("no less than", frozenset(["less than"]))
    (True, False)
    """
    if not before.rstrip()[-1:].isalpha():
        return False
    words = WORD.findall(before.lower())[-_NEIGHBOURS:]
    if words[0] == "no" and words[-1] == "than":
        return False
    return any(" ".join(words[-count:]) in phrases for count in range(1, len(words) + 1))


COPULA = phrases("announcing", "claiming", cased=True)  # "Is" stands in titles and questions


class Claim(NamedTuple):
    """What a sentence says of something: the text before its copula, and where the text after it begins."""

    subject: str
    start: int


def first_claim(sentence: str) -> Claim | None:
    """The claim of the first copula, None where there is none."""
    return next(claims_of(sentence), None)


def last_claim(sentence: str) -> Claim | None:
    """The claim of the last copula, None where there is none.

    >>> last_claim("What she has is 5.")
    Claim(subject='What she has ', start=15)
    """
    return next(iter(deque(claims_of(sentence), maxlen=1)), None)


def claims_of(sentence: str) -> Iterator[Claim]:
    """The claims of all copulas."""
    return (Claim(sentence[: found.start()], found.end()) for found in COPULA.finditer(sentence))
