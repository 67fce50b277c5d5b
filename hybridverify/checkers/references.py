r"""Read references: out of a mark where they hold a whole solution, with broken escapes repaired.

Apart from extract.py because a reference is trusted: it is read once however many responses it has, and its
last mark is its answer whatever surrounds it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hybridverify.checkers import boxes, closing, marks, stated
from hybridverify.checkers.text import NUMERAL
from hybridverify.checkers.wrapping import unwrap, visible

_MAX_SOLUTION = 200_000
_MIN_STATED = 20
_MIN_SOLUTION = 400
"""Longer references are solutions rather than answers: they end on their answer."""
# A JSON or Python decoder took the backslash command for a control character: \text, \frac, \beta, \right, \vec.
_BROKEN = re.compile(
    r"\\?(?:(\t)(?=ext|imes|heta|frac|an\b|au\b|ilde|o\b)|(\x0c)(?=rac|box|orall)|(\x08)(?=eta|oxed|inom|egin|ar\b|mod)"
    r"|(\r)(?=ight|ho\b|angle)|(\x0b)(?=ec\b|ert|arnothing))"
)
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
    if len(text) <= _MAX_SOLUTION:
        statement = boxes.last_statement(text, "last")
        if statement:
            return ", ".join(dict.fromkeys(unwrap(box) for box in statement.texts))
        hashed = marks.last_hash(text, strict=False)
        if hashed:
            return unwrap(hashed.content)
        told = _told(text)
        if told:
            return unwrap(told)
    return unwrap(text) or visible(text).strip()


def _told(text: str) -> str:
    """What a reference of several sentences states or ends on, "" for one that is the answer as it stands."""
    if len(text) > _MIN_STATED and "answer is" in text.lower():
        return stated.last_stated(text)
    return closing.conclusion(text.partition("<|")[0]) if len(text) > _MIN_SOLUTION else ""
