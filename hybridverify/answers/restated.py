r"""Whether the text after an answer gives the question another number: `\boxed{7} ... so Ann has 8 apples`.

Separate from later_values.py, because here the question says what an answer looks like: a clause that holds its words,
nothing else, and a number where it asks for one. Other quantities ("Bob has 5 apples") have other words.
"""

from __future__ import annotations

from hybridverify.answers.conflict import conflict, says
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.languages import CONCLUSIONS, FUNCTION_WORDS, SUMMING
from hybridverify.language.patterns import WORD
from hybridverify.language.word_forms import singular
from hybridverify.maths import numerals

_MAX_TEXT = 4_000
_CLAUSES = re.compile(
    r"(?<=[^\d\s])[,;:.!?](?=\s|$)|[;:!?\n。，；：]|\.(?=\s|$)|\b(?:but|because|since|and so|so)\b"
)
_NUMBER = re.compile(r"(?<![\w.,])\\?\$?(-?\d[\d,]*(?:\.\d+)?)(?![\w.]*\d)")
_DIGITS = frozenset("0123456789")
_LEAST = 2
"""Words of the question that a clause must share: one may be a unit."""
_IDLE = SUMMING.union(*(phrase.split() for phrase in CONCLUSIONS))


def restates(answer: str, text: str, question: str) -> bool:
    r"""Whether a clause of `text` answers the question with another number and the text does not come back.

    >>> restates("7", "But she finds one more, so Ann has 8 apples.", "How many apples does Ann have?")
    True
    >>> restates("7", "Bob has 5 apples.", "How many apples does Ann have?")
    False
    """
    if not question or len(text) > _MAX_TEXT or (text.isascii() and _DIGITS.isdisjoint(text)):
        return False
    told = _other_numbers(answer, text)
    if not told or numerals.read(answer) is None:
        return False
    last = _last_said(told, read_question(question).counted)
    return bool(last) and conflict(answer, last) and not says(answer, text[text.rfind(last) :])


def _last_said(told: list[tuple[str, str]], wanted: frozenset[str]) -> str:
    """The number of the last clause that speaks of what is wanted alone, "" where none does."""
    if len(wanted) < _LEAST:
        return ""
    return next((number for number, clause in reversed(told) if _only_says(clause, wanted)), "")


def _other_numbers(answer: str, text: str) -> list[tuple[str, str]]:
    """The first number of each clause that is not the answer's own ("7 packs for 30 days"), and its clause."""
    if not _NUMBER.search(text):
        return []
    found = ((_NUMBER.search(clause), clause) for clause in _CLAUSES.split(text)[1:])
    return [(number[1], clause) for number, clause in found if number and number[1] != answer]


def _only_says(clause: str, wanted: frozenset[str]) -> bool:
    said = {word for word in WORD.findall(clause.lower()) if word not in FUNCTION_WORDS}
    words = {singular(word) for word in said - _IDLE}
    least = 1 if said & SUMMING else max(_LEAST, len(wanted) - 1)
    return len(words & wanted) >= least and words <= wanted
