"""The words of a correction, wherever it stands: "I made an error above", "wait", "я ошибся".

Apart from retraction.py, which reads what stands right behind an answer, because these are looked for in all of
the text that follows one. What they mean for the answer is decided in later_answer.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hybridverify.language.languages import RETRACTIONS, SECOND_THOUGHTS

_SELF = r"\b(?:let me|let's|let us|(?:i|we)(?:'ll|'d| will| must| should| need to| have to| want to| would like to)?)"
_OWN = r"\b(?:my|the) (?:(?:above|previous|earlier|first|initial|original|last|stated|boxed|given) ){1,2}(?:\w+ )?"
_FALSE = r"(?:wrong|incorrect|mistaken|inaccurate|erroneous|not right|not correct)"
_SLIPS = "counted|calculated|read|computed|added|took|understood|interpreted|applied|typed|wrote|spoke|stated|copied"
_FORMER = r"(?:that|this|it|(?:the|my) (?:above|previous|earlier|last|first|box\w*|mark\w*|answer))"
_PATTERNS = (
    (
        "correction edit corrigendum erratum update revised amended",
        r"\b(?:correction|corrigendum|erratum|edit|updated?|revised|amended)[*_ ]{0,4}:",
    ),
    ("scratch strike disregard", rf"\b(?:scratch|strike|disregard) {_FORMER}\b"),
    ("ignore forget", rf"\b(?:ignore|forget) {_FORMER}\b"),
    (" back", r"\b(?:take|took|taking) (?:that|it|this) back\b"),
    (
        "not_the_ not_my_ not_our_ not_stand not_what_i",
        r"\b(?:this|that|it|which|above) (?:is|was) not (?:the|my|our)(?: \w+){0,2} (?:answer|result|choice)\b"
        r"|\b(?:do not|don't) stand by (?:this|that|it)\b|\bnot what i (?:meant|mean|wanted)\b",
    ),
    ("my_mistake my_bad my_error", r"\bmy (?:mistake|bad|error)\b"),
    (
        "mistake error slip typo",
        r"\b(?:i|we)(?:'ve)?(?: \w+){1,5} (?:a|an|some|one|my|our)(?: \w+){0,2} (?:mistake|error|slip|typo)s?\b"
        r"|\b(?:was|is) a typo\b",
    ),
    ("mis over forgot", rf"\b(?:i|we)(?: \w+)? (?:mis(?:{_SLIPS})|overlooked|overcounted|forgot)\b"),
    (
        "thought reflection inspection look",
        r"\b(?:on|upon) (?:second|further|closer) (?:thoughts?|reflection|inspection|look)\b",
    ),
    ("correct rectify amend", rf"{_SELF}(?: \w+)? (?:correct|rectify|amend)\b"),
    ("retract withdraw", rf"{_SELF}(?: \w+)? (?:retract|withdraw)\b"),
    (
        "fix revise change update",
        rf"{_SELF}(?: \w+)? (?:fix|revise|change|update) (?:my|that|this|it|the (?:answer|result|error|value))\b"
        r"|\banswer (?:now )?changes\b",
    ),
    (
        "wrong incorrect mistaken inaccurate erroneous not_right not_correct",
        rf"\bi(?:'m| am| was)(?: \w+)? (?:wrong|mistaken)\b|{_OWN}(?:is|was|are|were)(?: \w+)? {_FALSE}\b",
    ),
    ("i_meant", r"\bi meant\b"),
    ("also_p", r"\balso (?:possible|plausible)\b"),
    (
        "be_right be_correct be_true",
        r"\b(?:that|this|it) (?:can't|cannot|can not|couldn't) be (?:right|correct|true)\b",
    ),
    ("contradicts", r"\b(?:this|that|it|which) contradicts\b"),
    (
        "instead rather actually really",
        r"\bshould (?:instead|rather|actually|really) be\b|\bshould be\b[^.\n]{1,40}\b(?:instead|rather)\b",
    ),
)
_CORRECTIONS = tuple(
    (tuple(word.replace("_", " ") for word in triggers.split(" ") if word), re.compile(pattern))
    for triggers, pattern in _PATTERNS
)
"""Each is looked for only where a word of it stands in the text: most texts hold none."""
_START = r"(?:\A|[.!?;:,\n—–*])[\s*_]{0,4}(?:(?:but|oh|ah|well|no|so|ok|okay|and|hm+)[,.]? )?"
_SECOND_THOUGHT = (
    r"wait|hmm+|oops|whoops|hold on|actually|sorry|(?:my )?apologies|(?:or )?rather(?! than)|make that|nope"
    r"|looking again|(?:up)?on reflection|(?:after|on|upon) (?:re-?|double-?)check(?:ing)?|re-?checking"
    r"|(?:no|não)(?=[,.!:—–])"
)
_ALTERNATIVE = (
    r"\balternatively\b|\b(?:could|might|may|can) also be\b|\b(?:my|the) backup\b|\bbackup answer\b"
    r"|\b(?:another|other|second|alternative) (?:possible |valid |plausible )?(?:answer|option|guess|possibility)\b"
)
_ENGLISH_HINTS = (
    "wait", "hmm", "oops", "hold on", "actually", "sorry", "apologies", "rather", "make that", "nope", "again",
    "reflection", "check", "alternative", "also be", "backup", "another", "other", "second",
    "no,", "no.", "no!", "no:", "no—", "no–", "não",
)  # fmt: skip
_HINTS = (*_ENGLISH_HINTS, *SECOND_THOUGHTS)
_HINTS_ASCII = tuple(filter(str.isascii, _HINTS))
_RETRACTIONS_ASCII = tuple(filter(str.isascii, RETRACTIONS))
_SPACED = tuple(entry for entry in SECOND_THOUGHTS if entry < "\u0e00")
_JOINED = tuple(entry for entry in SECOND_THOUGHTS if entry >= "\u0e00")
_REOPENED = re.compile(
    rf"{_START}(?:{_SECOND_THOUGHT}|{'|'.join(map(re.escape, _SPACED))})(?![^\W_]|-)|\bis actually\b"
    rf"|{_ALTERNATIVE}"
    rf"|{'|'.join(_JOINED)}"
)
_OTHER_FORMS = (*("mis" + slip for slip in _SLIPS.split("|")), "hmmm", "whoops", "recheck")
"""Words that begin otherwise than the triggers that stand inside them."""
_LETTERS = re.compile(r"[a-z]+")
_BEGINNING = 4


def beginnings(text: str) -> frozenset[str]:
    """The first four letters of every word of a text in lower case: a quick look for what may stand in it.

    >>> sorted(beginnings("so, 12 dollars"))
    ['doll', 'so']
    """
    return frozenset(word[:_BEGINNING] for word in _LETTERS.findall(text))


def cues(entries: Iterable[str]) -> frozenset[str]:
    """The beginning of the longest ASCII word of each entry: where none stands in a text, no entry does."""
    longest = (max(_LETTERS.findall(entry.replace("_", " ")), key=len, default="") for entry in entries)
    return frozenset(word[:_BEGINNING] for word in longest if word)


CUES = cues(
    (
        *(trigger for triggers, _ in _PATTERNS for trigger in triggers.split()),
        *_HINTS_ASCII,
        *_RETRACTIONS_ASCII,
        *_OTHER_FORMS,
    )
)
"""An ASCII text without one of these beginnings holds nothing that this module looks for."""


def given_up(text: str) -> int:
    """Where the last word of a correction ends in a text in lower case, -1 where there is none.

    >>> given_up("i made an error above: 5"), given_up("no error is left")
    (15, -1)
    """
    ends = [
        match.end()
        for triggers, pattern in _CORRECTIONS
        if any(trigger in text for trigger in triggers)
        for match in pattern.finditer(text)
    ]
    for entry in _RETRACTIONS_ASCII if text.isascii() else RETRACTIONS:
        at = text.rfind(entry)
        if at >= 0 and (entry >= "\u0e00" or not text[at - 1 : at].isalnum()):
            ends.append(at + len(entry))
    return max(ends, default=-1)


def reopened(text: str) -> int:
    """Where the first second thought ends in a text in lower case ("wait", "actually"), -1 where there is none.

    >>> reopened("so it goes. wait, 5?"), reopened("they wait")
    (16, -1)
    """
    if not any(hint in text for hint in (_HINTS_ASCII if text.isascii() else _HINTS)):
        return -1
    match = _REOPENED.search(text)
    return match.end() if match else -1
