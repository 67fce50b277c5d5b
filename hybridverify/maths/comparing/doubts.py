"""Doubts that the spelling casts on what two values say: words that look like products, a fraction typed on a line."""

from __future__ import annotations

from typing import TypeAlias

from hybridverify.language import expressions as re
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.notation.vocabulary import VOWELS
from hybridverify.maths.parsing.reading import Reading, reading_of
from hybridverify.maths.values.kinds import Unreadable

Notation: TypeAlias = tuple[tuple[str, str], ...]
_TWO_READINGS = re.compile(
    r"[-+]\s?[-+]|(?:sin|cos|tan|cot|sec|csc|(?<![A-Za-z])[fgh])\s?\^\s?\{?\s?-\s?1(?!\d)"
)
"""Two signs in a row, which may be a plus-minus; an exponent that may mean the inverse function."""
_YEAR = re.compile(r"\d{4}")
_SUM = re.compile(r"[\w}]\s?[-+]")


def may_be_read_otherwise(mine: Reading, theirs: Reading, case: Case) -> bool:
    """Is one of the two written in a way that others read as another value?"""
    texts = mine.text, theirs.text
    if any(map(_TWO_READINGS.search, texts)):
        return True
    for one, other in (texts, texts[::-1]):  # `1960/1980` may name two years
        if _YEAR.fullmatch(other) and re.search(rf"{other}/\d{{4}}|\d{{4}}/{other}", one):
            return True
    return is_loose_quotient(mine, theirs, case)


def is_loose_quotient(mine: Reading, theirs: Reading, case: Case) -> bool:
    """`x+1/x-1` typed for a fraction of two sums: by the letter it is another formula."""
    for one, other in ((mine, theirs), (theirs, mine)):
        top, slash, bottom = one.text.partition("/")
        if not slash or "/" in bottom or "(" in one.text or not (_SUM.search(top) or _SUM.search(bottom)):
            continue
        value = reading_of(f"({top})/({bottom})", case.conventions).value
        pair = (value, other.value) if one is mine else (other.value, value)
        if not isinstance(value, Unreadable) and case.same(*pair).equal:
            return True
    return False


def rearranged(mine: Notation, theirs: Notation) -> bool:
    """`2 god` and `2 dog`: runs of letters that may be words are no equal products."""
    first, second = _spellable(mine), _spellable(theirs)
    return first != second and sorted("".join(first)) == sorted("".join(second))


def _spellable(tokens: Notation) -> list[str]:
    runs = (text for kind, text in tokens if kind == "word" and len(text) > 2)
    return sorted(run for run in runs if not VOWELS.isdisjoint(run))
