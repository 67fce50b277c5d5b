"""Times of the day and dates, in the usual spellings."""

from __future__ import annotations

from calendar import monthrange

from hybridverify.language.word_forms import month_of
from hybridverify.maths.parsing.spoken_times import spoken_time
from hybridverify.maths.values.kinds import Clock, Date

_HALVES = {
    **dict.fromkeys(("am", "in the morning", "in the early morning"), "am"),
    **dict.fromkeys(("pm", "in the afternoon", "in the evening"), "pm"),
    "at night": "night",
}
_MIDDLES = {"noon": "pm", "midnight": "am"}
_OF_24 = ("hours", "hrs", "h")
_FULL = "o'clock"
_NOON, _EVENING = 12, 5
"""From then on until twelve the night is of the same day."""
_LEAP_YEAR, _LATE = 2000, 3000
_MAX_DATE = len("2024年12月25日")
_TO_SLASHES = str.maketrans("年月.-", "////")
_IDLE = frozenset(("the", "of", "on"))


def clock(text: str) -> Clock | None:
    """The time of the day that the text is, None for any other text.

    >>> clock("9:05 in the evening"), clock("17:30 hours")
    (Clock(hour=9, minute=5, second=0, half='pm'), Clock(hour=17, minute=30, second=0, half=''))
    """
    low = text.lower()
    if "past " in low or " to " in low or "quarter" in low:
        return _in_words(low)
    words = low.lstrip("0123456789:.")
    time = _written_time(low[: len(low) - len(words)], words.lstrip())
    return time if time is not None and _is_on_a_clock(time) else None


def _in_words(low: str) -> Clock | None:
    """`half past three in the afternoon`."""
    told = spoken_time(low)
    if told is None:
        return None
    time, rest = told
    half = _HALVES.get(rest.removeprefix(_FULL).strip().replace(".", ""), "")
    if half == "night" or (rest not in ("", _FULL) and not half):
        return None
    return time if not half or time.hour > _NOON else Clock(time.hour, time.minute, 0, half)


def _written_time(figures: str, words: str) -> Clock | None:
    """`5:30`, `5.30 pm`, `5 pm`, whether or not a clock shows such a time; a bare `5.30` is a number."""
    if words in _MIDDLES:
        return Clock(12, 0, 0, _MIDDLES[words]) if figures in ("", "12", "12:00") else None
    figures, words = _with_colon(figures, words)
    half = _HALVES.get(words.removeprefix(_FULL).strip().replace(".", ""), "")
    is_time = half or words == _FULL or (":" in figures and (not words or words in _OF_24))
    return _of_figures(figures.replace(".", ":").split(":"), half) if is_time else None


def _with_colon(figures: str, words: str) -> tuple[str, str]:
    """`1545` hours and `15h45` as a clock shows them."""
    if words in _OF_24[:2] and len(figures) == 4 and figures.isdigit():
        return f"{figures[:2]}:{figures[2:]}", "am" if "00" < figures[:2] < "12" else words
    if words[:1] == "h" and words[1:].lstrip().isdecimal():
        return f"{figures}:{words[1:].lstrip()}", ""
    return figures, words


def _of_figures(parts: list[str], half: str) -> Clock | None:
    """Of an hour and perhaps minutes and seconds, which have two digits each."""
    if len(parts) > 3 or len(parts[0]) > 2 or any(len(part) != 2 for part in parts[1:]) or not parts[0]:
        return None
    hour, minute, second = (int(part) for part in (*parts, "0", "0")[:3])
    if half == "night":
        half = "pm" if _EVENING <= hour < 12 else "am"
    return Clock(hour, minute, second, half)


def _is_on_a_clock(time: Clock) -> bool:
    first, last = (1, 12) if time.half else (0, 24)
    return first <= time.hour <= last and time.minute < 60 and time.second < 60


def date(text: str) -> Date | None:
    """The date that the text is, None for any other text.

    >>> date("the 25th of March, 2024"), date("25.3.2024"), date("3/4/2024")
    (Date(year=2024, month=3, day=25), Date(year=2024, month=3, day=25), None)
    """
    return _date_in_figures(text) or _spoken_date(text)


def _date_in_figures(text: str) -> Date | None:
    """`2024-03-25`, `2024/3/25`, `25.3.2024`, `3/25/2024`: where both may be the month, nobody knows."""
    if not text[:1].isdigit() or len(text) > _MAX_DATE:
        return None
    parts = text.removesuffix("日").translate(_TO_SLASHES).split("/")
    sizes = tuple(map(len, parts))
    if len(parts) != 3 or not all(map(str.isdigit, parts)) or ("-" in text and sizes != (4, 2, 2)):
        return None
    one, two, three = map(int, parts)
    if _is_year(parts[0]) and max(sizes[1:]) <= 2:
        return _of_calendar(one, two, three)
    return _of_day_and_month(three, one, two) if _is_year(parts[2]) and max(sizes[:2]) <= 2 else None


def _is_year(figures: str) -> bool:
    return len(figures) == 4 and int(figures) < _LATE


def _of_day_and_month(year: int, one: int, two: int) -> Date | None:
    """Of a day and a month in any order; None where both may be the month."""
    if one != two and max(one, two) <= 12:
        return None
    return _of_calendar(year, min(one, two), max(one, two))


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
