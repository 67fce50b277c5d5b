"""Times of the day in words: `half past three`, `a quarter to 5`, `10 minutes past noon`."""

from __future__ import annotations

from hybridverify.language.number_words import read_words
from hybridverify.maths.values.kinds import Clock

_PARTS = {"half": 30, "quarter": 15, "a quarter": 15, "a half": 30}
_MINUTES = (" minutes", " minute", " mins", " min")
_JOINTS = ((" past ", 1), (" after ", 1), (" to ", -1), (" before ", -1))
_HOURS = {"noon": 12, "midday": 12, "midnight": 24}
_HOUR = 60
_LONGEST = 60


def spoken_time(text: str) -> tuple[Clock, str] | None:
    """The time that the text begins with, told without its half of the day, and what follows; None for other texts.

    >>> spoken_time("half past three"), spoken_time("quarter to 5 pm")
    ((Clock(hour=3, minute=30, second=0, half=''), ''), (Clock(hour=4, minute=45, second=0, half=''), 'pm'))
    >>> spoken_time("3 to 1"), spoken_time("past three")
    (None, None)
    """
    low = text.lower()
    if len(low) > _LONGEST:
        return None
    joint, step = next(((joint, step) for joint, step in _JOINTS if joint in low), ("", 0))
    part, _, rest = low.partition(joint) if joint else ("", "", "")
    minutes = _minutes(part)
    word, _, half = rest.partition(" ")
    hour = _HOURS.get(word) or _number(word)
    if not 0 < minutes < _HOUR or not 0 < hour <= _HOURS["midnight"]:
        return None
    told = (hour * _HOUR + step * minutes) % (_HOURS["midnight"] * _HOUR)
    if told < _HOUR <= hour * _HOUR <= _HOURS["noon"] * _HOUR:
        told += _HOURS["noon"] * _HOUR  # a quarter to one
    return Clock(told // _HOUR, told % _HOUR, 0, ""), half


def _minutes(part: str) -> int:
    """Of `half`, `a quarter` and `ten minutes`; 0 for a bare number, which may be odds."""
    ending = next((ending for ending in _MINUTES if part.endswith(ending)), "")
    return _number(part.removesuffix(ending)) if ending else _PARTS.get(part, 0)


def _number(word: str) -> int:
    told = word if word.isdecimal() else read_words(word)
    return int(told) if told.isdecimal() and len(told) <= 2 else 0
