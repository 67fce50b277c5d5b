"""Phrases that say no more than the answer in them: `Anna wins` where it is asked who wins, `f is odd` of f.

Words count as idle only where the question has them; whatever could turn the meaning makes the phrase another answer.
"""

from __future__ import annotations

from itertools import pairwise

from hybridverify.language import expressions as re
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.notation.vocabulary import words

_TURNS = words("not no never neither nor and or but if unless without than except only cannot isn't aren't")
_GENERAL = words("it this that there its graph curve figure shape answer result it's")
_COPULAS = words("is are was")
_WINS = ("wins", "will win", "always wins", "has winning strategy", "has the winning strategy", "is winner")
_WHO = re.compile(
    r"\b(?:who|which|what) (?:of the )?(?:\w+ )?(?:players? |person )?(?:will |can |always )?(?:win|has a)"
)
_LOSES = re.compile(r"\blos(?:e|es|er|ing)\b")
_MAX_WORDS = 40


def says_no_more(phrase: str, answer: str, case: Case) -> bool:
    """Is the phrase the answer with idle words around it? Both are folded."""
    if len(answer) < 2 or len(phrase) <= len(answer) or phrase.count(" ") > _MAX_WORDS:
        return False
    if phrase.endswith(" " + answer):
        return _is_subject(phrase[: -len(answer) - 1].casefold().split(), answer.casefold(), case)
    if phrase.startswith(answer + " "):
        return _is_idle_tail(phrase[len(answer) + 1 :].casefold(), answer.casefold(), case)
    return False


def _is_subject(before: list[str], answer: str, case: Case) -> bool:
    """`f is` before `odd`: the subject is the question's, and no comparison is made."""
    if before[-1] not in _COPULAS or answer.endswith("er") or answer.split()[0] in ("more", "less", *_TURNS):
        return False
    subject = before[:-1]
    asked = _asked(case)
    if not subject or not (_TURNS | _COPULAS).isdisjoint(subject) or _is_alternative(subject[-1], asked):
        return False
    if subject[-1] + "," in case.question.casefold():  # "is it prime, composite, or a unit?"
        return False
    return all(word in asked or word in _GENERAL for word in subject)


def _asked(case: Case) -> list[str]:
    return [word.strip(".,;:!?\"'$()[]{}") for word in case.question.casefold().split()]


def _is_alternative(word: str, asked: list[str]) -> bool:
    """`Is A or B even?` asks for one of the subjects."""
    pairs = list(pairwise(asked))
    return (word, "or") in pairs or ("or", word) in pairs


def _is_idle_tail(tail: str, answer: str, case: Case) -> bool:
    question = case.question.casefold()
    wins = tail in _WINS and answer in question
    return wins and bool(_WHO.search(question)) and not _LOSES.search(question)
