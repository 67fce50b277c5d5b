r"""What stands around a box: `-\boxed{4}`, `\boxed{4}^2` and "not \boxed{4}" do not answer 4.

Separate from boxes.py because here the text outside the box is read, a few characters on each side. Units, degree
signs, percent signs and base indices after a box are usual and change nothing.
"""

from __future__ import annotations

from hybridverify.answers.frame import (
    CUES_BEFORE,
    OPENERS,
    SEEN_BEFORE,
    denied_after,
    denied_before,
    may_deny,
)
from hybridverify.answers.outside import is_changed_after, is_changed_before
from hybridverify.answers.retraction import takes_back
from hybridverify.answers.sentences import ASKED_EQUALS
from hybridverify.answers.usual_endings import is_usual
from hybridverify.language import claims
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import cue_words, phrases
from hybridverify.language.lexicon.vocabulary import words_of

_LOOK = 48
"""How far the text before and after a box is read."""
_SENTENCE = 80
"""How far back the sentence of a mark is read."""
_CHANGED_BEFORE = frozenset(entries("neighbours", "another"))
_CHANGING = tuple({entry.split()[-1] for entry in _CHANGED_BEFORE})
"""On what these phrases end: a quick look."""
_NOTHING_AFTER = ("", ".", "$", "$.")
_CLOSE = r"[\s$*)\]\\]{0,6}"
_REFUSED = phrases("denying", "refused", before=_CLOSE)
_CONDITIONAL = phrases("denying", "conditional", before=_CLOSE + r",?\s?\(?", after=r"\s", cased=True)
_CLOSINGS = " \t\n$*)]\\"
_CONSIDERED = phrases("retraction", "considered", after=r"[^.!?\n]{0,40}$")
_SUPPOSED = phrases("retraction", "supposed", after=r"[\s$]{0,4}$")
_CUES = cue_words("retraction", "considered", "supposed")
_LEADING_CUES = _CUES | CUES_BEFORE


def is_considered(text: str, start: int) -> bool:
    """Whether the sentence of a mark only considers, shows or quotes what it holds: "I first got", "e.g.".

    >>> is_considered("Use the format <answer>", 15), is_considered("We first add. It is <answer>", 20)
    (True, False)
    """
    before = text[max(0, start - _SENTENCE) : start]
    if before[-1:] != "\n":
        before = before.rpartition("\n")[2]
    if before.isascii() and _CUES.isdisjoint(words_of(before.lower())):
        return False
    found = _CONSIDERED.search(before) or _SUPPOSED.search(before)
    return found is not None and "boxed" not in found.group()  # "I first got \\boxed{3}, and then \\boxed{4}"


def stands_alone(text: str, start: int, end: int) -> bool:
    r"""False where the box from `start` to `end` is part of a formula, denied, or one of several cases.

    >>> text = r"It is not $\boxed{4}$, but $\boxed{5}^\circ$."
    >>> stands_alone(text, 11, 20), stands_alone(text, 27, 36)
    (False, True)
    """
    before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
    if before.strip("$ \n") and not _is_led_up_to(text, start, before):
        return False
    return after in _NOTHING_AFTER or is_usual(after) or _is_left_alone(text, start, end)


def _is_led_up_to(text: str, start: int, before: str) -> bool:
    """Whether what stands before the box leaves it an answer."""
    if is_changed_before(text, start) or "".join(before.split()).endswith(ASKED_EQUALS):
        return False
    words = before.rstrip("$*:(\\[{ \n")
    if words.endswith(_CHANGING) and claims.ends_on(words, _CHANGED_BEFORE):
        return False
    return says_nothing_of(text, start) or not (denied_before(text, start) or is_considered(text, start))


def says_nothing_of(text: str, start: int) -> bool:
    """A quick look: whether the line before a mark is in ASCII and has no word that denies, supposes or considers."""
    before = text[start - SEEN_BEFORE : start] if start > SEEN_BEFORE else text[:start]
    before = before.rstrip(OPENERS)
    line = before[before.rfind("\n") + 1 :]
    if not line.isascii() or "n't" in line or text[start - 1 : start] == "\n":
        return False
    return _LEADING_CUES.isdisjoint(words_of(line.lower()))


def _is_left_alone(text: str, start: int, end: int) -> bool:
    """Whether what stands after the box leaves it an answer."""
    after = text[end : end + _LOOK]
    if is_changed_after(text, end) or takes_back(text[start:end], after):
        return False
    if not may_deny(after.lower()):
        return True
    if after.lstrip(_CLOSINGS).startswith("?") or _REFUSED.match(after) or _CONDITIONAL.match(after):
        return False
    return not denied_after(text, end)
