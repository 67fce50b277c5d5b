"""Whether the clause right after an answer calls it wrong: "The answer is 391, which is clearly false."."""

from __future__ import annotations

from hybridverify.language import claims
from hybridverify.language.denials import NOT
from hybridverify.language.languages import FUNCTION_WORDS, RIGHT_ANSWER
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.pieces import pieces

_BEFORE = " \t\n.,;:!$*)}]\\—–-"
_ENDS = ",;:!?\n"
_WRONG = claims.kinds("refuted dropped")
_TRUE = (*RIGHT_ANSWER, "right", "true", "valid")
_POINTS = frozenset(
    ("this", "that", "it", "which", "the", "answer", "value", "result", "solution", "number", "one")
)
_LEADS = frozenset(("but", "and", "so", "no", "well", "wait", "however", "though"))
"""Words that may stand before a subject of those above."""
_MAX_CLAUSE = 120
_REASONS = FUNCTION_WORDS - {"that", "to"}


def is_called_wrong(answer: str, text: str) -> bool:
    """Whether a text after an answer begins with a clause that calls it wrong. What is itself a "no" or a "false" may
    be explained so.

    >>> is_called_wrong("391", ", which is clearly false."), is_called_wrong("391", ". This is not right: I guessed.")
    (True, True)
    >>> is_called_wrong("391", ", which is odd."), is_called_wrong("0.05", ". This is the false positive rate.")
    (False, False)
    >>> is_called_wrong("False", ". It is false, since 2 is prime.")
    False
    """
    clause = pieces(text.lstrip(_BEFORE)[:_MAX_CLAUSE].replace(". ", ";").rstrip("."), _ENDS)[0]
    claim = claims.first_claim(clause)
    if claim is None or claims.holds(answer, _WRONG | claims.DENIED):
        return False
    subject = frozenset(words_of(claim.subject.lower())) - _LEADS
    return bool(subject) and subject <= _POINTS and _is_wrong(words_of(clause[claim.start :].lower()))


def _is_wrong(predicate: list[str]) -> bool:
    """Whether the words after a copula say "wrong" or "not right", and that of no noun."""
    denied = False
    while predicate and (predicate[0] in NOT or predicate[0].endswith("ly")):
        denied ^= predicate[0] in NOT
        predicate = predicate[1:]
    if not predicate or not _REASONS.issuperset(predicate[1:2]):
        return False  # "the false positive rate", "false that it is 5"
    return predicate[0].startswith(_TRUE) if denied else claims.holds(predicate[0], _WRONG)
