r"""What stands around a box: `-\boxed{4}`, `\boxed{4}^2` and "not \boxed{4}" do not answer 4.

Apart from boxes.py because here the text outside the box is read, a few characters on each side. Units, degree
signs, percent signs and base indices behind a box are usual and change nothing.
"""

from __future__ import annotations

import re

from hybridverify.checkers.taken_back import TAKEN_BACK

_LOOK = 48
"""How far the text before and behind a box is read."""
_OPERATOR_BEFORE = re.compile(
    r"(?:\\(?:ne|neq|le|leq|leqslant|ge|geq|geqslant|lt|gt|cdot|times|div|pm|mp|sqrt|d?frac)(?![A-Za-z])"
    r"|[≠≤≥±√]|[$(=]\s{0,2}-|[A-Za-z0-9)}]\s{0,2}[<>]|\d\s{0,2}/)[\s{]{0,4}$"
)
_TAG_BEFORE = re.compile(r"</?\w[\w-]{0,30}>[\s{$]{0,4}$")
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|cannot|can't|isn't|never|rather than|instead of|other than)"
    r"(?:\s(?:be|equal to|equal|necessarily|simply|just)){0,2}|不是|不等于|并非|不可能是|而非)[\s$*:(\\\[]{0,6}$",
    re.IGNORECASE,
)
_OPERATOR_BEHIND = re.compile(
    r"\d|\{\s?[-\d]|\s?\^\s?(?!\{?\s?(?:\\circ|\\degree|°))|\s?(?:\\cdot|\\times|\\div)(?![A-Za-z])"
    r"|\s?/\s?\d|\s?\+\s?[\d\\A-Za-z]"
)
_OPERATOR_ENDS, _DENIAL_ENDS = frozenset("≠≤≥±√-<>/"), frozenset("trnfeolyTRNFEOLY是于非")
"""Characters on which the two patterns above end, blanks and brackets aside. Searching takes most of the time here."""
_NOTHING_BEHIND = ("", ".", "$", "$.")
_DENIED_BEHIND = re.compile(
    r"[\s$*)\]\\]{0,6}(?:(?:is|was|would be|are)\s(?:not\b|wrong|incorrect|false|impossible|too\s)"
    r"|(?:isn't|cannot be|can't be)\b|,?\s?(?-i:if|unless|otherwise)\s)",
    re.IGNORECASE,
)


def stands_alone(text: str, start: int, end: int) -> bool:
    r"""False where the box from `start` to `end` is part of a formula, denied, or one of several cases.

    >>> text = r"It is not $\boxed{4}$, but $\boxed{5}^\circ$."
    >>> stands_alone(text, 11, 20), stands_alone(text, 27, 36)
    (False, True)
    """
    before, behind = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
    operator = _may_end(before, "{", _OPERATOR_ENDS, "\\") and _OPERATOR_BEFORE.search(before)
    if operator and not _TAG_BEFORE.search(before):
        return False
    if _may_end(before, "$*:(\\[", _DENIAL_ENDS) and _DENIED_BEFORE.search(before):
        return False
    return behind in _NOTHING_BEHIND or not (
        _OPERATOR_BEHIND.match(behind) or _DENIED_BEHIND.match(behind) or TAKEN_BACK.match(behind)
    )


def _may_end(before: str, brackets: str, ends: frozenset[str], anywhere: str = "\0") -> bool:
    """Whether the last character that is no blank and none of `brackets` is one of `ends`, or the text holds
    `anywhere`."""
    at = len(before)
    while at and (before[at - 1] in brackets or before[at - 1].isspace()):
        at -= 1
    return before[at - 1 : at] in ends or anywhere in before
