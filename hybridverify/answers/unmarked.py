"""Whether an answer offers several: alternatives with an "or" between them, or one value a line."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.conventions import DEFAULT
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.names import without_name
from hybridverify.language.patterns import ITEM, OPTION_LETTER
from hybridverify.language.text import flat_words
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import numerals

MAX_HEDGE = 100
"""Longer ones are prose: "either" speaks of something else there."""
_MAX_LINES = 200
_EITHER = (phrases("phrases", "either"), phrases("phrases", "perhaps", before=r"\A\W*"))
OR = phrases("joining", "or_word", "or_script")


def is_hedge(answer: str) -> bool:
    """True for an answer that offers alternatives: "7 or 8", "x=7 or x=8", "either red or blue", "A or B".

    Two names or spellings of one thing are no hedge ("New York City or NYC", "5 km or 5000 m", "1/2 or 50%"):
    without an "either", only different exact numbers and different letters are.
    """
    if len(answer) > MAX_HEDGE or not OR.search(answer):
        return False
    parts = alternatives(answer)
    if any(pattern.search(answer) for pattern in _EITHER):
        return are_different(parts)
    values = [without_name(value) for part in parts for value in part.split(", ") if value]
    if all(map(_is_letter, values)):
        return len(set(values)) > 1
    return all(map(_is_exact, values)) and are_different(values)


def _is_letter(value: str) -> bool:
    return len(value) == 1 and value.isalpha() and value.isascii()


def _is_exact(value: str) -> bool:
    number = numerals.read(value)
    return number is not None and number.exact


def alternatives(answer: str) -> list[str]:
    """The texts between the "or" of an answer."""
    if len(answer) > MAX_HEDGE:
        return [answer]
    return [_without_either(part).strip(" ,;$().") for part in OR.split(flat_words(answer))]


def _without_either(text: str) -> str:
    for pattern in _EITHER:
        text = pattern.sub("", text)
    return text


def are_different(texts: Sequence[str]) -> bool:
    """True unless all texts are, or may be, one and the same number."""
    numbers = [number for text in texts if (number := numerals.read(text))]
    if len(numbers) < len(texts):
        return len(set(texts)) > 1
    return any(numerals.compare(numbers[0], number, DEFAULT) is False for number in numbers[1:])


def lines_of_values(body: str) -> tuple[str, ...]:
    r"""The numbers or letters of a response that has one on each of several lines and nothing else.

    >>> lines_of_values("**7**\n**8**"), lines_of_values("1. A\n2. B"), lines_of_values("7\nis it")
    (('7', '8'), ('A', 'B'), ())
    """
    lines = body.split("\n", _MAX_LINES)
    if not 1 < len(lines) <= _MAX_LINES or len(body) > _MAX_LINES * MAX_HEDGE:
        return ()
    values = [unwrap(ITEM.sub("", line.strip(), count=1)) for line in lines if line.strip()]
    if len(values) < 2 or not all(_is_value(value) for value in values):
        return ()
    return tuple(dict.fromkeys(values))


def _is_value(text: str) -> bool:
    return OPTION_LETTER.fullmatch(text) is not None or numerals.read(text) is not None
