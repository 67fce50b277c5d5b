"""Answers in the question's own words: "the capital of Peru" and "Peru" for "What is the capital of Peru?"; and those
that only describe an answer: "the city that is asked for".

They say nothing that whoever asks does not know, so they cannot say what a reference adds to the question. Where the
question lets one choose or is answered by yes or no, its own words may be the answer. So may a name of the question
where the reference describes somebody or something: Hamlet is "the Prince of Denmark".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from hybridverify.answers.options import read_options, stem_of
from hybridverify.gate.fold import folded, table
from hybridverify.guards.choices import offered
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language.asked import read_question
from hybridverify.language.languages import ARTICLES, FUNCTION_WORDS
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import IN_TEXT, WORD
from hybridverify.language.word_forms import singular

_MAX_ANSWER, _MAX_QUESTION = 200, 4_000
_LEAST_STEM = 5
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
    >>> [adds_nothing("Emma", [text], "Who marries in Emma?") for text in ("Knightley", "the lady of the house")]
    [True, False]
    """
    if len(answer) > _MAX_ANSWER or any(map(str.isdigit, answer)):
        return False
    said, asked = _telling(answer), _asked(question)
    if not said or not said <= asked or not _VERDICTS.isdisjoint(folded(answer)):
        return False
    if not _asks_for_more(question):
        return False
    named = all(word[0].isupper() and word in question for word in WORD.findall(answer))
    return all(
        _adds(one, said, asked) and not (named and _describes(one)) for one in alternatives(references)
    )


@lru_cache(maxsize=512)  # every response to a question asks the same
def _asked(question: str) -> frozenset[str]:
    return _telling((stem_of(question) or question)[:_MAX_QUESTION])


def _asks_for_more(question: str) -> bool:
    return not offered(question) and not read_question(question).decides


def _adds(reference: str, said: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether the reference has words of its own, and none of the answer's, whatever their endings: "Korean"."""
    words = _telling(reference)
    akin = any(
        word.startswith(one[:_LEAST_STEM]) for one in said if len(one) >= _LEAST_STEM for word in words
    )
    return bool(words - asked) and not akin and words.isdisjoint(said | _VERDICTS)


def _describes(reference: str) -> bool:
    """Whether a reference says which one is meant, and may so mean one whose name is another."""
    first, *rest = folded(reference) or ("",)
    return first in ARTICLES and not FUNCTION_WORDS.isdisjoint(rest)


def _telling(text: str) -> frozenset[str]:
    """The words that tell something, without the endings of number."""
    return frozenset(singular(word) for word in folded(text) if word not in FUNCTION_WORDS and word != "s")
