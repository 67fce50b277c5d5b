"""Whether the clause right after an answer calls it wrong: "The answer is 391, which is clearly false."."""

from __future__ import annotations

from itertools import takewhile

from hybridverify.language import claims
from hybridverify.language.denials import NOT
from hybridverify.language.languages import FUNCTION_WORDS, RIGHT_ANSWER
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import longest_of
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.pieces import pieces

_BEFORE = " \t\n.,;:!?$*()}\\]—–-…"
_ENDS = ",;:!?\n"
_WRONG = claims.kinds("refuted dropped")
_ERRORS = frozenset(("error", "errors", "slip", "typo"))
_TRUE = (*RIGHT_ANSWER, "right", "true", "valid")
_POINTS = frozenset(
    (
        "this", "that", "it", "which", "the", "answer", "value", "result", "solution", "number", "one", "i", "we",
    )
)  # fmt: skip
_LEADS = frozenset(("but", "and", "so", "no", "well", "wait", "however", "though", "hmm", "oops"))
"""Words that may stand before a subject of those above, also as clauses of their own."""
_VERBS = frozenset(
    (
        *entries("english", "being"), "s", "be", "been", "am", "look", "looks", "looked", "seem", "seems", "seemed",
        "made", "must", "has", "have", "to",
    )
)  # fmt: skip
_MODALS = frozenset(("can", "ca", "could", "may", "might", "would"))
"""With one of these "wrong" is a doubt, while "cannot be right" denies."""
_ADDING = frozenset(entries("english", "article"))
_MAX_CLAUSE = 120
_REASONS = FUNCTION_WORDS.union(entries("english", "reason")) - {"that", "to"}
CUES = longest_of((*entries("signals", "refuted"), *entries("signals", "dropped"), *_ERRORS, *_TRUE))
"""How the words begin of which one stands in every clause in ASCII that is found here."""


def is_called_wrong(answer: str, text: str) -> bool:
    """Whether a text after an answer begins with a clause that calls it wrong. What is itself a "no" or a "false" may
    be explained so.

    >>> is_called_wrong("391", ", which is clearly false."), is_called_wrong("391", ". Wait, that can't be right.")
    (True, True)
    >>> is_called_wrong("391", ", which is odd."), is_called_wrong("0.05", ". This is the false positive rate.")
    (False, False)
    >>> is_called_wrong("False", ". It is false, since 2 is prime.")
    False
    """
    told = text.lstrip(_BEFORE)[:_MAX_CLAUSE]
    if not _may_begin(told) or claims.holds(answer, _WRONG | claims.DENIED):
        return False
    words = _clause(told)
    subject = [*takewhile((_POINTS | _LEADS).__contains__, words)]
    return not _POINTS.isdisjoint(subject) and _is_wrong(words[len(subject) :])


def _may_begin(text: str) -> bool:
    """A quick look at the first word."""
    first = words_of(text[:_LONGEST].lower())[:1]
    return bool(first) and (first[0] in _POINTS or first[0] in _LEADS)


_LONGEST = max(map(len, _POINTS | _LEADS)) + 1


def _clause(text: str) -> list[str]:
    """The words of the first clause that says more than "no" or "wait"."""
    low = text.lower().replace("’", "'").replace("n't", " not").replace("cannot", "can not")
    told = map(words_of, pieces(low.replace(". ", ";").rstrip("."), _ENDS))
    return next((words for words in told if not _LEADS.issuperset(words)), [])


def _is_wrong(predicate: list[str]) -> bool:
    """Whether a verb and what follows it say "wrong" or "not right", and that of no noun."""
    at = next((at for at, word in enumerate(predicate) if not _is_of_verb(word)), len(predicate))
    verb, rest = predicate[:at], predicate[at:]
    if (_VERBS | _MODALS).isdisjoint(verb) or not rest or not _REASONS.issuperset(rest[1:2]):
        return False  # "the false positive rate", "false that it is 5"
    if sum(map(NOT.__contains__, verb)) % 2:
        return rest[0].startswith(_TRUE)
    return _MODALS.isdisjoint(verb) and (rest[0] in _ERRORS or claims.holds(rest[0], _WRONG))


def _is_of_verb(word: str) -> bool:
    """Whether a word belongs to a verb, denies it, or stands between it and an adjective or a noun."""
    if word in _VERBS or word in _MODALS or word in NOT:
        return True
    return word in _ADDING or word.endswith("ly")
