"""Times of the day and dates, in the usual spellings."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable

from hybridverify.language import expressions as re
from hybridverify.language.word_forms import month_of
from hybridverify.maths.values.kinds import Clock, Date

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(?::(\d{2}))?\s?(?:([ap])\.?(m)\.?)?", re.IGNORECASE)
_MIDDLES = {"noon": "pm", "midnight": "am"}
_TIME_WORDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"\s(?:(in the (?:afternoon|evening)|at night)|in the (?:early )?morning)$"),
        lambda found: " pm" if found[1] else " am",
    ),
    (re.compile(r"^(\d{1,2}):(\d{2}) (?:hours|hrs|h|o'clock)$"), r"\1:\2"),
    (re.compile(r"^(\d{2})(\d{2}) (?:hours|hrs)$"), r"\1:\2"),
    (re.compile(r"^(?:12 |12:00 )?(noon|midnight)$"), lambda found: f"12:00 {_MIDDLES[found[1]]}"),
    (re.compile(r"^(\d{1,2}) o'clock( [ap]\.?m\.?)?$"), r"\1:00\2"),
)
_LEAP_YEAR = 2000
_ISO_DATE = re.compile(r"([12]\d{3})-(\d{2})-(\d{2})")
_NUMERIC_DATE = re.compile(
    r"([12]\d{3})[/年](\d{1,2})[/月](\d{1,2})日?|(\d{1,2})[/.](\d{1,2})[/.]([12]\d{3})"
)
_IDLE = frozenset(("the", "of", "on"))
_HOUR = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?", re.IGNORECASE)


def clock(text: str) -> Clock | None:
    """The time of the day that the text is, None for any other text.

    >>> clock("9:05 in the evening"), clock("17:30 hours")
    (Clock(hour=9, minute=5, second=0, half='pm'), Clock(hour=17, minute=30, second=0, half=''))
    """
    time = _written_time(_in_figures(text) if text[-1:].isalpha() else text)
    return time if time is not None and _is_on_a_clock(time) else None


def _in_figures(text: str) -> str:
    """`noon` is `12:00 pm`; a text without such words stays as it is."""
    low = text.lower()
    for pattern, time in _TIME_WORDS:
        if pattern.search(low):
            return pattern.sub(time, low)
    return text


def _written_time(text: str) -> Clock | None:
    """`5:30`, `5.30 pm`, `5 pm`, whether or not a clock shows such a time; a bare `5.30` is a number."""
    match = _CLOCK.fullmatch(text)
    if match and (match[4] or ":" in text):
        return Clock(int(match[1]), int(match[2]), int(match[3] or 0), _half_of_day(match[4]))
    match = _HOUR.fullmatch(text)
    return Clock(int(match[1]), 0, 0, _half_of_day(match[2])) if match else None


def _half_of_day(letter: str | None) -> str:
    return letter.lower() + "m" if letter else ""


def _is_on_a_clock(time: Clock) -> bool:
    first, last = (1, 12) if time.half else (0, 24)
    return first <= time.hour <= last and time.minute < 60 and time.second < 60


def date(text: str) -> Date | None:
    """The date that the text is, None for any other text.

    >>> date("the 25th of March, 2024"), date("25.3.2024"), date("3/4/2024")
    (Date(year=2024, month=3, day=25), Date(year=2024, month=3, day=25), None)
    """
    iso = _ISO_DATE.fullmatch(text)
    if iso:
        return _of_calendar(*(int(part) for part in iso.groups()))
    numeric = _NUMERIC_DATE.fullmatch(text)
    if numeric:
        return _numeric_date(*(int(part or 0) for part in numeric.groups()))
    return _spoken_date(text)


def _of_calendar(year: int, month: int, day: int) -> Date | None:
    """None where there is no such month, or the month has no such day; 0 stands for a year that is not told."""
    if not 0 < month < 13:
        return None
    days = monthrange(year or _LEAP_YEAR, month)[1]
    return Date(year, month, day) if 0 < day <= days else None


def _spoken_date(text: str) -> Date | None:
    """A day, the name of a month and perhaps a year, in any order."""
    words = [word for word in text.replace(",", " ").replace(".", " ").split() if word.lower() not in _IDLE]
    if not 2 <= len(words) <= 3:
        return None
    told = {"year": 0, "month": 0, "day": 0}
    for word in words:
        part, number = _part_of_date(word.lower())
        if not part or told[part]:
            return None
        told[part] = number
    return _of_calendar(**told)


def _part_of_date(word: str) -> tuple[str, int]:
    """What a word tells of a date, `25th` the day 25; nothing for a word that no date has."""
    day = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    if day.isdigit() and len(day) <= 2:
        return "day", int(day)
    if word.isdigit() and len(word) == 4:
        return "year", int(word)
    month = month_of(word)
    return ("month", month) if month else ("", 0)


def _numeric_date(*parts: int) -> Date | None:
    """`2024/03/25`, `25.3.2024`, `3/25/2024`: where both may be the month, nobody knows."""
    year, month, day, first, second, late = parts
    if year:
        return _of_calendar(year, month, day)
    if first != second and first <= 12 and second <= 12:
        return None
    return _of_calendar(late, min(first, second), max(first, second))
