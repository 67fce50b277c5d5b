"""The printed value of the last program run, repeated by the one sentence behind it in the question's own words.

Apart from conclusion.py, whose values are guesses: a program that was run for the question, and a sentence that says
nothing but what was asked and what was printed, give the answer as the answer.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.languages import FUNCTION_WORDS, SUMMING
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import NUMBER, WORD
from hybridverify.language.word_forms import singular
from hybridverify.maths import numerals

OUTPUT = "```output"
_FENCE = "```"
_MAX_SENTENCE = 200
_LEAST = 2
"""Words that the sentence and the asking sentence must share."""
_NEGATIONS = frozenset((*entries("signals", "not", "no"), "without"))
_IDLE = (FUNCTION_WORDS | SUMMING) - _NEGATIONS


def answer(body: str, question: str) -> str:
    r"""The value, "" where the text ends otherwise, or in other words.

    >>> answer("```output\n8\n```\n8 eggs did not break.", "Of 20 eggs, how many eggs did not break?")
    '8'
    >>> answer("```output\n8\n```\n8 eggs broke.", "Of 20 eggs, how many eggs did not break?")
    ''
    """
    value, sentence = _printed(body) if question else ("", "")
    if not sentence or len(sentence) > _MAX_SENTENCE:
        return ""
    read = numerals.read(value)
    told = [match.group().replace(",", "") for match in NUMBER.finditer(sentence)]
    if read is None or told != [str(read.value)] or re.search(r"[\n?:;=]|\.\s", sentence):
        return ""
    return value if _is_in_words_of(question, sentence) else ""


def _printed(body: str) -> tuple[str, str]:
    """What was printed last, and what ends the text after it; both "" where no fence stands between them."""
    at = body.rfind(OUTPUT)
    told = body[at + len(OUTPUT) : at + 2 * _MAX_SENTENCE] if at >= 0 else ""
    value, fence, sentence = map(str.strip, told.partition(_FENCE))
    return (value, sentence) if fence and body.endswith(sentence) else ("", "")


def _is_in_words_of(question: str, sentence: str) -> bool:
    """Does the sentence say nothing that the question does not, and what was asked?"""
    said = {singular(word) for word in WORD.findall(sentence.lower())}
    known = {singular(word) for word in WORD.findall(question.lower())}
    kept = said - _IDLE
    same_denials = said & _NEGATIONS <= known and not (_asking(question) & _NEGATIONS) - said
    return same_denials and kept <= known and len(kept & read_question(question).counted) >= _LEAST


def _asking(question: str) -> frozenset[str]:
    """The words of the last sentence."""
    return frozenset(WORD.findall(re.split(r"[.!?]\s", question.strip())[-1].lower()))
