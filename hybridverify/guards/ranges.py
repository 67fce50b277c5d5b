"""A range where one number is wanted: "40-50", "between 1900 and 2000". Whatever it covers, it names no number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hybridverify.language.joining import AND
from hybridverify.maths import numerals

_MAX_ANSWER, _MOST_WORDS = 60, 8
_DASHES = str.maketrans("–—−~", "----")
_BOUNDS = frozenset(("-", "to", "through", "until"))
_AROUND, _BETWEEN = ".,;()$%", "between"


def gives_range(answer: str, references: Sequence[str]) -> bool:
    """Whether the answer is a range of numbers, and each reference is one number.

    >>> told = ("40-50", "between 40 and 50", "about 40 to 50 apples", "50-5", "45", "40 and 50", "-5 - 50")
    >>> [gives_range(text, ["45"]) for text in told]
    [True, True, True, False, False, False, False]
    >>> gives_range("1939-1945", ["1939-1945"])
    False
    """
    if len(answer) > _MAX_ANSWER or not any(map(str.isdigit, answer)):
        return False
    if not all(map(numerals.read, references)):
        return False
    words = answer.lower().translate(_DASHES).replace("-", " - ").split()
    return len(words) <= _MOST_WORDS and words[:1] != ["-"] and _is_range(words)


def _is_range(words: Sequence[str]) -> bool:
    """Whether there are two numbers, the smaller one first, with a word or sign for a range between them."""
    values = [_value(word) for word in words]
    places = [at for at, value in enumerate(values) if value is not None]
    if len(places) != 2 or places[1] - places[0] != 2:
        return False
    joint = words[places[0] + 1]
    spans = joint in _BOUNDS or (joint in AND and _BETWEEN in words[: places[0]])
    low, high = (values[at] or Fraction(0) for at in places)
    return spans and low < high


def _value(word: str) -> Fraction | None:
    number = numerals.read(word.strip(_AROUND))
    return None if number is None else Fraction(number.value)
