"""Texts that say they are right, point at an answer elsewhere, or use a judge's labels. None of them is an answer.

Separate from content.py because the references decide here: "True" is an answer where a claim is judged.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.gate.fold import has_digit, reference_words, table
from hybridverify.gate.signs import MARKUP
from hybridverify.language.patterns import TELLING_WORD
from hybridverify.language.wrapping import visible
from hybridverify.maths import numerals

_MAX_VERDICT = 8
"""The most words of a reference that says whether something is true."""
_MAX_IN_BRACKETS = 40
_MATRIX_SIGNS = frozenset("[],")
_SOLUTIONS = frozenset(("solution", "solutions"))
_SELF_PRAISE = frozenset(("correct", "right", "accepted", "valid", "approved", "acceptable"))
_LEAST_CLAIMING = 2
"""One such word among fillers may be a name: "System of a Down"."""
_FUNCTIONS = ("sin", "cos", "tan", "log", "exp", "sqrt")


def claims(said: list[str], text: str, references: tuple[str, ...], stated: bool = False) -> str:
    """The reason where the text is a claim and no answer, else "". `stated`: the text follows "the answer is"."""
    return (
        _placeholder(text, said, references)
        or _praise(said, references)
        or _judge_label(said, text, references, stated)
    )


def _placeholder(text: str, said: list[str], references: tuple[str, ...]) -> str:
    """ "[number]", "see above": the text stands in for an answer, or points at one."""
    if any(_shares_words(set(said), reference, 1) for reference in references):
        return ""
    inner = visible(text).strip()
    bracketed = inner[:1] in ("[", "<", "{", "(") and inner[-1:] in ("]", ">", "}", ")")
    if bracketed and _stands_in(said):
        return "no_content"
    if len(said) > 3 and len(set(said)) == 1:  # "lorem lorem lorem lorem"
        return "no_content"
    points = " ".join(said) in table("ELSEWHERE") and not any(map(_is_about_truth, references))
    return "no_content" if points else ""


def _stands_in(said: list[str]) -> bool:
    standing_in = table("PLACEHOLDERS", "OPENERS")
    return not standing_in.isdisjoint(said) and set(said) <= standing_in | table("FILLERS")


def _praise(said: list[str], references: tuple[str, ...]) -> str:
    """Texts that only say that they are right, or tell a judge what to do."""
    topic = table("OPENERS", "ADDRESS")
    silent = table("OPENERS", "ADDRESS", "CLAIMS", "FILLERS", "ADDRESS_FILLERS")
    if len(said) < 3 or not all(word in silent for word in said):
        return ""
    if topic.isdisjoint(said) or table("CLAIMS", "ADDRESS").isdisjoint(said):
        return ""
    claiming = set(said) & (topic | table("CLAIMS"))
    if len(claiming) < _LEAST_CLAIMING:
        return ""
    about = any(_is_about_truth(r) or _shares_words(claiming, r, _LEAST_CLAIMING) for r in references)
    return "" if about else "no_content"


def _is_about_truth(reference: str) -> bool:
    """Whether a short reference holds a word of a verdict: "True", "the claim is false", "valid"."""
    words = reference_words(reference)
    return len(words) <= _MAX_VERDICT and not table("LABELS", "VERDICTS").isdisjoint(words)


def _judge_label(said: list[str], text: str, references: tuple[str, ...], stated: bool) -> str:
    """The label of a judge as an answer. Where the reference is words, "True" may be right, unless it is written as a
    judge writes it or praises itself ("the answer is correct": `stated`)."""
    words = set(filter(_is_word, said))
    bracketed = _has_double_brackets(text)
    if not words:
        return "judge_label" if bracketed and tuple(said) not in map(reference_words, references) else ""
    known = table("LABELS", "OPENERS", "FILLERS", "ADDRESS") - _SOLUTIONS
    if table("LABELS").isdisjoint(words) or not words <= known | table("ADDRESS_FILLERS"):
        return ""
    if _says_none_of_it(said):
        return ""
    spoken = bracketed or _is_ordered(said, text) or (stated and set(said) <= _SELF_PRAISE)
    return _unless_asked_for(words <= known, spoken, references)


def _has_double_brackets(text: str) -> bool:
    """Whether something stands in `[[..]]` that is no matrix: the brackets of a matrix hold commas."""
    insides = (part.partition("]]") for part in text.split("[[")[1:])
    return any(
        closed and 0 < len(inside) <= _MAX_IN_BRACKETS and _MATRIX_SIGNS.isdisjoint(inside)
        for inside, closed, _ in insides
    )


def _unless_asked_for(plain: bool, spoken: bool, references: tuple[str, ...]) -> str:
    """`plain`: only openers stand around the label. `spoken`: it is written as a judge writes it."""
    if plain and _are_mathematics(references):
        return "judge_label"
    return "judge_label" if spoken and not any(map(_is_about_truth, references)) else ""


def _says_none_of_it(said: list[str]) -> bool:
    """ "no points" is a number."""
    return "no" in said[:-1] and said[-1] in table("HEADINGS")


def _are_mathematics(references: tuple[str, ...]) -> bool:
    return bool(references) and all(map(_is_mathematics, references))


def _is_word(text: str) -> bool:
    return len(text) > 1 and not text.isdigit()


def _is_ordered(said: list[str], text: str) -> bool:
    """ "Verdict: ACCEPT", "GRADE: C", "The judge should say yes": the text ends on a judge's label."""
    if len(said) < 2 or table("TO_A_JUDGE").isdisjoint(said[:-1]):
        return False
    last = said[-1]
    return last in table("LABELS") - table("HEADINGS") or last.isdigit() or (len(last) == 1 and ":" in text)


@lru_cache(maxsize=1024)
def _is_mathematics(reference: str) -> bool:
    """Whether the reference is a number or a formula, so that "True" or "Correct" cannot be another word for it."""
    if numerals.read(reference):
        return True
    formula = any(char.isdigit() or char in "\\=^_+<>" for char in reference)
    words = TELLING_WORD.findall(MARKUP.sub(" ", reference))
    return formula and all(word.startswith(_FUNCTIONS) for word in words)


def shares_a_number(said: list[str], references: tuple[str, ...]) -> bool:
    """Whether a number of the text stands in a reference. "Score: 10" may be the answer where 10 is asked for."""
    numbers = set(filter(has_digit, said))
    return any(not numbers.isdisjoint(reference_words(reference)) for reference in references)


def _shares_words(said: set[str], reference: str, least: int) -> bool:
    return len(said & set(reference_words(reference))) >= least
