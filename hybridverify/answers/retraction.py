"""The words of a correction: right after an answer ("scratch that"), and wherever they stand ("I made an error
above", "wait", "я ошибся").

What they mean for the answer is decided in later_answer.py. A chain that is not sure which answer stands pays none: the
tiers above see "no answer" and leave it open.
"""

from __future__ import annotations

from hybridverify.answers.called_wrong import is_called_wrong
from hybridverify.language import expressions as re
from hybridverify.language.lexicon.phrases import any_of, cues, phrases

_TAKEN_BACK = re.compile(
    rf"[\s$*)\]\\.…]{{0,8}}(?:(?:\.\.|…|\?)[\s*_]{{0,4}}no\b[,:]?\s|{any_of('retraction', 'taken_back')})",
    re.IGNORECASE,
)
"""What takes back the box or other mark before it. A "wait" alone does not: many check an answer and keep it."""
_GIVEN_UP = phrases("retraction", "given_up")
_START = r"(?:\A|[.!?;:,\n—–*])[\s*_]{0,4}(?:(?:but|oh|ah|well|no|so|ok|okay|and|hm+)[,.]? )?"
_REOPENED = (
    phrases("retraction", "reopening", before=_START, after=r"(?!-| than\b)"),
    phrases("retraction", "interrupting", before=_START, after="(?=[,.!:—–])"),
    phrases("retraction", "alternative"),
)
MAX_READ = 160
"""So much of a text after an answer is enough for `takes_back`."""
CUES = cues("retraction", "given_up", "reopening", "interrupting", "alternative", "taken_back")
"""An ASCII text without one of these beginnings holds nothing that this module looks for."""


def takes_back(answer: str, text: str) -> bool:
    """Whether a text right after an answer takes it back at once, or calls it wrong.

    >>> takes_back("4", ". Scratch that."), takes_back("4", ". But that is wrong."), takes_back("4", ". Let me check.")
    (True, True, False)
    """
    return is_called_wrong(answer, text) or _TAKEN_BACK.match(text) is not None


def given_up(low: str) -> int:
    """Where the last word of a correction ends in a text in lower case, -1 where there is none.

    >>> given_up("i made an error above: 5"), given_up("no error is left")
    (15, -1)
    """
    return max((match.end() for match in _GIVEN_UP.finditer(low)), default=-1)


def reopened(low: str) -> int:
    """Where the first second thought ends in a text in lower case ("wait", "actually"), -1 where there is none.

    >>> reopened("so it goes. wait, 5?"), reopened("they wait")
    (16, -1)
    """
    found = [match for pattern in _REOPENED if (match := pattern.search(low))]
    return min(found, key=re.Match.start).end() if found else -1
