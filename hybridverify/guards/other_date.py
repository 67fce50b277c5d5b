"""Another date: the reference is a day, and the answer gives days but not that one.

Small judges see that month and year agree and say yes. Read are months in English words and dates as 1987-03-05. A
date in part ("May 1987") may be the day, so the judge is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile, product, starmap

from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.word_forms import MONTH, WEEKDAYS
from hybridverify.maths.parsing.times import date
from hybridverify.maths.values.kinds import Date

_MAX_TEXT = 2_000
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = re.compile(
    rf"\b(?:(?:{MONTH})\.? (?:the )?{_DAY}(?:,? \d{{4}})?|{_DAY} (?:of )?(?:{MONTH})\b\.?,?(?: \d{{4}})?"
    r"|\d{4}-\d\d-\d\d)(?!\d)",
    re.IGNORECASE,
)
_BEFORE_A_DAY = frozenset(("on", "the", *WEEKDAYS))
_SEVERAL = re.compile(
    r"\d\s?(?:[-–—/&]|to|and|or)\s?\d{1,2}(?:st|nd|rd|th)?\b(?![-–—/]\d)|\d/\d", re.IGNORECASE
)
""" "10-17 April", "April 10 or 17", "5/6/2018": days that are not read one by one."""


def gives_another_date(answer: str, references: Sequence[str]) -> bool:
    """Whether every reference is a day and the answer gives days with their years, none of them that day.

    >>> gives_another_date("It opened on 6 March 1987.", ["March 5, 1987"])
    True
    >>> gives_another_date("On March 5th", ["5 March 1987"]), gives_another_date("In March 1987", ["5 March 1987"])
    (False, False)
    """
    if len(answer) > _MAX_TEXT:
        return False
    spellings = alternatives(references)
    wanted = [day for text in spellings if (day := only_day(text))]
    if not wanted or len(wanted) < len(spellings) or _SEVERAL.search(DATE.sub(_without_hyphens, answer)):
        return False
    said = _days(answer)
    return any(day.year for day in said) and not any(starmap(may_be_day, product(said, wanted)))


def only_day(text: str) -> Date | None:
    """The day, if the reference is exactly one day; else None."""
    words = dropwhile(lambda word: word.lower().rstrip(",") in _BEFORE_A_DAY, text.split())
    bare = " ".join(words).rstrip(". ")
    day = date(bare) if DATE.fullmatch(bare) else None
    return day if day and day.year else None


def _without_hyphens(day: re.Match[str]) -> str:
    return " " if "-" in day[0] else day[0]


def _days(text: str) -> list[Date]:
    found = (date(match[0].rstrip(",")) for match in DATE.finditer(" ".join(text.split())))
    return [day for day in found if day is not None]


def may_be_day(one: Date, other: Date) -> bool:
    same_day = (one.month, one.day) == (other.month, other.day)
    return same_day and (not one.year or not other.year or one.year == other.year)
