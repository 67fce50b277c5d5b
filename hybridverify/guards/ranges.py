"""A range where one number is wanted: "40-50", "between 1900 and 2000". Whatever it covers, it names no number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from hybridverify.conventions import DEFAULT
from hybridverify.language.asked import read_question
from hybridverify.language.joining import AND
from hybridverify.language.text import canonical
from hybridverify.maths import answer_reading, numerals
from hybridverify.maths.values.kinds import Dots, Listing, RealSet

_MAX_ANSWER, _MOST_WORDS = 60, 8
_DASHES = str.maketrans("–—−~", "----")
_BOUNDS = frozenset(("-", "to", "through", "until"))
_AROUND, _BETWEEN = ".,;()$%", "between"
_RELATIONS = ("\\ge", "\\le", "\\ne")
_BOUNDING = frozenset(("least", "most", "than", *_RELATIONS))


def gives_range(answer: str, references: Sequence[str], question: str = "") -> bool:
    """Whether the answer is a range of numbers or a bound, and each reference is one number. Where the question speaks
    of bounds, a bound may be how the number is told.

    >>> told = ("40-50", "between 40 and 50", "about 40 to 50 apples", "50-5", "45", "40 and 50", "-5 - 50")
    >>> [gives_range(text, ["45"]) for text in told]
    [True, True, True, False, False, False, False]
    >>> gives_range("1939-1945", ["1939-1945"])
    False
    >>> [gives_range(text, ["45"]) for text in ("at least 45", r"n \\ge 45", r"45, 46, \\ldots", "n = 45")]
    [True, True, True, False]
    """
    if len(answer) > _MAX_ANSWER or not any(map(str.isdigit, answer)):
        return False
    if not all(map(numerals.read, references)):
        return False
    if _is_bound(answer) and not read_question(question).speaks_of("bounded"):
        return True
    words = answer.lower().translate(_DASHES).replace("-", " - ").split()
    return len(words) <= _MOST_WORDS and words[:1] != ["-"] and _is_range(words)


def _is_bound(answer: str) -> bool:
    """Whether an answer gives bounds, a sequence that goes on, or what a number is not: `x > 5`, "at most 5", `≠ 5`.
    In "fewer than 5, so 4" a number stands beside the bound."""
    value = answer_reading(answer, DEFAULT).value
    if isinstance(value, RealSet):
        return any(piece.low != piece.high for piece in value.pieces)
    if isinstance(value, Listing):
        return any(isinstance(item, Dots) for item in value.items)
    if "=" in canonical(answer):
        return False  # "x = 4, because x ≠ 5"
    words = _words(answer)
    before = [one for one, other in pairwise(("", *words)) if _value(other) is not None]
    return bool(before or words[0] in _BOUNDING) and _BOUNDING.issuperset(before)


def _words(answer: str) -> list[str]:
    text = canonical(answer).lower()
    for sign in _RELATIONS:
        text = text.replace(sign, f" {sign} ")
    return text.split() or [""]


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
