r"""What stands around a box: `-\boxed{4}`, `\boxed{4}^2` and "not \boxed{4}" do not answer 4.

Separate from boxes.py because here the text outside the box is read, a few characters on each side. Units, degree
signs, percent signs and base indices after a box are usual and change nothing.
"""

from __future__ import annotations

from hybridverify.answers.frame import denied_after, denied_before, may_deny
from hybridverify.answers.outside import is_changed_after, is_changed_before
from hybridverify.answers.retraction import TAKEN_BACK
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.lexicon import entries

_LOOK = 48
"""How far the text before and after a box is read."""
_SENTENCE = 80
"""How far back the sentence of a mark is read."""
_CHANGED_BEFORE = frozenset(entries("neighbours", "another"))
_CHANGING = tuple({entry.split()[-1] for entry in _CHANGED_BEFORE})
"""On what these phrases end: a quick look."""
_NOTHING_AFTER = ("", ".", "$", "$.")
_DENIED_AFTER = re.compile(
    r"[\s$*)\]\\]{0,6}(?:(?:is|was|would be|are)\s(?:not\b|(?:the )?wrong|incorrect|false|impossible|too\s"
    r"|(?:my|the|our|a) (?:first|initial|naive))"
    r"|(?:isn't|cannot|can't|fails?|does not|doesn't)\b|,?\s?\(?(?-i:if|unless|otherwise)\s|\?"
    r"|or (?:more|less|fewer|maybe|possibly|perhaps|so)\b)",
    re.IGNORECASE,
)
_CONSIDERED = re.compile(
    r"(?:\b(?:i|we) (?:first|initially|originally|at first) \w+|\b(?:i|we) (?:had )?thought|\bone (?:might|could)"
    r"|\bat first\b|\bnaive(?:ly)?\b|\bfirst guess"
    r"|\b(?:suppose|assume)\b(?: that)?(?: the (?:\w+ )?(?:answer|result) is)?[\s$]{0,4}$"
    r"|\be\.g\.|\bfor (?:example|instance)\b|\bsuch as\b|\b(?:trap|distractor|decoy|red herring)\b"
    r"|\bthe format\b|\bif i had to guess\b|\b(?:asked|told|says) to )[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_CONSIDERED_PARTS = (
    "first", "thought", "might", "could", "aive", "uppose", "ssume", "e.g.", "example", "instance", "such as", "rap",
    "istractor", "ecoy", "herring", "format", "guess", " to ",
)  # fmt: skip


def is_considered(text: str, start: int) -> bool:
    """Whether the sentence of a mark only considers, shows or quotes what it holds: "I first got", "e.g.".

    >>> is_considered("Use the format <answer>", 15), is_considered("We first add. It is <answer>", 20)
    (True, False)
    """
    before = text[max(0, start - _SENTENCE) : start]
    if before[-1:] != "\n":
        before = before.rpartition("\n")[2]
    if not _may_consider(before):
        return False
    found = _CONSIDERED.search(before)
    return found is not None and "boxed" not in found.group()  # "I first got \\boxed{3}, and then \\boxed{4}"


def _may_consider(before: str) -> bool:
    """A quick look for parts of the pattern above."""
    return any(map(before.__contains__, _CONSIDERED_PARTS))


def stands_alone(text: str, start: int, end: int) -> bool:
    r"""False where the box from `start` to `end` is part of a formula, denied, or one of several cases.

    >>> text = r"It is not $\boxed{4}$, but $\boxed{5}^\circ$."
    >>> stands_alone(text, 11, 20), stands_alone(text, 27, 36)
    (False, True)
    """
    before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
    if before.strip("$ \n") and not _is_led_up_to(text, start, before):
        return False
    return after in _NOTHING_AFTER or _is_left_alone(text, end, after)


def _is_led_up_to(text: str, start: int, before: str) -> bool:
    """Whether what stands before the box leaves it an answer."""
    if is_changed_before(text, start) or denied_before(text, start):
        return False
    words = before.rstrip("$*:(\\[{ \n")
    changed = words.endswith(_CHANGING) and claims.ends_on(words, _CHANGED_BEFORE)
    return not changed and not is_considered(text, start)


def _is_left_alone(text: str, end: int, after: str) -> bool:
    """Whether what stands after the box leaves it an answer."""
    if is_changed_after(text, end):
        return False
    return not may_deny(after.lower()) or not (
        _DENIED_AFTER.match(after) or TAKEN_BACK.match(after) or denied_after(text, end)
    )
