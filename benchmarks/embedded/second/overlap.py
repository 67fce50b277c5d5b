"""How much of a reference stands in an answer: the package's count, by words of content in any form."""

from __future__ import annotations

from collections.abc import Sequence

from embedded.second.content import FUNCTION_WORDS, key
from hybridverify.judges.embedded.overlap import Counting, Overlap, Words, counted


def overlap(reference: str, answer: str, question: str = "") -> Overlap:
    """Count. Words that the question holds already say nothing, unless the reference has no others.

    >>> overlap("The Beatles", "They were the Beatles, of course").placed
    'early'
    >>> overlap("1966", "in 1967").numbers, overlap("Ivo B. Holm", "Holm").words, overlap("Ivo Holm", "I. Holm").words
    ('no', 1, 4)
    >>> overlap("the river Elbe", "the Elbe").placed, overlap("the river Elbe", "river", "Which river is it?").placed
    ('inside', 'none')
    """
    return counted(reference, answer, question, CONTENT)


def _telling(wanted: Words, asked: frozenset[str]) -> list[str]:
    """Words of the reference that say something: not in the question and of content, as far as there are any."""
    fresh = [word for word in wanted if word not in asked] or list(wanted)
    return [word for word in fresh if word not in FUNCTION_WORDS] or fresh


def _found(telling: Sequence[str], wanted: Words, given: Words) -> float:
    """Share of these words in the answer, in any form; an initial stands for a name beside another that is found."""
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


CONTENT = Counting(_telling, _found, _says_more)
