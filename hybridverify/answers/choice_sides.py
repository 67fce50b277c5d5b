"""What stands right beside options: what leaves them out, what calls one right, how its sentence goes on after it.

Separate from choice_claims.py, which says what becomes of the option.
"""

from __future__ import annotations

from hybridverify.answers.choice_leads import start_of
from hybridverify.language.denials import SIGNS
from hybridverify.language.lexicon import entries
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.scripts import is_in_word

_BESIDE_LABELS = " ,、()[]（）"
_LABELS = tuple("abcdefghij")
_JOINTS = entries("joining", "and_word", "or_word", "and_script", "or_script")
_BETWEEN_LABELS = (*_JOINTS, *_LABELS, "nor", "be", "both", "option", "options", "choice", "choices")
_EXCLUDING = phrases("denying", "excluding", before="(?<!_)", after=r"\Z")
_CONTRACTED = ("n't", "n’t")
_CLOSING = " \"'”’)]）】"
_PRAISING, _LINKING = entries("announcing", "praising"), entries("announcing", "linking")
_LABELLING = "answer"
"""Before a colon it leads up to the next option."""
_GOING_ON = entries("announcing", "going_on")
_STOPS = ",;:!。，；：、因是"
_MAX_BESIDE, _MAX_EXCLUDING = 14, 40
"""Six labels with what joins them, and the longest words that leave them out."""
_MAX_AFTER, _MAX_WORD, _MAX_WORDS = 60, 9, 2
_OPENING = " ([{"
_UNEQUAL = ("!=", "<>", "=/=")
_DENYING = frozenset(f"!¬≠≢∉{SIGNS}")


def is_excluded(line: str) -> bool:
    """Whether a line that ends before an option leaves it out, alone or with those before it: "rules out A and".

    >>> is_excluded("That rules out (A), B and "), is_excluded("It isn't "), is_excluded("A and ")
    (True, True, False)
    """
    rest = line.rstrip(_BESIDE_LABELS)
    for _ in range(_MAX_BESIDE):
        start = start_of(rest.lower(), _BETWEEN_LABELS)
        is_letter = len(rest) - start == 1
        if not is_letter and (rest.endswith(_CONTRACTED) or _EXCLUDING.search(rest[-_MAX_EXCLUDING:])):
            return True
        if start < 0:
            return False
        rest = rest[:start].rstrip(_BESIDE_LABELS)
    return False


def is_denied_by_sign(before: str) -> bool:
    """Whether a text before a letter ends on a sign that denies it: "¬C", "answer != C".

    >>> is_denied_by_sign("¬"), is_denied_by_sign("answer != "), is_denied_by_sign("- ")
    (True, True, False)
    """
    bare = before.rstrip(_OPENING)
    return bare.endswith(_UNEQUAL) or bare[-1:] in _DENYING


def is_called_right(text: str, at: int) -> bool:
    """Whether the text after an option calls it the right one.

    >>> is_called_right("(B) is the correct one", 3), is_called_right("B. Answer: C", 1)
    (True, False)
    """
    rest = text[at : at + _MAX_AFTER].lstrip(_CLOSING).lower()
    linked = next((word for word in _LINKING if rest.startswith(word)), "")
    rest = rest.removeprefix(linked).lstrip(" ")
    for _ in range(_MAX_WORDS + 1):
        if rest.startswith(_PRAISING):
            return not rest.removeprefix(_LABELLING).lstrip(" ").startswith((":", "："))
        word, _, after = rest.partition(" ")
        if not word.isalnum() or len(word) > _MAX_WORD:
            return False
        rest = after
    return False


def ends_after(text: str, at: int) -> bool:
    """Whether a sentence may end after an option that it has chosen, or goes on with a reason.

    >>> ends_after("(B), since 2 is even", 3), ends_after("A circle", 1)
    (True, False)
    """
    near = text[at : at + _MAX_AFTER]
    rest = near.lstrip(_CLOSING)
    if not rest or rest[0] == "\n" or rest[0] in _STOPS:
        return True
    if rest[0] == ".":
        return not rest.startswith("..")
    if rest[0] in "-—–":
        return rest[1:2].isspace()
    if rest[0] in "(（":
        return near.removesuffix(rest).endswith(" ")
    going_on = next((word for word in _GOING_ON if rest.lower().startswith(word)), "")
    return going_on != "" and not is_in_word(rest[len(going_on) : len(going_on) + 1])
