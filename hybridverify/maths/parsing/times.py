"""Times of the day and dates, in the usual spellings."""

from __future__ import annotations

import re

from hybridverify.maths.notation.vocabulary import word_list
from hybridverify.maths.values.kinds import Clock, Date

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(?::(\d{2}))?\s?(?:([ap])\.?(m)\.?)?", re.IGNORECASE)
_TIME_WORDS = (
    (re.compile(r"\s(?:in the (?:afternoon|evening)|at night)$"), " pm"),
    (re.compile(r"\sin the (?:early )?morning$"), " am"),
    (re.compile(r"^(\d{1,2}):(\d{2}) (?:hours|hrs|h|o'clock)$"), r"\1:\2"),
    (re.compile(r"^(\d{2})(\d{2}) (?:hours|hrs)$"), r"\1:\2"),
    (re.compile(r"^(?:12 |12:00 )?noon$"), "12:00 pm"),
    (re.compile(r"^(?:12 |12:00 )?midnight$"), "12:00 am"),
    (re.compile(r"^(\d{1,2}) o'clock( [ap]\.?m\.?)?$"), r"\1:00\2"),
)
_ISO_DATE = re.compile(r"([12]\d{3})-(\d{2})-(\d{2})")
_NUMERIC_DATE = re.compile(
    r"([12]\d{3})[/年](\d{1,2})[/月](\d{1,2})日?|(\d{1,2})[/.](\d{1,2})[/.]([12]\d{3})"
)
_IDLE = frozenset(("the", "of", "on"))
_HOUR = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?", re.IGNORECASE)
_MONTHS = {name: i + 1 for i, name in enumerate(word_list(
    "january february march april may june july august september october november december"))}  # fmt: skip


def clock(text: str) -> Clock | None:
    """The time of the day that the text is, None for any other text.

    >>> clock("9:05 in the evening"), clock("17:30 hours")
    (Clock(hour=9, minute=5, second=0, half='pm'), Clock(hour=17, minute=30, second=0, half=''))
    """
    if text[-1:].isalpha():
        low = text.lower()
        for pattern, time in _TIME_WORDS:
            if pattern.search(low):
                text = pattern.sub(time, low)
                break
    match = _CLOCK.fullmatch(text)
    if match and (match[4] or ":" in text):
        hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
        half = (match[4] or "").lower()
    else:
        match = _HOUR.fullmatch(text)
        if match is None:
            return None
        hour, minute, second, half = int(match[1]), 0, 0, match[2].lower()
    if minute > 59 or second > 59 or hour > (12 if half else 24) or (half and not hour):
        return None
    return Clock(hour, minute, second, half + "m" if half else "")


def date(text: str) -> Date | None:
    """The date that the text is, None for any other text.

    >>> date("the 25th of March, 2024"), date("25.3.2024"), date("3/4/2024")
    (Date(year=2024, month=3, day=25), Date(year=2024, month=3, day=25), None)
    """
    iso = _ISO_DATE.fullmatch(text)
    if iso:
        year, month, day = (int(part) for part in iso.groups())
        return Date(year, month, day) if 0 < month < 13 and 0 < day < 32 else None
    numeric = _NUMERIC_DATE.fullmatch(text)
    if numeric:
        return _numeric_date(*(int(part or 0) for part in numeric.groups()))
    words = [word for word in text.replace(",", " ").replace(".", " ").split() if word.lower() not in _IDLE]
    if not 2 <= len(words) <= 3:
        return None
    month = day = year = 0
    for word in words:
        low = word.lower()
        bare = low[:-2] if low[-2:] in ("st", "nd", "rd", "th") else low
        if low.isalpha() and len(low) >= 3 and _month(low):
            if month:
                return None
            month = _month(low)
        elif bare.isdigit() and len(bare) <= 2 and not day:
            day = int(bare)
        elif low.isdigit() and len(low) == 4 and not year:
            year = int(low)
        else:
            return None
    return Date(year, month, day) if month and 0 < day < 32 else None


def _numeric_date(*parts: int) -> Date | None:
    """`2024/03/25`, `25.3.2024`, `3/25/2024`: where both may be the month, nobody knows."""
    year, month, day, first, second, late = parts
    if not year:
        year, month, day = (late, second, first) if first > 12 else (late, first, second)
        if first == second:
            month = day = first
        elif second <= 12 and first <= 12:
            return None
    return Date(year, month, day) if 0 < month < 13 and 0 < day < 32 else None


def _month(word: str) -> int:
    if word in ("sept",):
        return 9
    return next((number for name, number in _MONTHS.items() if name == word or name[:3] == word), 0)
