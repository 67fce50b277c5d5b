"""Questions with exact truth for `demo.py`: sums of small numbers, and days of the week.

The truth is computed here, from the question's own numbers, and knows nothing of the library that grades. A day may be
told in two forms; of a right `It falls on a Friday.` the rules are not sure, so that a judge has something to do.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
BOXED = r"\boxed{%s}"
SPOKEN = "It falls on a %s."
PIECES = (
    *"0123456789",
    *DAYS,
    r"\boxed{",
    "}",
    "It falls on a ",
    ".",
    "What is ",
    " + ",
    "?",
    "Which day comes ",
    " days after ",
)
"""The policy's whole vocabulary, but for padding and the end."""
NUMBERS, LATEST = 5, 3
"""Numbers from 0 to 4, days up to three later: few enough to be learnt in minutes."""
SHARE_RIGHT = 0.3
_VALUE = re.compile("|".join((r"\d+", *DAYS)))


@dataclass(frozen=True)
class Question:
    text: str
    truth: str
    source: str


def draw_question(draw: random.Random) -> Question:
    """Three sums for each day."""
    if draw.random() < 0.75:
        a, b = draw.randrange(NUMBERS), draw.randrange(NUMBERS)
        return Question(f"What is {a} + {b}?", str(a + b), "demo/sums")
    first, later = draw.randrange(7), draw.randint(1, LATEST)
    text = f"Which day comes {later} days after {DAYS[first]}?"
    return Question(text, DAYS[(first + later) % 7], "demo/days")


def shown_answer(question: Question, draw: random.Random) -> str:
    """What the policy is shown before it is trained by reward: the form of an answer, right in three of ten."""
    sums = question.source == "demo/sums"
    if draw.random() < SHARE_RIGHT:
        value = question.truth
    else:
        value = str(draw.randrange(2 * NUMBERS - 1)) if sums else draw.choice(DAYS)
    return (BOXED if sums else draw.choice((BOXED, SPOKEN))) % value


def is_right(question: Question, response: str) -> bool:
    r"""Whether a response says the true value, once or more, and no other.

    >>> friday = Question("Which day comes 2 days after Wednesday?", "Friday", "demo/days")
    >>> [is_right(friday, text) for text in (r"\boxed{Friday}", "It falls on a Friday.", r"\boxed{Monday}Friday", "")]
    [True, True, False, False]
    """
    return {value.lstrip("0") or "0" for value in _VALUE.findall(response)} == {question.truth}
