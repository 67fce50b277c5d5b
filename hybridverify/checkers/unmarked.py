"""What an unmarked line is: an answer by itself, prose, or a hedge."""

from __future__ import annotations

import re

from hybridverify.checkers import numerals
from hybridverify.checkers.stated import WORD_COPULA, last_stated

_LONG_WORD = re.compile(r"(?<!\\)(?<![^\W\d_])[^\W\d_]{2,}")
_OTHER_MARK = re.compile(r"\\fbox|\\boxed|####|</?answer>", re.IGNORECASE)
_EITHER = re.compile(r"(?<![^\W_])either(?![^\W_])", re.IGNORECASE)
_OR = re.compile(r"(?:\\text\s*\{\s*or\s*\}|(?<![^\W_])(?:or|oder|ou|или)(?![^\W_])|或者?)", re.IGNORECASE)


def is_bare(line: str) -> bool:
    """True for a line that is an answer and no prose: what a task with a fixed form lets pass unmarked.

    >>> is_bare("7"), is_bare("x = 5 cm"), is_bare("The total is 7"), is_bare("I think that it must be 7")
    (True, True, False, False)
    """
    if len(line) > 200 or _OTHER_MARK.search(line) or WORD_COPULA.search(line) or last_stated(line):
        return False
    return len(_LONG_WORD.findall(line)) <= 4


def is_hedge(answer: str) -> bool:
    """True for an answer that offers alternatives: "7 or 8", "either x or y", "A or B".

    Words on both sides ("New York City or NYC") may be two names of one thing: no hedge. Nor are two
    spellings of one number.
    """
    if len(answer) > 300:
        return False
    either = bool(_EITHER.search(answer))
    parts = [part.strip(" ,;$") for part in _OR.split(answer)]
    if len(parts) < 2:
        return False
    values = {read.value for part in parts if (read := numerals.read(part)) is not None}
    if len(values) == 1 and all(numerals.read(part) for part in parts):
        return False
    return either or all(_is_value(part) for part in parts)


def _is_value(text: str) -> bool:
    return any(char.isdigit() for char in text) or "\\" in text or bool(re.fullmatch(r"\(?[A-Za-z]\)?", text))
