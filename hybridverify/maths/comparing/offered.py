"""Two answers that the question offers, "wide or narrow": which of them does the reference name, and which the answer?

The reference may be a sentence in the question's own words; the answer is no more than the words of one of the two.
Only what is told of one of them and not of the other counts, and a negation or both of them together decide nothing.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import claims
from hybridverify.language.offers import offers
from hybridverify.language.patterns import RUN
from hybridverify.language.word_forms import singular
from hybridverify.maths.comparing.rules import Comparison, different, equal

_MAX_QUESTION = 20_000
_MAX_TEXT = 300
_TURNING = claims.kinds("not no several or compared supposed contrast contracted")
_IDLE = frozenset(("the", "a", "an", "one", "that", "which", "is", "are", "it", "to", "of", "answer"))


def by_offer(reference: str, answer: str, question: str) -> Comparison | None:
    """The reference and the answer as one of the two that the question offers; None where that does not decide.

    >>> asked = "Is the lake deep or shallow?"
    >>> by_offer("The lake is deep.", "shallow", asked).outcome, by_offer("The lake is not deep.", "deep", asked)
    ('different', None)
    """
    own = _two_offers(question) if max(len(reference), len(answer)) <= _MAX_TEXT else None
    if own is None:
        return None
    told, said = _words(reference), _words(answer)
    if "both" in told | said or not told <= _question_words(question):
        return None
    if claims.holds(f"{reference} {answer}", _TURNING):
        return None
    places = _place(told, own), _place(said, own)
    if -1 in places or not said <= own[places[1]]:
        return None
    return equal("one of two") if places[0] == places[1] else different("the other of two")


def _place(words: frozenset[str], offers: tuple[frozenset[str], frozenset[str]]) -> int:
    """Which of the two the words name: by a word of its own, and none of the other; -1 for neither or both."""
    named = [not words.isdisjoint(offers[place] - offers[1 - place]) for place in (0, 1)]
    return named.index(True) if sum(named) == 1 else -1


def _words(text: str) -> frozenset[str]:
    """The words of a text without those that say little; a capital A within it is a name."""
    words = RUN.findall(text)
    named = {"a"} if "A" in words[1:] else set()
    return frozenset(singular(word.lower()) for word in words) - (_IDLE - named)


@lru_cache(maxsize=128)
def _question_words(question: str) -> frozenset[str]:
    return _words(question[:_MAX_QUESTION])


@lru_cache(maxsize=128)
def _two_offers(question: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of the two; None where the question offers none, or not the same two everywhere."""
    found = {frozenset((_words(one), _words(other))) for one, other in offers(question)}
    if len(found) != 1 or len(two := tuple(next(iter(found)))) != 2:
        return None
    return (two[0], two[1]) if two[0] - two[1] and two[1] - two[0] else None
