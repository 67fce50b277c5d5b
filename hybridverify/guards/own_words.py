"""Answers in the question's own words: "the capital of Peru" and "Peru" for "What is the capital of Peru?"; and those
that only describe an answer: "the city that is asked for".

They say nothing that whoever asks does not know, so they cannot say what a reference adds to the question. Where the
question lets one choose or is answered by yes or no, its own words may be the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from hybridverify.answers.options import read_options, stem_of
from hybridverify.gate.fold import folded, table
from hybridverify.guards.choices import offered
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language.asked import read_question
from hybridverify.language.languages import FUNCTION_WORDS
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import IN_TEXT
from hybridverify.language.word_forms import singular

_MAX_ANSWER, _MAX_QUESTION = 200, 4_000
_CONSTANTS = frozenset("eiπ")
_VERDICTS = frozenset(("yes", "no", "true", "false", "not", "never", "none"))


def only_describes(answer: str, references: Sequence[str], question: str) -> bool:
    """Whether an answer says no more than that it is the answer: "the number that solves the problem".

    Its words are the question's or those with which any answer is spoken of, no reference and no option has one of
    them, and a letter stands for nothing ("x, where x is the answer").

    >>> asked = "Which town has the oldest mill?"
    >>> told = ("the town that answers the question", "x, where x is the answer", "the answer is Ulm")
    >>> [only_describes(text, ["Ulm"], asked) for text in told]
    [True, True, False]
    """
    if len(answer) > _MAX_ANSWER or any(map(str.isdigit, answer)):
        return False
    said = _telling(IN_TEXT.sub(r" \1 ", answer))
    letters = frozenset(word for word in said if len(word) == 1 and word not in _CONSTANTS)
    if _sought().isdisjoint(said) and not _is_defined(said, letters, answer):
        return False
    if not said - letters <= _about_answers() | _asked(question):
        return False
    return not _may_be_option(said, letters, question) and all(
        bool(words - _about_answers()) and words.isdisjoint(said) for words in map(_telling, references)
    )


def _is_defined(said: frozenset[str], letters: frozenset[str], answer: str) -> bool:
    """ "x, where x": letters and words of grammar."""
    grammar = {word for word in folded(answer) if len(word) > 1}
    return bool(letters and grammar) and grammar <= table("EMPTY_WORDS") and said - grammar == letters


def _may_be_option(said: frozenset[str], letters: frozenset[str], question: str) -> bool:
    """Whether the question has a choice that these words may name."""
    if read_question(question).decides or not offered(question).isdisjoint(said):
        return True
    options = read_options(question)
    return any(label.lower() in letters or not said.isdisjoint(_telling(text)) for label, text in options)


@cache
def _about_answers() -> frozenset[str]:
    """The words with which an answer is announced, praised or pointed at."""
    known = table(
        *("OPENERS", "FILLERS", "CLAIMS", "ADDRESS_FILLERS", "PLACEHOLDERS", "POINTING", "ABOUT_POINTING"),
        "EMPTY_WORDS",
    )
    return frozenset(map(singular, known)) - _VERDICTS


@cache
def _sought() -> frozenset[str]:
    """What an answer is called, and that to which it is one."""
    return frozenset(entries("naming", "sought"))


def adds_nothing(answer: str, references: Sequence[str], question: str) -> bool:
    """Whether every telling word of an answer stands in the question, and every reference needs another one.

    >>> asked = "What is the capital of Peru?"
    >>> [adds_nothing(text, ["Lima"], asked) for text in ("Peru's capital", "Peru", "Lima, Peru", "a town")]
    [True, True, False, False]
    >>> adds_nothing("iron", ["the former"], "Is iron or wood heavier?")
    False
    """
    if not question or len(answer) > _MAX_ANSWER or any(map(str.isdigit, answer)):
        return False
    said, asked = _telling(answer), _asked(question)
    if not said or not said <= asked or not _VERDICTS.isdisjoint(folded(answer)):
        return False
    return _asks_for_more(question) and all(_adds(one, said, asked) for one in alternatives(references))


@lru_cache(maxsize=512)  # every response to a question asks the same
def _asked(question: str) -> frozenset[str]:
    return _telling((stem_of(question) or question)[:_MAX_QUESTION])


def _asks_for_more(question: str) -> bool:
    return not offered(question) and not read_question(question).decides


def _adds(reference: str, said: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether the reference has words of its own, and none of the answer's."""
    words = _telling(reference)
    return bool(words - asked) and words.isdisjoint(said | _VERDICTS)


def _telling(text: str) -> frozenset[str]:
    """The words that tell something, without the endings of number."""
    return frozenset(singular(word) for word in folded(text) if word not in FUNCTION_WORDS and word != "s")
