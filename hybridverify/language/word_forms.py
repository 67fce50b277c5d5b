"""Forms of English words that many readers fold: number of nouns, names of months and days."""

from __future__ import annotations

_IRREGULAR = {
    "feet": "foot", "people": "people", "children": "child", "vertices": "vertex", "men": "man", "women": "woman",
    "hrs": "hr", "yrs": "yr", "lbs": "lb",
}  # fmt: skip
_SIBILANTS = ("ches", "shes", "xes", "sses")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
MONTH = "|".join([*MONTHS, "sept", *_SHORT])
"""The names of months as a pattern, in small letters."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def singular(word: str) -> str:
    """A word in small letters without the ending of number.

    >>> singular("Apples"), singular("boxes"), singular("feet"), singular("glass"), singular("gas")
    ('apple', 'box', 'foot', 'glass', 'gas')
    """
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith(_SIBILANTS):
        return low[:-2]
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low


def month_of(word: str) -> int:
    """The number of a month by its name or its usual short form, 0 for any other word.

    >>> month_of("March"), month_of("sept"), month_of("ma"), month_of("marching")
    (3, 9, 0, 0)
    """
    low = word.lower()
    number = _SHORT.get(low[:3], 0)
    return number if number and low in (low[:3], MONTHS[number - 1], "sept") else 0
