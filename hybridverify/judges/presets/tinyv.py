"""TinyV: small models tuned to find right answers that a rule refused. True or False.

Four releases, each tuned on one fixed form: tags around the question, the known answer and the model's answer. The
thinking ones think before the label. The structure is as published, the sentences our own.
"""

from __future__ import annotations

from dataclasses import replace

from hybridverify.judges.base import Sampling
from hybridverify.judges.parse import Menu, Reading, unparseable
from hybridverify.judges.presets.base import Preset
from hybridverify.judges.template import Template
from hybridverify.language.pieces import runs
from hybridverify.types import Outcome

MENU = Menu(correct=("True",), incorrect=("False",))
MARKS = (
    "<question>",
    "</question>",
    "<ground_truth_answer>",
    "</ground_truth_answer>",
    "<model_answer>",
    "</model_answer>",
)

_BLOCKS = """<question>{question}</question>

<ground_truth_answer>{reference}</ground_truth_answer>

<model_answer>{answer}</model_answer>

"""
_OPENING = (
    "Automatic checks often refuse right answers for small differences of form: another notation, rounding "
    "or order of writing, a missing unit, words around the value. You look for such wrongly refused answers. "
    "Compare what the model answered with the answer that is known to be right, in the light of the question, "
    "and settle whether the model was right after all.\n\n"
)
_QWEN3_OPENING = "Has the model answered this question correctly, even if its answer looks different?\n\n"
_LABEL_ONLY = 'Write one word: "True" when the model is right, "False" when it is not.'
_THINK_FIRST = (
    'Weigh the two answers step by step. Then end with a line "Answer: True" when the model is right, or '
    '"Answer: False" when it is not.'
)

_JOINTS = ("or", "and", "versus")


def read_first_word(text: str) -> Reading:
    """The first word is True or False. True counts only if False is nowhere in the reply; False only if no line says
    True and the two are not offered side by side."""
    words = _words(text)
    if not words or words[0] not in ("true", "false"):
        return unparseable("the first word is neither True nor False")
    if words[0] == "true":
        return unparseable("two different verdicts") if "false" in words else MENU.reading(Outcome.CORRECT)
    if _offers_both(text) or any(MENU.outcome(line) is Outcome.CORRECT for line in text.splitlines()):
        return unparseable("two different verdicts")
    return MENU.reading(Outcome.INCORRECT)


def _words(text: str) -> list[str]:
    """The runs of letters without marks, in small letters."""
    return "".join(char if char.isascii() and char.isalpha() else " " for char in text).casefold().split()


def _offers_both(text: str) -> bool:
    """Whether the reply begins with two labels side by side: "False or True"."""
    first, *rest = runs(text.casefold())
    second = rest[1:2] if rest[:1] and rest[0] in _JOINTS else rest[:1]
    return {first, *second} <= {"true", "false"} and second != []


def read_answer_line(text: str) -> Reading:
    """The label after `Answer:`. After closed thinking the label alone is enough."""
    outcome = MENU.outcome(text)
    return MENU.after(text, "Answer:") if outcome is None else MENU.reading(outcome)


TINYV = Preset(
    name="tinyv",
    version=1,
    parser_version=1,
    summary="TinyV 1.5B: finds right answers that a rule refused; True or False",
    form="chat",
    template=Template.parse(_OPENING + _BLOCKS + _LABEL_ONLY),
    read=read_first_word,
    sampling=Sampling(max_tokens=8),
    context_tokens=4096,  # the settings with which the published server is started
    marks=MARKS,
    menu=MENU,
    samples={"correct": "True", "incorrect": "False"},
)
TINYV_THINK = replace(
    TINYV,
    name="tinyv_think",
    summary="TinyV 1.5B, thinking: reasons, then 'Answer: True' or 'Answer: False'",
    template=Template.parse(_OPENING + _BLOCKS + _THINK_FIRST),
    read=read_answer_line,
    sampling=Sampling(max_tokens=512),
    marks=(*MARKS, "Answer:"),
    heading="Answer:",
    samples={"correct": "Equal values.\nAnswer: True", "incorrect": "Other values.\nAnswer: False"},
)
TINYV_QWEN3 = replace(
    TINYV,
    name="tinyv_qwen3",
    summary="TinyV Qwen3 1.7B: one plain question; True or False",
    template=Template.parse(_QWEN3_OPENING + _BLOCKS + _LABEL_ONLY),
)
TINYV_QWEN3_THINK = replace(
    TINYV_QWEN3,
    name="tinyv_qwen3_think",
    summary="TinyV Qwen3 1.7B, thinking: True or False after </think>",
    sampling=Sampling(max_tokens=512),
    thinks=True,
    heading="</think>",
    samples={"correct": "<think>equal</think>\n\nTrue", "incorrect": "<think>differ</think>\n\nFalse"},
)
