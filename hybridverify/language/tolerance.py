"""How far off a number may be by the question's own words: "anything off by at most 2 counts as right".

Such a number is neither proved nor surely wrong. Only what is more than twice as far off as allowed stays surely wrong:
the reference may itself be off by as much. Where tens are asked, the reference may have been rounded, or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from hybridverify.language import expressions as re
from hybridverify.language.asked import kinds_in
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.number_words import read_words

_MAX_QUESTION = 50_000
_NUMBER = re.compile(
    r"\s(\d{1,9}(?:\.\d{1,6})?|[a-z]{3,9})(?:\s?(%|\\%|percent\b|per cent\b))?", re.IGNORECASE
)
_OFF, _WITHIN = phrases("phrases", "off_by"), phrases("phrases", "within")
_NEAREST = phrases("phrases", "nearest", after=r"\s([a-z]+)\b(?!-)")
_SIGNS = (
    *("within", "to the nearest ", "at most", "up to", "more than", "a maximum of"),
    *("give or take", "tolerance of", "margin of"),
)
"""One of these stands in all that is looked for."""
_AROUND = 60
"""So near "within 5" it is said to be about the answer: a town may lie within 5 miles."""
_HALVES = {"ten": 5, "hundred": 50, "thousand": 500, "million": 500_000}


class Tolerance(NamedTuple):
    """What is not surely wrong: a difference of so much, or of such a share of the reference."""

    amount: Fraction = Fraction(0)
    share: Fraction = Fraction(0)

    def may_cover(self, reference: Fraction | int, answer: Fraction | int) -> bool:
        """Whether the difference is no larger.

        >>> Tolerance(Fraction(2)).may_cover(31, 33), Tolerance(Fraction(2)).may_cover(31, 34)
        (True, False)
        """
        wanted = Fraction(reference)
        return abs(wanted - answer) <= max(self.amount, self.share * abs(wanted))


@lru_cache(maxsize=512)
def stated_tolerance(question: str) -> Tolerance | None:
    """What the question allows, None where it says nothing.

    >>> stated_tolerance("How many? Anything that is off by at most two is fine.").amount
    Fraction(4, 1)
    >>> stated_tolerance("Estimates within 5% of the true value count.").share
    Fraction(1, 10)
    """
    text = question[:_MAX_QUESTION]
    if text.isascii() and not any(map(text.lower().__contains__, _SIGNS)):
        return None  # the usual question, without the patterns
    told = [*_by_numbers(text), *_by_halves(text)]
    if not told:
        return None
    return Tolerance(max(one.amount for one in told), max(one.share for one in told))


def _by_numbers(text: str) -> Iterator[Tolerance]:
    """ "off by 2", "within 5%" of an answer."""
    within = (one for one in _WITHIN.finditer(text) if _is_of_an_answer(text, one))
    for one in chain(_OFF.finditer(text), within):
        if number := _NUMBER.match(text, one.end()):
            yield _read(number)


def _by_halves(text: str) -> Iterator[Tolerance]:
    """ "to the nearest ten"."""
    for one in _NEAREST.finditer(text):
        if half := _HALVES.get(one[1].lower()):
            yield Tolerance(Fraction(half))


def _is_of_an_answer(text: str, match: re.Match[str]) -> bool:
    near = text[max(0, match.start() - _AROUND) : match.end() + _AROUND]
    return "accepted" in kinds_in(near)


def _read(match: re.Match[str]) -> Tolerance:
    word, percent = match.groups()
    digits = word if word[0].isdigit() else read_words(word)
    size = Fraction(digits) if digits else Fraction(0)
    return Tolerance(share=size / 50) if percent else Tolerance(2 * size)
