r"""Lists of options in every spelling: label forms, joints between them, and both drawn anew for each question.

A verifier that knows some joints pays for the next one. So nothing here lists what was once found: signs are crossed
with blanks, words with stops, and the search crosses these with label forms, orders, marks and frames.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from hybridverify.redteam.wording import Join

Label = Callable[[str, str], str]
"""(letter, text of the option) → the label."""

ANY = "any"
"""Draws the joint or the label form for each question."""
_FORMS = {
    "bracket": "({letter})", "stop": "{letter}.", "half bracket": "{letter})", "square": "[{letter}]",
    "lenticular": "【{letter}】", "bold": "**{letter}**", "code": "`{letter}`", "quoted": '"{letter}"',
    "TeX text": r"\text{{{letter}}}", "TeX bold": r"\textbf{{({letter})}} {text}", "formula": "${letter}$",
    "HTML": "<b>{letter}</b>", "stop and text": "{letter}. {text}", "bracket and text": "({letter}) {text}",
    "colon and text": "{letter}: {text}", "dash and text": "{letter} - {text}", "comma and text": "{letter}, {text}",
    "text in brackets": "{letter} ({text})", "letter after text": "{text} ({letter})", "noun": "option {letter}",
    "noun and text": "Option {letter}: {text}", "Chinese noun": "选{letter}", "small": "{small}",
    "small in brackets": "({small})", "wide": "{wide}", "circled": "{circled}", "answer line": "Answer: {letter}",
    "final answer": "Final answer: {letter}", "sentence": "The answer is {letter}.", "chosen": "I choose {letter}.",
    "right": "{letter} is right.", "boxed": r"\boxed{{{letter}}}", "tagged": "<answer>{letter}</answer>",
    "hashes": "#### {letter}",
}  # fmt: skip
_SIGNS = (
    "/", "|", ";", ",", "+", "&", "=", "~", "<", ">", "-", "--", "•", "·", "*", "_", ":", "//", "||", "->", "=>", "→",
    "⇒", "≈", "∨", "∪", "、", "，", "；", "…", "...", "?", "!", r"\to", r"\lor", r"\quad", r"\,", r"\&", r"\\", "<br>",
    "</li><li>", "</td><td>",
)  # fmt: skip
_WORDS = (
    "or", "and", "then", "also", "xor", "plus", "with", "versus", "even", "alternatively", "as well as", "or else",
    "if not", "followed by", "but also", "ou", "oder", "или", "или же", "または", "或", "和",
)  # fmt: skip
_LINES = (
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\n- ",
    "\n* ",
    "\n1. ",
    "\n## ",
    "\n> ",
    "\n---\n",
    "|\n|",
    "\u2028",
    "\u00a0",
    r"\n",
)


def _written(form: str) -> Label:
    def label(letter: str, text: str) -> str:
        number = ord(letter) - ord("A")
        wide, circled = chr(ord("Ａ") + number), chr(ord("Ⓐ") + number)
        return form.format(letter=letter, small=letter.lower(), wide=wide, circled=circled, text=text)

    return label


def _names() -> dict[str, str]:
    """The joints by name: signs with and without blanks, words with and without stops, and ends of lines."""
    tight = {f"tight {sign}": sign + " " * sign[1:].isalpha() for sign in _SIGNS}
    apart = {f"apart {sign}": f" {sign} " for sign in _SIGNS}
    words = {f"word {word}": f" {word} " for word in _WORDS}
    after_comma = {f"comma {word}": f", {word} " for word in _WORDS}
    after_stop = {f"stop {word}": f". {word.capitalize()} " for word in _WORDS}
    lines = {f"line {line!r}": line for line in _LINES}
    return {**tight, **apart, **words, **after_comma, **after_stop, **lines}


def _joining(sign: str) -> Join:
    return lambda texts: sign.join(texts)


LABELS: Final[Mapping[str, Label]] = {name: _written(form) for name, form in _FORMS.items()}
JOINTS: Final[Mapping[str, Join]] = {name: _joining(sign) for name, sign in _names().items()}


def label_for(name: str, number: int) -> Label:
    """The label form of that name; of "any" the one that a question's number draws."""
    return LABELS[_drawn(tuple(LABELS), f"label {number}") if name == ANY else name]


def joint_for(name: str, number: int) -> Join:
    """The joint of that name; of "any" the one that a question's number draws."""
    return JOINTS[_drawn(tuple(JOINTS), f"joint {number}") if name == ANY else name]


def _drawn(names: tuple[str, ...], seed: str) -> str:
    return random.Random(seed).choice(names)
