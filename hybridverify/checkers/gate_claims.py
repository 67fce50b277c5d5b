"""Texts that claim to be right, point at an answer elsewhere, or speak a judge's own labels: no answers either.

Apart from gate.py because these depend on the references: "True" is an answer where a claim is judged.
"""

from __future__ import annotations

import re

from hybridverify.checkers import numerals
from hybridverify.checkers.gate_fold import folded_words, has_digit, table
from hybridverify.checkers.gate_markup import MARKUP
from hybridverify.checkers.wrapping import visible

_MAX_VERDICT = 8
"""Words of a reference that says whether something is true."""
_SELF_PRAISE = frozenset(("correct", "right", "accepted", "valid", "approved", "acceptable"))
_LEAST_CLAIMING = 2
"""One such word among fillers may be a name: "System of a Down"."""
_MAX_READ = 1000
"""Characters of a reference that are read."""
_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z])(?!sin|cos|tan|log|exp|sqrt)[^\W\d_]{3,}")


def placeholder(text: str, said: list[str], references: tuple[str, ...]) -> str:
    """ "[number]", "see above": what stands for an answer, or points at one."""
    if any(_shares_a_word(said, reference) for reference in references):
        return ""
    inner = visible(text).strip()
    bracketed = inner[:1] in ("[", "<", "{", "(") and inner[-1:] in ("]", ">", "}", ")")
    standing_in = table("PLACEHOLDERS", "OPENERS")
    if bracketed and not standing_in.isdisjoint(said) and set(said) <= standing_in | table("FILLERS"):
        return "no_content"
    if len(said) > 3 and len(set(said)) == 1:  # "lorem lorem lorem lorem"
        return "no_content"
    return "no_content" if " ".join(said) in table("ELSEWHERE") else ""


def praise(said: list[str], references: tuple[str, ...]) -> str:
    """Texts that only say of themselves that they are right, or tell a judge what to do."""
    topic = table("OPENERS", "ADDRESS")
    silent = table("OPENERS", "ADDRESS", "CLAIMS", "FILLERS", "ADDRESS_FILLERS")
    if len(said) < 3 or not all(word in silent for word in said):
        return ""
    if topic.isdisjoint(said) or table("CLAIMS", "ADDRESS").isdisjoint(said):
        return ""
    if len(set(said) & (topic | table("CLAIMS"))) < _LEAST_CLAIMING:
        return ""
    return "" if any(map(_is_about_truth, references)) else "no_content"


def _is_about_truth(reference: str) -> bool:
    """A short reference with a word of a verdict in it: "True", "the claim is false", "valid"."""
    words = folded_words(reference[:_MAX_READ])
    return len(words) <= _MAX_VERDICT and not table("LABELS", "VERDICTS").isdisjoint(words)


def judge_label(said: list[str], text: str, references: tuple[str, ...], stated: bool = False) -> str:
    """The label of a judge as an answer. Beside words "True" may be right, unless it stands as a judge writes it,
    or praises itself ("the answer is correct": `stated`)."""
    formulas = references and all(map(_is_mathematics, references))
    labels, around = table("LABELS"), table("OPENERS", "FILLERS", "ADDRESS") - {"solution", "solutions"}
    words = [word for word in said if not word.isdigit() and len(word) > 1]
    bracketed = "[[" in text
    if not words:
        real = any(folded_words(reference[:_MAX_READ]) == said for reference in references)
        return "judge_label" if bracketed and not real else ""
    spoken = table("ADDRESS_FILLERS") | around
    if labels.isdisjoint(words) or not set(words) <= labels | spoken:
        return ""
    if formulas and set(words) <= labels | around:
        return "judge_label"
    ordered = (
        bracketed
        or (stated and set(said) <= _SELF_PRAISE)
        or (len(said) > 1 and not table("TO_A_JUDGE").isdisjoint(said))
    )
    return "judge_label" if ordered and not any(map(_is_about_truth, references)) else ""


def _is_mathematics(reference: str) -> bool:
    """A number or a formula: no word that "True" or "Correct" could be another word for."""
    if numerals.read(reference):
        return True
    formula = any(char.isdigit() or char in "\\=^_+<>" for char in reference)
    return formula and not _PLAIN_WORD.search(MARKUP.sub(" ", reference))


def shares_a_number(said: list[str], references: tuple[str, ...]) -> bool:
    """ "Score: 10" may be the answer where 10 is asked for."""
    numbers = set(filter(has_digit, said))
    return any(not numbers.isdisjoint(folded_words(reference[:_MAX_READ])) for reference in references)


def _shares_a_word(said: list[str], reference: str) -> bool:
    return not set(said).isdisjoint(folded_words(reference[:_MAX_READ]))
