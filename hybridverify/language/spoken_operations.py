r"""Operations that a question names in words, as expressions: `96/3` for "a third of 96", `7!` for "7 factorial".

Words are told in `lexicon/operations.toml`. A quotient or a root is named only where it comes to a whole number: `8/3`
and `\sqrt{2}` are how such a value is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, takewhile
from math import isqrt

from hybridverify.language.figures import in_figures
from hybridverify.language.lexicon import entries, lists
from hybridverify.language.lexicon.vocabulary import words_of
from hybridverify.language.number_words import SHARE_WORDS

_MAX_DIGITS, _MOST, _MOST_ITEMS = 30, 12, 12
_LONGEST = 5
"""So many words may name an operation."""
_BETWEEN = {
    "plus": "{}+{}",
    "minus": "{}-{}",
    "less": "{1}-{0}",
    "times": r"{}\cdot {}",
    "power": "{}^{{{}}}",
}
_BEFORE = {
    "square_of": "{}^2", "cube_of": "{}^3", "factorial_of": "{}!", "twice": r"2\cdot {}", "thrice": r"3\cdot {}",
}  # fmt: skip
_OF_ANGLES = frozenset(("sin", "cos", "tan"))
_AFTER = {"squared": "{}^2", "cubed": "{}^3", "factorial": "{}!"}
_OF_SEVERAL = {"sum": "+", "difference": "-", "product": r"\cdot "}
_DIVIDING = {"quotient": "and", "divide": "by"}
"""What stands between two numbers after such a word."""
_KINDS = {phrase: kind for kind in lists("operations") for phrase in entries("operations", kind)}
_CUES = SHARE_WORDS.union(max(phrase.split(), key=len) for phrase in _KINDS)
"""Without one of these words and the signs of a share nothing is named."""
_SHARE_OF, _AND = "of", "and"


@lru_cache(maxsize=512)  # every response to a question asks the same
def spoken_operations(question: str) -> tuple[str, ...]:
    r"""The operations between plain numbers that a question names in words.

    >>> spoken_operations("What is a third of ninety-six?"), spoken_operations("Give 7 factorial.")
    (('\\frac{96}{3}', '96/3'), ('7!',))
    >>> spoken_operations("What is a third of 8?"), spoken_operations("There are 8 boxes of 9 pens.")
    ((), ())
    """
    low = question.lower()
    if not has_cue(low) and "%" not in low and "/" not in low:
        return ()
    return tuple(dict.fromkeys(_named(in_figures(question))))[:_MOST]


def has_cue(low: str) -> bool:
    """Whether a text in lower case has a word without which no operation is named."""
    return not _CUES.isdisjoint(words_of(low))


def _named(words: tuple[str, ...]) -> Iterator[str]:
    places = [at for at, word in enumerate(words) if word[0].isdecimal() and _value(word) is not None]
    for at in places:
        yield from _of_one(words, at)
        yield from _of_several(words, at)
    for at, after in pairwise(places):
        if after - at <= _LONGEST:
            yield from _of_two(words, at, after)


def _of_one(words: tuple[str, ...], at: int) -> Iterator[str]:
    number = words[at]
    if not number.isdecimal():
        return
    told = _kind_before(words[:at])
    if told in _BEFORE:
        yield _BEFORE[told].format(number)
    if told == "root" and isqrt(int(number)) ** 2 == int(number):
        yield rf"\sqrt{{{number}}}"
    if told in _OF_ANGLES:
        yield rf"\{told} {number}^\circ"
    kind = _KINDS.get(words[at + 1], "") if at + 1 < len(words) else ""
    if kind in _AFTER:
        yield _AFTER[kind].format(number)


def _of_two(words: tuple[str, ...], at: int, after: int) -> Iterator[str]:
    one, other, between = words[at], words[after], " ".join(words[at + 1 : after])
    first, second = _value(one), _value(other)
    if first is None or second is None:
        return
    kind = _KINDS.get(between, "")
    if kind in _BETWEEN:
        yield _BETWEEN[kind].format(one, other)
    if between == _SHARE_OF and first.denominator > 1:
        factor = "" if first.numerator == 1 else rf"{first.numerator}\cdot "
        yield from _quotient(factor + other, str(first.denominator), first * second)
    if second and (kind == "over" or _DIVIDING.get(_kind_before(words[:at])) == between):
        yield from _quotient(one, other, first / second)


def _of_several(words: tuple[str, ...], at: int) -> Iterator[str]:
    """ "the sum of 3, 4 and 5": all numbers that follow the word."""
    kind = _kind_before(words[:at])
    if kind not in _OF_SEVERAL and kind != "mean":
        return
    numbers = [word for word in takewhile(_is_item, words[at : at + _MOST_ITEMS]) if word != _AND]
    if kind != "mean":
        yield _OF_SEVERAL[kind].join(numbers)
        return
    values = [value for value in map(_value, numbers) if value is not None]
    yield from _quotient("+".join(numbers), str(len(numbers)), sum(values, Fraction(0)) / len(numbers))


def _is_item(word: str) -> bool:
    return word == _AND or _value(word) is not None


def _quotient(top: str, bottom: str, value: Fraction) -> Iterator[str]:
    """A division in both spellings, if it comes to a whole number."""
    if value.denominator == 1:
        yield rf"\frac{{{top}}}{{{bottom}}}"
        yield f"({top})/{bottom}" if "+" in top else f"{top}/{bottom}"


def _kind_before(words: tuple[str, ...]) -> str:
    """What the words right before a number name."""
    ends = (" ".join(words[-size:]) for size in range(min(_LONGEST, len(words)), 0, -1))
    return next((_KINDS[end] for end in ends if end in _KINDS), "")


def _value(word: str) -> Fraction | None:
    """The value of a number in figures: `96`, `1/3`, `2.5`, `20%`."""
    if not word[0].isdecimal():
        return None  # as most words
    bare = word.removesuffix("%")
    top, slash, bottom = bare.partition("/")
    if not bare.isascii() or len(bare) > _MAX_DIGITS or not top.replace(".", "", 1).isdecimal():
        return None
    if slash and (not bottom.isdecimal() or not int(bottom)):
        return None
    above = int(top) if top.isdecimal() else Fraction(top)  # a fraction is read by a slow expression
    return Fraction(above, (int(bottom) if slash else 1) * (100 if bare != word else 1))
