"""Another date: the reference is a day and the answer gives days, none of which it is.

Small judges see a month and a year agree and say yes. Months in English words and dates as 1987-03-05; what is given
in part ("May 1987") may be the day, and is the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product, starmap
from typing import NamedTuple

from hybridverify.judges.embedded.alternatives import alternatives

_MAX_TEXT = 2_000
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?:{_MONTH} (?:the )?{_DAY}(?:,? (\d{{4}}))?|{_DAY} (?:of )?{_MONTH},?(?: (\d{{4}}))?"
    r"|(\d{4})-(\d\d)-(\d\d))(?!\d)",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_ALONE = re.compile(
    r"^(?:on )?(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?", re.IGNORECASE
)
_SEVERAL = re.compile(
    r"\d\s?(?:[-–—/&]|to|and|or)\s?\d{1,2}(?:st|nd|rd|th)?\b(?![-–—/]\d)|\d/\d", re.IGNORECASE
)
""" "10-17 April", "April 10 or 17", "5/6/2018": days that are not read one by one."""


class _Day(NamedTuple):
    day: int
    month: int
    year: int
    """0 where it is not given."""


def gives_another_date(answer: str, references: Sequence[str]) -> bool:
    """Whether every reference is a day and the answer gives days with their years, none of them that day.

    >>> gives_another_date("It opened on 6 March 1987.", ["March 5, 1987"])
    True
    >>> gives_another_date("On March 5th", ["5 March 1987"]), gives_another_date("In March 1987", ["5 March 1987"])
    (False, False)
    """
    if len(answer) > _MAX_TEXT or not any(map(str.isdigit, answer)):
        return False
    wanted = [_only_day(text) for text in alternatives(references)]
    if not wanted or not all(day.year for day in wanted) or _SEVERAL.search(_ISO.sub(" ", answer)):
        return False
    said = _days(answer)
    return any(day.year for day in said) and not any(starmap(_may_be, product(said, wanted)))


def _only_day(text: str) -> _Day:
    """The day that a reference is; without a year where it says more, or less."""
    bare = _ALONE.sub("", " ".join(text.split())).rstrip(". ")
    found = _DATE.fullmatch(bare)
    return _day(found) if found else _Day(0, 0, 0)


def _days(text: str) -> list[_Day]:
    return [_day(found) for found in _DATE.finditer(" ".join(text.split()))]


def _day(found: re.Match[str]) -> _Day:
    month, day, year, early_day, late_month, late_year, iso_year, iso_month, iso_day = found.groups()
    if iso_year:
        return _Day(int(iso_day), int(iso_month), int(iso_year))
    name = (month or late_month).casefold()[:3]
    return _Day(int(day or early_day), _NAMES.index(name) + 1, int(year or late_year or 0))


def _may_be(one: _Day, other: _Day) -> bool:
    return one[:2] == other[:2] and (not one.year or not other.year or one.year == other.year)
