r"""Different answers marked on lines of their own, one right below the other: "Answer: 7" and then "Answer: 8".

No words say which of them was meant, so none is the answer, unless the text comes back to a value that it marked
before. Separate from later_answer.py, which reads what follows an answer, because here the lines above one are read.
"""

from __future__ import annotations

from hybridverify.answers.conflict import differ, says
from hybridverify.answers.marks import Found, boxes_from_end, has_mark, last_hash, last_tag
from hybridverify.answers.stated import begins_with_statement
from hybridverify.language.denials import SIGNS
from hybridverify.language.patterns import OPTION_LETTER

_MAX_LINE = 300
_MOST = 10
_AROUND = " \t\r.$*_>\\[](){}"
"""What may stand around a mark on a line of its own."""
_PLAIN = frozenset(map(chr, range(128))) | set("’‘–—−×÷£€")
"""ASCII and the signs of arithmetic and of type that many write in English."""


def has_rival(answer: str, body: str, end: int) -> bool:
    """Whether lines right above a marked answer, which ends at `end`, mark another value and not this one.

    >>> has_rival("8", "Answer: 7\\nAnswer: 8", 19), has_rival("8", "Answer: 7\\nThis is wrong.\\nAnswer: 8", 34)
    (True, False)
    >>> has_rival("7", "Answer: 7\\nAnswer: 8\\nAnswer: 7", 29), has_rival("8", "Answer: 3 + 5 = 8\\n#### 8", 24)
    (False, False)
    """
    start = body.rfind("\n", 0, end) + 1
    above = _marked_above(body, start)
    if not above:
        return False
    if OPTION_LETTER.fullmatch(answer):
        return False  # mark_letters.py decides
    stop = body.find("\n", end)
    if not marked_value(body[start : stop if stop >= 0 else len(body)]):
        return False
    found = 0
    while found < _MOST and (value := marked_value(above)):
        if not differ(answer, value) or says(answer, value):
            return False
        found += 1
        start = body.rfind(above, 0, start)
        above = _line_above(body, start)
    return found > 0


def _marked_above(body: str, start: int) -> str:
    """The last line before `start` if it may be marked, else ""; a longer line marks nothing."""
    if start < 2 or not may_mark(body[max(0, start - _MAX_LINE) : start]):
        return ""
    above = _line_above(body, start)
    return above if may_mark(above) else ""


def _line_above(body: str, start: int) -> str:
    """The last line before `start` that says something."""
    window = max(0, start - 2 * _MAX_LINE)
    cut = window > 0  # its first line may have begun before
    lines = body[window:start].splitlines()[cut:]
    return next((line for line in reversed(lines) if not _is_idle(line)), "")


def _is_idle(line: str) -> bool:
    """Whether a line has neither a letter or digit nor a sign for "wrong": it is blank, or a rule between two parts."""
    return not any(map(str.isalnum, line)) and not any(map(line.__contains__, SIGNS))


def may_mark(text: str) -> bool:
    """Whether a text has what marked lines have; one by one, which is fastest. Any foreign letter counts."""
    if not text.isascii() and not _PLAIN.issuperset(text):
        return True
    return "nswer" in text or "#" in text or "\\" in text or "</" in text


def marked_value(line: str) -> str:
    r"""The value that a line marks, "" for a line that says anything else.

    >>> marked_value("#### 7"), marked_value(r"$\boxed{7}$."), marked_value("**Answer:** 7"), marked_value("So #### 7")
    ('7', '7', '7', '')
    """
    if not may_mark(line) or len(line) > _MAX_LINE:
        return ""
    if not has_mark(line):
        return begins_with_statement(line)
    hashed = last_hash(line, strict=True)
    if hashed and hashed.content.lstrip(" *_")[:2].isalpha():
        return ""  # a heading
    mark = hashed or last_tag(line) or next(boxes_from_end(line), None)
    return "" if mark is None or _says_more(line, mark) else mark.content.strip()


def _says_more(line: str, mark: Found) -> bool:
    return bool((line[: mark.start] + line[mark.end :]).strip(_AROUND))
