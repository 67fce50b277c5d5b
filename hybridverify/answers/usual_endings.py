"""The usual end of a response, right after its answer: " dollars.", "$ dollars in his pocket.".

Many modules look at what follows an answer, each for something of its own: a sign that computes with it, a denial, a
correction, a joint and another answer, another value. Here one look at the words tells that none of them can find
anything, so that none is asked. It only saves time: a text that is not called usual is read by all of them.
"""

from __future__ import annotations

from functools import cache, lru_cache

from hybridverify.answers import called_wrong
from hybridverify.answers.frame import CUES_AFTER
from hybridverify.answers.labels import ROOTS
from hybridverify.answers.outside import COMPUTING_CUES
from hybridverify.answers.retraction import CUES
from hybridverify.language.joining import CUES as JOINING
from hybridverify.language.languages import CONCLUSIONS
from hybridverify.language.lexicon.phrases import beginnings, longest_of
from hybridverify.language.number_words import number_cues

MAX_ENDING = 300
_REPLACING = (
    "not t option choice instead rather replacing should cannot can it there value result total sum final solution"
    " update better precisely exact i we so"
)
IDLE_CUES = CUES | called_wrong.CUES | longest_of((*ROOTS, *CONCLUSIONS, *_REPLACING.split()))
"""An ASCII line without one of these beginnings holds no correction and states nothing."""
_USUAL_SIGNS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ $.,)}"
"""No digit and no sign of a formula, so no value; no "*", "-" or "!", which compute; no line of its own."""


@lru_cache(maxsize=4096)
def is_usual(text: str) -> bool:
    """Whether a text after an answer is plain words, none of which can change, deny, correct or join anything.

    >>> is_usual("$ dollars."), is_usual(" years old."), is_usual("$ or more"), is_usual("$ times 3")
    (True, True, False, False)
    """
    if len(text) > MAX_ENDING or not text.isascii() or text.encode().translate(None, _USUAL_SIGNS):
        return False
    return beginnings(text.lower()).isdisjoint(_cues())


@cache
def _cues() -> frozenset[str]:
    return IDLE_CUES | CUES_AFTER | JOINING | COMPUTING_CUES | number_cues()
