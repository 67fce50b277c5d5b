r"""Answers that list several values where the reference is one: "either 1 or 2", "A, B, C and D".

A judge that is asked whether one of them matches says yes too often. Only texts that are nothing but a list count; a
sentence around it is left to the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hybridverify.answers.marks import boxes_from_end
from hybridverify.language.joining import AND, OR
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import COMMAND, IN_TEXT, LONG_WORD, SEVERAL
from hybridverify.language.pieces import holds, pieces, runs
from hybridverify.language.wrapping import unwrap, visible
from hybridverify.maths import numerals

_MAX_TEXT = 400  # a longer text is no mere list
_OR_SIGNS = "或、"
_MARKS = ",;\n&"
_LEADS = frozenset(("option", *entries("joining", "either", "perhaps")))
_A_FORMULA = "formula"
_BRACKETS = "(.)"
_MANY = 3
"""The least values of a plain list: two may be a pair of coordinates or a date."""


def hedges(answer: str, references: Sequence[str]) -> bool:
    r"""Whether the answer is a list of values, every reference is a single value, and no reference is the whole list.

    >>> hedges("either x=1 or x=2", ["2"]), hedges("A, B, C and D", ["C"]), hedges("1, 2, 3", ["2"])
    (True, True, True)
    >>> hedges("1/2 or 0.5", ["0.5"]), hedges("12,000", ["12000"]), hedges("1 or 2", ["1 or 2"])
    (False, False, False)
    >>> hedges("1, 2, 3", [r"2\sqrt{3}"]), hedges("1, 2, 3", [r"1 \le n \le 3"]), hedges("1, 2, 3", ["up to 3"])
    (True, False, False)
    """
    if max(map(len, (answer, *references))) > _MAX_TEXT or numerals.read(answer):
        return False
    wanted = set(map(_wanted, filter(str.strip, references)))
    if not wanted or "" in wanted or _is_grouped(answer, references):
        return False
    alternatives, joined_by_or = _alternatives(visible(answer))
    values = set(map(_alternative, alternatives))
    if len(values) < (2 if joined_by_or else _MANY) or "" in values:
        return False
    return _comparable(values, wanted) and bool(values - wanted)


def _is_grouped(answer: str, references: Sequence[str]) -> bool:
    """ "12, 345, 678": together the digits are those of a reference."""
    digits = _digits(answer)
    return digits != "" and any(digits == _digits(reference) for reference in references)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _comparable(values: set[Fraction | str], wanted: set[Fraction | str]) -> bool:
    """Whether both sides hold only numbers (a formula counts as one), or only letters."""
    kinds = {isinstance(value, str) for value in values}
    return len(kinds) == 1 and all((isinstance(w, str) and w != _A_FORMULA) in kinds for w in wanted)


def _wanted(reference: str) -> Fraction | str:
    return _value(reference) or _formula(reference)


def _formula(reference: str) -> str:
    """A formula with a single value: no words, and no sign that could stand for several numbers."""
    if SEVERAL.search(reference) or LONG_WORD.search(COMMAND.sub(" ", reference)):
        return ""
    return _A_FORMULA if any(char.isdigit() for char in reference) else ""


def _alternatives(text: str) -> tuple[list[str], bool]:
    """The parts of a list, and whether "or" or a box around each makes every part an answer of its own."""
    boxes: list[str] = []
    outside = text
    for box in boxes_from_end(text):
        boxes.insert(0, box.content)
        outside = outside[: box.start] + outside[box.end :]
    if len(boxes) > 1 and not runs(outside):
        return boxes, True
    bare = IN_TEXT.sub(r" \1 ", unwrap(text))
    either = holds(bare, OR) or any(sign in bare for sign in _OR_SIGNS)
    return [part for part in pieces(bare, _MARKS + _OR_SIGNS, AND | OR) if part.strip(" $.")], either


def _alternative(part: str) -> Fraction | str:
    """The value of a part, without "either" and "x ="."""
    first, _, rest = part.strip().partition(" ")
    return _value(without_variable(rest if first.lower() in _LEADS else part))


def without_variable(text: str) -> str:
    """The text without the letter that it says the value of.

    >>> without_variable("x = 2"), without_variable("x + 1 = 2")
    ('2', 'x + 1 = 2')
    """
    name, sign, value = text.partition("=")
    letter = name.strip(" $([{\\")
    return value.strip() if sign and len(letter) == 1 and letter.isalpha() else text


def _value(text: str) -> Fraction | str:
    """The value of a number, a letter, or "" for anything else."""
    bare = unwrap(text.strip().strip("$"))
    number = (
        numerals.read(bare) if any(map(str.isdigit, bare)) else None
    )  # "one thousand, nine hundred" is one number
    if number is not None:
        return Fraction(number.value) / (100 if number.percent else 1)
    letter = bare.strip(_BRACKETS)
    return letter if len(letter) == 1 and "A" <= letter <= "Z" else ""
