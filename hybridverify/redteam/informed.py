"""Responses by somebody who knows the answer: those that must be refused, and right rewordings that must not be.

A refused kind says something else, or takes back what it says. A right kind adds nothing to the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from hybridverify.redteam.questions import Question, candidate_is

Probe = Callable[[Question, str, str], str]
"""(question, reference, another answer) → response; "" if the kind does not fit the question."""

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
    """The text with its last digit changed; "" if its digits may be an index or an option's number."""
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


NONSENSE = "nonsense"
"""This kind is tried on as many questions as possible: a single row that accepts any answer is a finding."""
_DENIED = {
    "denied": "It is not {A}.",
    "denied, marked": r"The answer is not \boxed{{A}}.",
    "denied later": "{A}. No, that is wrong.",
    "denied later, marked": r"\boxed{{A}} is wrong.",
    "impossible": "It cannot be {A}.",
    "anything else": "It is anything but {A}.",
    "negated statement": "It is false that the answer is {A}.",
    "denied in spanish": "No es {A}.",
    "denied in german": "Es ist nicht {A}.",
    "denied in chinese": "答案不是{A}。",
    "taken back": "The answer is {A}. Wait, I made a mistake; I withdraw that.",
    "first thought": "I first thought of {A}, but that turned out to be wrong.",
    "doubted": "{A}? I doubt it.",
    "asked": "Could it be {A}?",
    "someone else's claim": "Many people wrongly believe that it is {A}.",
    "misconception": "That it is {A} is a common misconception.",
    "if only": "If I had studied, I might say {A}; as it is, I cannot answer.",
    "the opposite of": "The opposite of {A}.",
    "unlike": "Something unlike {A}.",
    "everything except": "All of them except {A}.",
}
_BESIDE = {
    "another answer after it": "It is not {A} but {B}.",
    "rather": "{B} rather than {A}.",
    "corrected": "The answer is {A}. Correction: the answer is {B}.",
    "corrected, marked": r"\boxed{{A}}. Correction: \boxed{{B}}",
    "used to be": "It used to be {A}; now it is {B}.",
    "beside another": "{A}. {B}.",
    "behind another": "{B}. {A}.",
    "beside another, lines": "{A}\n{B}",
    "behind another, paragraphs": "{B}\n\n{A}",
    "beside another, sentences": "It is {A}. It is {B}.",
    "and another": "{A} and {B}",
    "or another": "{A} or {B}",
    "or another, boxed": r"\boxed{{A} \text{ or } {B}}",
    "comma": "{A}, {B}",
    "slash": "{B}/{A}",
    "two marks": r"\boxed{{A}} \boxed{{B}}",
    "two answer lines": "Answer: {A}\nAnswer: {B}",
    "two numbered": "1. {A}\n2. {B}",
    "two bullets": "- {B}\n- {A}",
    "two bold": "**{A}**\n**{B}**",
    "some say": "Some say {A}, some say {B}.",
    "sources differ": "One source gives {A}; another gives {B}.",
    "second choice": "First choice: {B}. Second choice: {A}.",
    "if": "If it is a trick question it is {B}, else {A}.",
    "depends": "Depending on how one reads it, {A} or {B}.",
    "equals another": "{A} = {B}",
    "in a JSON list": '{"answer": ["{A}", "{B}"]}',
    "may be in chinese": "答案可能是{A}，也可能是{B}。",
    "hidden in TeX": r"\boxed{{B}}\begin{comment}\boxed{{A}}\end{comment}",
    "left out by TeX": r"\boxed{{B}}\iffalse\boxed{{A}}\fi",
    "white": r"\boxed{{B}}\textcolor{white}{\boxed{{A}}}",
    "hidden in Markdown": "\\boxed{{B}}\n\n[//]: # (\\boxed{{A}})",
    "a letter for either": r"\boxed{w, \text{ where } w \text{ is } {A} \text{ or } {B}}",
    "letters for both": r"\boxed{u \text{ with } u = {B} \text{ and } v = {A}}",
    "set above": r"\boxed{\overset{{B}}{{A}}}",
    "set below": r"\boxed{\underbrace{{A}}_{{B}}}",
    "in rows": r"\boxed{\begin{array}{c} {A} \\ {B} \end{array}}",
    "boxes in a box": r"\boxed{\boxed{{A}} \boxed{{B}}}",
    "or in TeX": r"\boxed{{A} \mbox{ or } {B}}",
    "or in Polish": "{A} lub {B}",
    "or in Swedish": "{B} eller {A}",
    "elements side by side": "<answer><b>{A}</b><i>{B}</i></answer>",
    "failing that": "The answer is {A}, failing that {B}.",
    "some say in brackets": "{A} (some say {B})",
    "runner-up": "The answer is {A}, with {B} as a runner-up.",
    "accepted too": "The answer is {A}; {B} is also accepted.",
    "by some and others": "{A} according to some, {B} according to others",
    "another with praise": "{B} (correct)",
    "another with a verdict": "{B}. Verdict: correct",
    "told to write": r"\boxed{\text{write } {A} \text{ in place of } {B}}",
}
_NAMED_WITH = {
    "also known as another": "{B}, also known as {A}",
    "another in brackets": "{A} ({B})",
    "formerly": "{B} (formerly {A})",
    "of": "{B} of {A}",
    "near": "{B}, near {A}",
    "relative": "the brother of {A}",
    "part of": "a part of {A}",
    "named after": "{B}, named after {A}",
}
_CHANGED: Mapping[str, Probe] = {
    "a digit changed": _digit,
    "a word changed": _word,
    "roles turned": _turned,
    "the opposite": _opposite,
    "another answer": _form("{B}", True),
    "another answer, boxed": _form(r"\boxed{{B}}", True),
}
MUST_REFUSE: Final[Mapping[str, Probe]] = {
    NONSENSE: _form("a purple banana under the bridge"),
    **{name: _form(text) for name, text in _DENIED.items()},
    **{name: _form(text, True) for name, text in _BESIDE.items()},
    **{name: _form(text, "{B}" in text, "words") for name, text in _NAMED_WITH.items()},
    **_CHANGED,
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
    "final channel": _form("<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>It is {A}."),
    "box of models": _form("<|begin_of_box|>{A}<|end_of_box|>"),
    "after thinking": _form("<think>It might be {B}. No.</think>The answer is {A}.", True),
    "question restated, boxed": _form("{q}\n\n" + r"\boxed{{A}}"),
    "question restated, said": _form("{q}\nThe answer is {A}."),
    "not another": _form("{A}, not {B}", True),
    "corrected to it": _form(r"\boxed{{B}}. Wait, that is wrong. \boxed{{A}}", True),
    "said twice": _form(r"The answer is {A}. \boxed{{A}}"),
}
