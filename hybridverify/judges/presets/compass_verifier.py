"""CompassVerifier: judges the whole response with one letter. C is for a response without a usable answer.

The short form replies with the letter, the CoT form reasons first. The blocks are as published, the sentences our
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Menu, Reading, after_headings, bare, unparseable, unwrap
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import Template
from hybridverify.language import expressions as re

MENU = Menu(
    correct=("A", "CORRECT"),
    incorrect=("B", "INCORRECT"),
    invalid=("C", "INCOMPLETE", "REPETITIVE", "REFUSAL"),
)
HEADINGS = ("Final Judgment:", "Final Judgement:")
MARKS = (
    "<Original Question Begin>",
    "<Original Question End>",
    "<Standard Answer Begin>",
    "<Standard Answer End>",
    "<Candidate's Answer Begin>",
    "<Candidate's Answer End>",
    *HEADINGS,
)

_RULES = """Compare a candidate's answer with the standard answer to a question.

1. The standard answer is right. Do not solve the question and do not doubt it.
2. Look at the candidate's final answer alone; how it was reached does not count.
3. Being written in another way is fine as long as the meaning is the same, in mathematics and in words.
4. Where several things are asked for, each of them has to be there and to agree.
5. Whether the answer stands in \\boxed{} or any other layout is of no importance.
6. A text that breaks off before its answer, goes round in circles, or declines to answer has no usable answer.

The letters:
A = CORRECT: the final answer agrees with the standard answer.
B = INCORRECT: there is a final answer and it does not agree.
C = INCOMPLETE, REPETITIVE or REFUSAL: there is no usable answer (rule 6).

"""
_BLOCKS = """<Original Question Begin>{colon}
{question}
<Original Question End>

<Standard Answer Begin>{colon}
{reference}
<Standard Answer End>

<Candidate's Answer Begin>{colon}
{response}
<Candidate's Answer End>

"""
_SHORT = "Reply with the letter and nothing else."
_COT = (
    "Go through the rules in a few sentences. Then close with one line of this form, X being the letter and WORD "
    "its name:\nFinal Judgment: \\boxed{X} - WORD"
)
_BOX = re.compile(r"\\boxed\s{0,4}\{((?:\\(?:text|textbf|mathrm|mathbf)\s{0,4}\{)?[^{}\n]{1,40}\}?)\}")
_SEPARATORS = str.maketrans(dict.fromkeys(":;,.=()[]–—-", " "))


def read_letter(text: str) -> Reading:
    """The letter after `Final Judgment:` if that is there; else the boxed letter that ends or begins the reply; else
    the whole reply as a letter, a word, or both."""
    judgments = list(after_headings(text, *HEADINGS))
    if judgments:
        boxed = list(_BOX.finditer(judgments[-1]))
        return _boxed(judgments[-1], boxed[-1]) if boxed else MENU.leading(judgments[-1])
    if "final_judg" in text.casefold():  # the heading in the form that the prompt gives to a candidate's own
        return unparseable("the reply quotes the candidate's verdict")
    boxes = [match for match in _BOX.finditer(text) if MENU.outcome(match[1]) is not None]
    if boxes and not _other_words(text[boxes[-1].end() :]):
        return _boxed(text, boxes[-1])
    if boxes and not text[: boxes[0].start()].strip(" $"):
        return _boxed(text.splitlines()[0], boxes[0])
    return _letter_with_name(text)


def boxed_labels(text: str) -> Iterator[int]:
    """The places of boxes with a label: they would be read without a heading."""
    return (box.start() for box in _BOX.finditer(text) if MENU.outcome(box[1]) is not None)


def _boxed(text: str, box: re.Match[str]) -> Reading:
    """A boxed label, if the name after it agrees."""
    outcomes = MENU.named(unwrap(text[box.end() :])) | {MENU.outcome(box[1])}
    if len(outcomes) > 1:
        return unparseable("two different verdicts")
    return unparseable("the box holds no letter") if None in outcomes else MENU.whole(box[1])


def _other_words(text: str) -> bool:
    """Whether a text says more than labels: boxes of options stand in the middle of sentences."""
    return any(MENU.outcome(word) is None for word in _parts(text) if bare(word))


def _parts(text: str) -> list[str]:
    return text.translate(_SEPARATORS).split()


def _letter_with_name(text: str) -> Reading:
    """'A', 'CORRECT', 'A: CORRECT': every word of the reply is a label, and all say the same."""
    outcomes = {MENU.outcome(word) for word in _parts(unwrap(text)) if bare(word)}
    if len(outcomes) != 1 or None in outcomes:
        return unparseable("two different verdicts" if outcomes - {None} else "the reply is no label")
    return MENU.whole(bare(_parts(bare(text))[0]))


COMPASS_VERIFIER = Preset(
    name="compass_verifier",
    version=1,
    parser_version=1,
    summary="CompassVerifier: whole response; A, B, or C for no usable answer",
    form="chat",
    template=Template.parse(_RULES.replace("{}", "{{}}") + _BLOCKS.replace("{colon}", ":") + _SHORT),
    read=read_letter,
    sampling=Sampling(max_tokens=2048),
    marks=MARKS,
    menu=MENU,
    spots=boxed_labels,
    samples={"correct": "A", "incorrect": "B", "invalid": "C"},
)
COMPASS_VERIFIER_COT = replace(
    COMPASS_VERIFIER,
    name="compass_verifier_cot",
    summary="CompassVerifier, reasoning: 'Final Judgment: \\boxed{X} - WORD'",
    template=Template.parse(_RULES.replace("{}", "{{}}") + _BLOCKS.replace("{colon}", "") + _COT),
    heading="Final Judgment:",
    samples={
        "correct": "Both say the same.\nFinal Judgment: \\boxed{A} - CORRECT",
        "incorrect": "The values differ.\nFinal Judgment: \\boxed{B} - INCORRECT",
        "invalid": "The text breaks off.\nFinal Judgment: \\boxed{C} - INCOMPLETE",
    },
)
