r"""Whether two texts of one response say different things, and whether a text says a value at all.

Values first: numbers and formulas are compared as such; words only count where both are short and share none.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from hybridverify.answers import stated
from hybridverify.answers.frame import is_denied
from hybridverify.conventions import DEFAULT
from hybridverify.language import expressions as re
from hybridverify.language.patterns import LONG_WORD, TELLING_WORD
from hybridverify.language.text import canonical
from hybridverify.language.wrapping import unwrap
from hybridverify.maths import compare, numerals

MAX_COMPARED = 200
"""Longer texts are not held against each other."""
_MAX_WORDS = 4
_ROUGHLY = 20
"""Decimals that differ by less than a tenth may be roundings of each other."""
_FORMULA_SIGNS = frozenset("0123456789\\^_=+<>-")
NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_SIGNS = frozenset("\\^_/=%")


def says(value: str, text: str) -> bool:
    """Whether the value stands in the text undenied, in its own or another spelling of the number."""
    number = numerals.read(value)
    if number and any(_is_said(number, found, text) for found in NUMBER.finditer(text)):
        return True
    return last_place(value.strip(" .$*"), text) >= 0


def last_place(value: str, text: str) -> int:
    """Where the value was last said and not denied, -1 for nowhere: 4 does not stand in 14, nor in 4.5."""
    told = (at for at in places(value, text) if not is_denied(text, at, at + len(value)))
    return next(told, -1)


def is_only_denied(value: str, text: str) -> bool:
    """Whether the text speaks of the value, and every time to deny it.

    >>> [is_only_denied("4", text) for text in ("No, it is not 4.", "so 5 instead of 4", "not 4.5")]
    [True, True, False]
    """
    return next(places(value, text), -1) >= 0 and last_place(value, text) < 0


def places(value: str, text: str) -> Iterator[int]:
    """Where the value stands by itself, the last place first.

    >>> list(places("4", "4 or 14"))
    [0]
    """
    end = len(text)
    while value and (at := text.rfind(value, 0, end)) >= 0:
        if not value.isascii() or not _is_part(value, text, at):
            yield at
        end = at + len(value) - 1


def _is_said(number: numerals.Number, found: re.Match[str], text: str) -> bool:
    return found[0].replace(",", "") == str(number.value) and not is_denied(text, *found.span())


def _is_part(value: str, text: str, at: int) -> bool:
    """Whether the value at `at` is a piece of a longer word or number."""
    if value[0].isalnum() and _continues(text[at - 1 : at]):
        return True
    after = text[at + len(value) : at + len(value) + 2]
    goes_on = _continues(after[:1]) or (after[:1] in ".,/" and after[1:].isdigit())
    return value[-1].isalnum() and goes_on


def _continues(char: str) -> bool:
    """East Asian signs stand beside a number without a blank and are no part of it."""
    return char.isalnum() and char < "\u2e80"


@lru_cache(maxsize=512)
def differ(one: str, other: str) -> bool:
    """Whether two texts surely are different answers.

    >>> differ("1/2", "0.5"), differ("x+1", "1+x"), differ("Paris", "the city of Paris"), differ("Paris", "London")
    (False, False, False, True)
    """
    one, other = unwrap(one), unwrap(stated.strip_label(unwrap(other)))
    if not one or not other or len(one) > MAX_COMPARED or len(other) > MAX_COMPARED:
        return False
    first, second = numerals.read(one), numerals.read(other)
    if first and second:
        return _numbers_differ(first, second)
    if compare(one, other, "", DEFAULT).outcome == "different":
        return True
    return _amounts_differ(one, other) if any(map(str.isdigit, one + other)) else _share_no_word(one, other)


def _share_no_word(one: str, other: str) -> bool:
    """Whether both texts are a few words long and have no word in common."""
    words = set(LONG_WORD.findall(one.lower())), set(LONG_WORD.findall(other.lower()))
    return all(0 < len(said) <= _MAX_WORDS for said in words) and words[0].isdisjoint(words[1])


def _numbers_differ(one: numerals.Number, other: numerals.Number) -> bool:
    same = numerals.compare(one, other, DEFAULT)
    return same is False or (same is None and one.percent == other.percent and _far(one, other))


@lru_cache(maxsize=512)
def conflict(answer: str, later: str) -> bool:
    """Whether a later answer is another one, as far as one can tell: two formulas that are not proved equal count.

    >>> conflict("x+1", "x-1"), conflict("x+1", "1+x"), conflict("x+1", "f(x) = x+1")
    (True, False, False)
    """
    if differ(answer, later):
        return True
    one, other = unwrap(answer), unwrap(stated.strip_label(unwrap(later)))
    if not one or not other or not (_is_formula(one) and _is_formula(other)):
        return False
    mine, theirs = canonical(one), canonical(other)
    if mine in theirs or theirs in mine or TELLING_WORD.search(other):
        return False
    return not compare(one, other, "", DEFAULT).equal


def _is_formula(text: str) -> bool:
    """A short text with signs that is no plain number."""
    return len(text) <= MAX_COMPARED and not _FORMULA_SIGNS.isdisjoint(text) and numerals.read(text) is None


def _far(one: numerals.Number, other: numerals.Number) -> bool:
    """Whether the numbers differ by more than rounding can explain."""
    mine, theirs = Fraction(one.value), Fraction(other.value)
    return abs(mine - theirs) * _ROUGHLY > abs(mine) + abs(theirs)


def _amounts_differ(one: str, other: str) -> bool:
    """ "4 apples" and "5 pears": one number each, with nothing but words around it."""
    if not _SIGNS.isdisjoint(one) or not _SIGNS.isdisjoint(other):
        return False
    mine, theirs = NUMBER.findall(one), NUMBER.findall(other)
    return len(mine) == len(theirs) == 1 and mine[0].replace(",", "") != theirs[0].replace(",", "")
