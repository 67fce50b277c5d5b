"""Two answers that the question offers, "wide or narrow": which of them does the reference name, and which the answer?

The reference may be a sentence in the question's own words; the answer is no more than the words of one of the two.
Only what is told of one of them and not of the other counts, and a negation or both of them together decide nothing.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.word_forms import singular
from hybridverify.maths.comparing.rules import Comparison, different, equal

_MAX_QUESTION = 20_000
_MAX_TEXT = 300
_WORD = re.compile(r"[^\W_]+")
_NAMED_A = re.compile(r"\w\sA\b")
_BRACKET = re.compile(r"[(\[]\s?([a-z-]{2,20})(?:\s?/\s?| or )([a-z-]{2,20})\s?[)\]]", re.IGNORECASE)
_LAST_WORDS = re.compile(r"(?<![\w,/-] or )\b([a-z-]{2,20}) or ([a-z-]{2,20})\s?\?", re.IGNORECASE)
_PHRASES = re.compile(r"[:,]\s([^:,?.\n]{2,120}?),? or ([^:,?.\n]{2,120}?)\?", re.IGNORECASE)
_TURNING = frozenset(
    (
        "not",
        "no",
        "never",
        "neither",
        "nor",
        "none",
        "both",
        "either",
        "or",
        "than",
        "unless",
        "if",
        "but",
        "except",
    )
)
_IDLE = frozenset(("the", "a", "an", "one", "that", "which", "is", "are", "it", "to", "of", "answer"))


def by_offer(reference: str, answer: str, question: str) -> Comparison | None:
    """The reference and the answer as one of the two that the question offers; None where that does not decide.

    >>> asked = "Is the lake deep or shallow?"
    >>> by_offer("The lake is deep.", "shallow", asked).outcome, by_offer("The lake is not deep.", "deep", asked)
    ('different', None)
    """
    if not question or len(reference) > _MAX_TEXT or len(answer) > _MAX_TEXT:
        return None
    told, said = _words(reference), _words(answer)
    if not said or not told or not _TURNING.isdisjoint(told | said):
        return None
    own = _two_offers(question)
    if own is None or not told <= _question_words(question):
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
    named = {"a"} if _NAMED_A.search(text) else set()
    return frozenset(singular(word) for word in _WORD.findall(text.lower())) - (_IDLE - named)


@lru_cache(maxsize=128)
def _question_words(question: str) -> frozenset[str]:
    return _words(question[:_MAX_QUESTION])


@lru_cache(maxsize=128)
def _two_offers(question: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of the two; None where the question offers none, or not the same two everywhere."""
    text = question[:_MAX_QUESTION]
    pairs = [match for form in (_BRACKET, _LAST_WORDS) for match in form.findall(text)] or _PHRASES.findall(
        text
    )
    found = {frozenset((_words(one), _words(other))) for one, other in pairs}
    if len(found) != 1 or len(two := tuple(next(iter(found)))) != 2:
        return None
    return (two[0], two[1]) if two[0] - two[1] and two[1] - two[0] else None
