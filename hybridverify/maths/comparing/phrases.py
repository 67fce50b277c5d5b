"""Phrases that say no more than the answer in them: `Anna wins` where it is asked who wins, `f is odd` of f.

Words count as idle only where the question has them; whatever could turn the meaning makes the phrase another answer.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from hybridverify.language import claims
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import WORD
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.notation.vocabulary import words

_TURNS = claims.kinds("not no several or compared supposed contrast apart contracted")
_JOINING = words("and only")
_GENERAL = words("it this that there its graph curve figure shape answer result it's")
_COMPARED = ("more ", "less ")
_COPULAS = words("is are was")
_WINS = ("wins", "will win", "always wins", "has winning strategy", "has the winning strategy", "is winner")
_WHO = phrases("phrases", "winning")
_MAX_WORDS = 40
_NO_KIND = words(
    "is are was were do does did has have had can could will would the a an of it this that kind type"
)
"""Words after "which" and "what" that name no kind of thing."""


def says_no_more(phrase: str, answer: str, case: Case) -> bool:
    """Is the phrase the answer with idle words around it? Both are folded."""
    if len(answer) < 2 or len(phrase) <= len(answer) or phrase.count(" ") > _MAX_WORDS:
        return False
    if phrase.endswith(" " + answer):
        before = phrase[: -len(answer) - 1].casefold()
        return _is_sought(before, case) or _is_subject(before.split(), answer.casefold(), case)
    if phrase.startswith(answer + " "):
        tail = phrase[len(answer) + 1 :].casefold()
        return _is_sought(tail, case) or _is_idle_tail(tail, answer.casefold(), case)
    return False


def _is_sought(word: str, case: Case) -> bool:
    """`Nile river`, `river Nile` where it is asked which river: the word is what is sought."""
    if not word.isalpha() or word.endswith("s") or word in _NO_KIND:
        return False
    return any(pair in _pairs(case.question) for pair in (("which", word), ("what", word)))


@lru_cache(maxsize=256)
def _pairs(question: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(WORD.findall(question.casefold())))


def _is_subject(before: list[str], answer: str, case: Case) -> bool:
    """`f is` before `odd`: the subject is the question's, and no comparison is made."""
    if before[-1] not in _COPULAS or _turns(answer.split()[:1]) or _is_comparative(answer):
        return False
    subject = before[:-1]
    asked = _asked(case)
    if (
        not subject
        or _turns(subject)
        or not _COPULAS.isdisjoint(subject)
        or _is_alternative(subject[-1], asked)
    ):
        return False
    if subject[-1] + "," in case.question.casefold():  # "is it prime, composite, or a unit?"
        return False
    return all(word in asked or word in _GENERAL for word in subject)


def _is_comparative(answer: str) -> bool:
    return answer.endswith("er") or answer.startswith(_COMPARED)


def _turns(words_before: list[str]) -> bool:
    """Do the words turn the meaning of what follows?"""
    return claims.holds(" ".join(words_before), _TURNS) or not _JOINING.isdisjoint(words_before)


def _asked(case: Case) -> list[str]:
    return [word.strip(".,;:!?\"'$()[]{}") for word in case.question.casefold().split()]


def _is_alternative(word: str, asked: list[str]) -> bool:
    """`Is A or B even?` asks for one of the subjects."""
    pairs = list(pairwise(asked))
    return (word, "or") in pairs or ("or", word) in pairs


def _is_idle_tail(tail: str, answer: str, case: Case) -> bool:
    wins = tail in _WINS and case.asks(answer)
    return wins and bool(_WHO.search(case.question)) and not case.speaks_of("losing")
