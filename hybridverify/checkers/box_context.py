r"""What stands around a box: `-\boxed{4}`, `\boxed{4}^2` and "not \boxed{4}" do not answer 4.

Apart from boxes.py because here the text outside the box is read, a few characters on each side. Units, degree
signs, percent signs and base indices behind a box are usual and change nothing.
"""

from __future__ import annotations

import re

from hybridverify.checkers.taken_back import TAKEN_BACK

_LOOK = 48
"""How far the text before and behind a box is read."""
_SENTENCE = 80
"""How far back the sentence of a mark is read."""
_OPERATOR_BEFORE = re.compile(
    r"(?:\\(?:ne|neq|le|leq|leqslant|ge|geq|geqslant|lt|gt|cdot|times|div|pm|mp|sqrt|d?frac)(?![A-Za-z])"
    r"|[≠≤≥±√]|[$(=]\s{0,2}-|[A-Za-z0-9)}]\s{0,2}[<>]|[\d})]\$?\s{0,2}/)[\s{]{0,4}$"
)
_TAG_BEFORE = re.compile(r"</?\w[\w-]{0,30}>[\s{$]{0,4}$")
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|cannot|can't|isn't|never|rather than|instead of|other than)"
    r"(?:\s(?:be|equal to|equal|necessarily|simply|just)){0,2}"
    r"|不是|不等于|并非|不可能是|而非)[\s$*:(\\\[]{0,6}$",
    re.IGNORECASE,
)
_CHANGING = ("than", " of", "twice", "half", "double", "from", "but", "except", "by")
_CHANGED_BEFORE = re.compile(
    r"(?:(?<!no )\b(?:less|more|greater|fewer|larger|smaller) than"
    r"|\b(?:square|cube|root|reciprocal|negative|opposite|inverse|half|double|twice|multiple|factor|divisor) of"
    r"|\b(?:twice|half|double|different from|anything but|except|divided by))$",
    re.IGNORECASE,
)
_OPERATOR_BEHIND = re.compile(
    r"\d|\{\s?[-\d]|\s?\^\s?(?!\{?\s?(?:\\circ|\\degree|°))|\s?(?:\\cdot|\\times|\\div)(?![A-Za-z])"
    r"|\s?/\s?\d|\s?\+\s?[\d\\A-Za-z]|\s?[+*/]\s?\$?\Z|[\s$]{1,4}(?:times|plus|minus|divided by|multiplied by) [\d$\\(]"
    r"|[\s$]{1,4}(?:squared|cubed|factorial)\b"
)
_OPERATOR_ENDS, _DENIAL_ENDS = frozenset("≠≤≥±√-<>/"), frozenset("trnfeolyTRNFEOLY是于非")
"""Characters on which the two patterns above end, blanks and brackets aside. Searching takes most of the time here."""
_NOTHING_BEHIND = ("", ".", "$", "$.")
_DENIED_BEHIND = re.compile(
    r"[\s$*)\]\\]{0,6}(?:(?:is|was|would be|are)\s(?:not\b|(?:the )?wrong|incorrect|false|impossible|too\s"
    r"|(?:my|the|our|a) (?:first|initial|naive))"
    r"|(?:isn't|cannot|can't|fails?|does not|doesn't)\b|,?\s?\(?(?-i:if|unless|otherwise)\s|\?"
    r"|or (?:more|less|fewer|maybe|possibly|perhaps|so)\b)",
    re.IGNORECASE,
)
_HINTS = (
    "first", "thought", "might", "could", "aive", "uppose", "ssume", "e.g.", "example", "format", "guess", " to ",
)  # fmt: skip
"""Parts of the pattern below: where none stands in the text it is not searched for."""
_CONSIDERED = re.compile(
    r"(?:\b(?:i|we) (?:first|initially|originally|at first) \w+|\b(?:i|we) (?:had )?thought|\bone (?:might|could)"
    r"|\bat first\b|\bnaive(?:ly)?\b|\bfirst guess"
    r"|\b(?:suppose|assume)\b(?: that)?(?: the (?:\w+ )?(?:answer|result) is)?[\s$]{0,4}$"
    r"|\be\.g\.|\bfor example\b|\bthe format\b|\bif i had to guess\b|\b(?:asked|told|says) to )[^.!?\n]{0,40}$",
    re.IGNORECASE,
)


def is_considered(text: str, start: int) -> bool:
    """Whether the sentence of a mark only considers, shows or quotes what it holds: "I first got", "e.g.".

    >>> is_considered("Use the format <answer>", 15), is_considered("We first add. It is <answer>", 20)
    (True, False)
    """
    before = text[max(0, start - _SENTENCE) : start]
    return any(hint in before for hint in _HINTS) and _CONSIDERED.search(before) is not None


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
    words = before.rstrip("$*:(\\[{ \n")
    if (words.endswith(_CHANGING) and _CHANGED_BEFORE.search(words)) or is_considered(text, start):
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
