"""What is asked for, roughly, and numbers a little off."""

from __future__ import annotations

import random
import re

from embedded.rows import Row
from hybridverify.judges.embedded.alternatives import alternatives

_NUMBER = re.compile(r"\d+")
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH = re.compile("|".join(MONTHS))
_ASKED = re.compile(
    r"\b(who|whose|when|where|how many|how much|how long|how old|what year|which year|why|how)\b"
)


def type_of(row: Row) -> str:
    """What is asked for, roughly: the question word and the look of the reference."""
    asked = _ASKED.search(row.question.casefold())
    text = alternatives(row.references)[0] if alternatives(row.references) else ""
    look = (
        "number"
        if text[:1].isdigit()
        else "date"
        if _NUMBER.search(text)
        else "name"
        if text.istitle()
        else "words"
    )
    return f"{asked.group() if asked else 'what'}:{look}:{min(len(text.split()), 4)}"


def near_number(text: str, rng: random.Random) -> str | None:
    """The text with one number, or the month, a little off."""
    places = list(_NUMBER.finditer(text))
    months = list(_MONTH.finditer(text))
    if months and (not places or rng.random() < 0.3):
        place = rng.choice(months)
        new = rng.choice([month for month in MONTHS if month != place.group()])
    elif places:
        place = rng.choice(places)
        value, size = int(place.group()[:12]), len(place.group())
        step = rng.choice((1, 1, 2, 3, 5, 10, 10, 100 if size > 3 else 4))
        new = str(value + step if rng.random() < 0.5 or value <= step else value - step)
    else:
        return None
    return text[: place.start()] + new + text[place.end() :]
