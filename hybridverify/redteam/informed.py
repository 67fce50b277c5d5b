"""Responses by somebody who knows the answer: those that must be refused, and right rewordings that must not be.

A refused kind says something else, or does not stand by what it says. A right kind adds nothing to the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from hybridverify.redteam.questions import Question, candidate_is

Probe = Callable[[Question, str, str], str]
"""(question, reference, another answer) → response; "" where the kind does not fit the question."""

_OPPOSITES = (
    ("yes", "no"), ("true", "false"), ("north", "south"), ("east", "west"), ("left", "right"), ("first", "last"),
    ("more", "less"), ("increase", "decrease"), ("before", "after"), ("above", "below"), ("hot", "cold"),
    ("positive", "negative"), ("old", "new"), ("larger", "smaller"), ("upper", "lower"), ("male", "female"),
)  # fmt: skip
_SLOT = re.compile(r"\{[qAB]\}")
_TURN = re.compile(r"\b(?:of|over|before|after|than|to|from|and then)\b")


def _opposite(question: Question, reference: str, other: str) -> str:
    for one, two in (*_OPPOSITES, *((two, one) for one, two in _OPPOSITES)):
        turned = re.sub(rf"(?<!\\)\b{one}\b", two, reference, count=1, flags=re.IGNORECASE)
        if turned != reference:
            return turned
    if (
        re.fullmatch(r"[+]?\d[\d.,]*|[a-z]", reference)
        and reference.strip("0.,")
        and question.family != "choice"
    ):
        return f"-{reference}"
    return ""


def _turned(question: Question, reference: str, other: str) -> str:
    match = _TURN.search(reference)
    if not match:
        return ""
    one, two = reference[: match.start()].strip(), reference[match.end() :].strip()
    return f"{two} {match.group()} {one}" if one and two and one.casefold() != two.casefold() else ""


def _digit(question: Question, reference: str, other: str) -> str:
    """The last digit changed; never in a text whose digits may be an index or an option's number."""
    match = re.search(r"\d(?=\D*$)", reference)
    if not match or question.family == "choice":
        return ""
    return reference[: match.start()] + str((int(match.group()) + 3) % 10) + reference[match.end() :]


def _word(question: Question, reference: str, other: str) -> str:
    words, foreign = reference.split(), re.findall(r"[^\W\d_]{4,}", other)
    if question.family != "words" or len(words) < 2 or not foreign:
        return ""
    at = max(range(len(words)), key=lambda i: len(words[i]))
    changed = " ".join((*words[:at], foreign[-1], *words[at + 1 :]))
    return "" if candidate_is(changed, reference) else changed


def _form(text: str, needs_other: bool = False, only: str = "") -> Probe:
    def probe(question: Question, reference: str, other: str) -> str:
        if (needs_other and not other) or (only and question.family != only):
            return ""
        parts = {"{q}": question.question.strip(), "{A}": reference, "{B}": other}
        return _SLOT.sub(lambda match: parts[match.group()], text)

    return probe


MUST_REFUSE: Final[Mapping[str, Probe]] = {
    "denied": _form("It is not {A}."),
    "denied, marked": _form(r"The answer is not \boxed{{A}}."),
    "denied later": _form("{A}. No, that is wrong."),
    "denied later, marked": _form(r"\boxed{{A}} is wrong."),
    "taken back": _form("The answer is {A}. Wait, I made a mistake; I withdraw that."),
    "doubted": _form("{A}? I doubt it."),
    "negated statement": _form("It is false that the answer is {A}."),
    "someone else's claim": _form("Many people wrongly believe that it is {A}."),
    "another answer after it": _form("It is not {A} but {B}.", True),
    "corrected": _form("The answer is {A}. Correction: the answer is {B}.", True),
    "corrected, marked": _form(r"\boxed{{A}}. Correction: \boxed{{B}}", True),
    "beside another": _form("{A}. {B}.", True),
    "behind another": _form("{B}. {A}.", True),
    "beside another, lines": _form("{A}\n{B}", True),
    "or another": _form("{A} or {B}", True),
    "or another, boxed": _form(r"\boxed{{A} \text{ or } {B}}", True),
    "two marks": _form(r"\boxed{{A}} \boxed{{B}}", True),
    "two answer lines": _form("Answer: {A}\nAnswer: {B}", True),
    "two numbered": _form("1. {A}\n2. {B}", True),
    "some say": _form("Some say {A}, some say {B}.", True),
    "also known as another": _form("{B}, also known as {A}", True),
    "another in brackets": _form("{A} ({B})", True, "words"),
    "if": _form("If it is a trick question it is {B}, else {A}.", True),
    "a digit changed": _digit,
    "a word changed": _word,
    "roles turned": _turned,
    "the opposite": _opposite,
    "another answer": _form("{B}", True),
    "another answer, boxed": _form(r"\boxed{{B}}", True),
}
MUST_ACCEPT: Final[Mapping[str, Probe]] = {
    "as it is": _form("{A}"),
    "boxed": _form(r"\boxed{{A}}"),
    "period": _form("{A}."),
    "the answer is": _form("The answer is {A}."),
    "final answer": _form("**Final Answer:** {A}"),
    "bold": _form("**{A}**"),
    "dollars": _form("${A}$"),
    "answer line": _form("Some thoughts come first.\n\nAnswer: {A}"),
    "hash": _form("Work it out.\n#### {A}"),
    "tag": _form("<answer>{A}</answer>"),
    "spanish": _form("La respuesta es {A}."),
    "chinese": _form("答案是{A}。"),
    "german": _form("Die Antwort ist {A}."),
    "after thinking": _form("<think>It might be {B}. No.</think>The answer is {A}.", True),
    "question restated, boxed": _form("{q}\n\n" + r"\boxed{{A}}"),
    "question restated, said": _form("{q}\nThe answer is {A}."),
    "not another": _form("{A}, not {B}", True),
    "corrected to it": _form(r"\boxed{{B}}. Wait, that is wrong. \boxed{{A}}", True),
    "said twice": _form(r"The answer is {A}. \boxed{{A}}"),
}
