"""Answers that only ask: "Ulm?", "Is it Ulm?". Whoever asks has not answered, though the reference stands there.

Separate from comparison.py because the guards before judges ask the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.answers.sentences import ASKED_EQUALS, QUESTION_MARKS, sentences_of
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.vocabulary import words_of

ASKED = "asked"
"""The reason against such an answer."""
_CLOSING = " $*)}]\"'\n"
_OPENINGS = frozenset((*entries("english", "asking"), *entries("questions", "polar")))


def only_asks(answer: str, references: Sequence[str]) -> bool:
    """Whether every sentence of an answer is a question, and no reference may be one.

    >>> only_asks("Is it Ulm?", ["Ulm"]), only_asks("Is it Bonn? No, Ulm.", ["Ulm"])
    (True, False)
    >>> only_asks("Who's There?", ["Who's There"])
    False
    """
    if any(map(_may_be_question, references)):
        return False
    if any(map("".join(answer.split()).__contains__, ASKED_EQUALS)) and len(sentences_of(answer)) == 1:
        return True
    if not _ends_on_mark(answer):
        return False
    return all(map(_ends_on_mark, filter(str.strip, sentences_of(answer))))


def _ends_on_mark(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith((*QUESTION_MARKS,))


def _may_be_question(reference: str) -> bool:
    """A title or a saying that asks may have lost its mark."""
    first = words_of(reference.lower())[:1]
    return _ends_on_mark(reference) or not _OPENINGS.isdisjoint(first)
