r"""Read references: out of a mark where they hold a whole solution, with broken escapes repaired.

Separate from extract.py because a reference is trusted: it is read once however many responses it has, and its
last mark is its answer whatever surrounds it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from hybridverify.answers import boxes, conclusion, fenced, marks, stated
from hybridverify.answers.predicates import CONCLUDING
from hybridverify.language import expressions as re
from hybridverify.language.names import starts_with_name
from hybridverify.language.patterns import FORMULA, LONG_WORD
from hybridverify.language.text import NUMERAL
from hybridverify.language.wrapping import unwrap, visible

_MAX_SOLUTION = 200_000
_MIN_STATED = 20
_MIN_SOLUTION = 400
"""Longer references are solutions rather than answers: they end on their answer."""
# A JSON or Python decoder took the backslash command for a control character: \text, \frac, \beta, \right, \vec.
_BROKEN = re.compile(
    r"\\?(?:(\t)(?=ext|imes|heta|frac|an\b|au\b|ilde|o\b)|(\x0c)(?=rac|box|orall)|(\x08)(?=eta|oxed|inom|egin|ar\b|mod)"
    r"|(\r)(?=ight|ho\b|angle)|(\x0b)(?=ec\b|ert|arnothing))"
)
_MOST_PARTS, _MOST_DIGITS = 9, 13
_MAX_CONCLUSION = 160
_YEAR = 1000
_LETTERS = {"\t": "\\t", "\x0c": "\\f", "\x08": "\\b", "\r": "\\r", "\x0b": "\\v"}


@lru_cache(maxsize=4096)
def read_reference(text: str, escapes: bool = True) -> str:
    r"""The answer a reference stands for, "" where it is blank.

    >>> read_reference(r"so $s = \boxed{1.6}$ cm"), read_reference("3 + 4 = 7\n#### 7"), read_reference("$4$")
    ('1.6', '7', '4')
    >>> read_reference("\x0crac{1}{2}"), read_reference(r"\boxed{}")
    ('\\frac{1}{2}', '')
    """
    if NUMERAL.fullmatch(text):
        return text
    if escapes and not text.isprintable():
        text = _BROKEN.sub(lambda match: _LETTERS[match.group(match.lastindex or 0)], text)
    text = fenced.told(text.strip()) or text
    given = _given(text) if len(text) <= _MAX_SOLUTION else None
    return given if given is not None else unwrap(text) or visible(text).strip()


def _given(text: str) -> str | None:
    """What a mark or a statement of the reference holds, None where it is the answer as it stands."""
    statement = boxes.last_statement(text, "last")
    if statement:
        return ", ".join(dict.fromkeys(unwrap(box) for box in statement.texts))
    hashed = marks.last_hash(text, strict=False)
    told = hashed.content if hashed else _told(text)
    return unwrap(told) if hashed or told else None


def _told(text: str) -> str:
    """What a reference of several sentences states or ends on, "" for one that is the answer as it stands."""
    if len(text) <= _MAX_CONCLUSION and (led := _concluded(text)):
        return led
    if len(text) > _MIN_STATED and "answer is" in text.lower():
        return stated.last_stated(text)
    return conclusion.conclusion(text.partition("<|")[0]) if len(text) > _MIN_SOLUTION else ""


def _concluded(text: str) -> str:
    """The formula of a reference that is nothing else after its "therefore", "" for any other."""
    opening = CONCLUDING.match(text)
    led = text[opening.end() :].strip(" ,.\n") if opening else ""
    formula = FORMULA.fullmatch(led)
    if formula:
        content: str = next(filter(None, formula.groups()))
        return content
    return led if led.count("=") == 1 and starts_with_name(led) and not LONG_WORD.search(led) else ""


def may_list(reference: str, answer: str) -> bool:
    """Whether `1963/1972` may name two years, of which the answer is one: no sure reject there.

    >>> may_list("1963/1972", "1963"), may_list("3/4", "3"), may_list("12/66", "66"), may_list("602/623/480", "602")
    (True, False, True, True)
    """
    parts = [part.strip().replace(",", "") for part in reference.split("/", _MOST_PARTS)]
    if not 1 < len(parts) <= _MOST_PARTS or not all(
        part.isdecimal() and len(part) <= _MOST_DIGITS for part in parts
    ):
        return False
    if answer.strip().replace(",", "") not in parts:
        return False
    numbers = [int(part) for part in parts]
    return len(parts) > 2 or min(numbers) >= _YEAR or math.gcd(*numbers) > 1


def any_may_list(references: Sequence[str], answer: str) -> bool:
    """`may_list` of several references."""
    if "/" not in "".join(references):  # nearly always
        return False
    return any(may_list(reference, answer) for reference in references)
