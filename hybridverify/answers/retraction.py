"""The words of a correction: right after an answer ("that is wrong"), and wherever they stand ("I made an error
above", "wait", "я ошибся").

What they mean for the answer is decided in later_answer.py. A chain that is not sure which answer stands pays none: the
tiers above see "no answer" and leave it open.
"""

from __future__ import annotations

from collections.abc import Iterable

from hybridverify.language import expressions as re
from hybridverify.language.languages import RETRACTIONS, SECOND_THOUGHTS

_SELF = r"\b(?:let me|let's|let us|(?:i|we)(?:'ll|'d| will| must| should| need to| have to| want to| would like to)?)"
_OWN = r"\b(?:my|the) (?:(?:above|previous|earlier|first|initial|original|last|stated|boxed|given) ){1,2}(?:\w+ )?"
_FALSE = r"(?:wrong|incorrect|mistaken|inaccurate|erroneous|not right|not correct)"
_SLIPS = "counted|calculated|read|computed|added|took|understood|interpreted|applied|typed|wrote|spoke|stated|copied"
_FORMER = r"(?:that|this|it|(?:the|my) (?:above|previous|earlier|last|first|box\w*|mark\w*|answer))"
_CORRECTION = re.compile(
    r"\b(?:correction|corrigendum|erratum|edit|updated?|revised|amended)[*_ ]{0,4}:"
    rf"|\b(?:scratch|strike|disregard|ignore|forget) {_FORMER}\b"
    r"|\b(?:take|took|taking) (?:that|it|this) back\b"
    r"|\b(?:this|that|it|which|above) (?:is|was) not (?:the|my|our)(?: \w+){0,2} (?:answer|result|choice)\b"
    r"|\b(?:do not|don't) stand by (?:this|that|it)\b|\bnot what i (?:meant|mean|wanted)\b|\bi meant?\b"
    r"|\bmy (?:mistake|bad|error)\b|\b(?:was|is) a typo\b"
    r"|\b(?:i|we)(?:'ve)?(?: \w+){1,5} (?:a|an|some|one|my|our)(?: \w+){0,2} (?:mistake|error|slip|typo)s?\b"
    rf"|\b(?:i|we)(?: \w+)? (?:mis(?:{_SLIPS})|overlooked|overcounted|forgot)\b"
    r"|\b(?:on|upon) (?:second|further|closer) (?:thoughts?|reflection|inspection|look)\b"
    rf"|{_SELF}(?: \w+)? (?:correct|rectify|amend|retract|withdraw|redo|reconsider)\b"
    rf"|{_SELF}(?: \w+)? (?:try|start)(?: (?:this|that|it))? (?:again|over)\b"
    rf"|{_SELF}(?: \w+)? (?:fix|revise|change|update) (?:my|that|this|it|the (?:answer|result|error|value))\b"
    rf"|\bi(?:'m| am| was)(?: \w+)? (?:wrong|mistaken)\b|{_OWN}(?:is|was|are|were)(?: \w+)? {_FALSE}\b"
    r"|\bi(?: \w+)? doubt (?:it|this|that|so)\b|\bi(?:'m| am)(?: \w+)? (?:not|un)(?: \w+)? ?(?:convinced|persuaded)\b"
    r"|\bi (?:don't|do not)(?: \w+)? (?:believe|buy|trust) (?:it|this|that|so)\b|\b(?:this|that|it|which) is doubtful\b"
    r"|\balso (?:possible|plausible)\b|\banswer (?:now )?changes\b|\b(?:this|that|it|which) contradicts\b"
    r"|\b(?:that|this|it) (?:can't|cannot|can not|couldn't) be (?:right|correct|true)\b"
    r"|\bshould (?:instead|rather|actually|really) be\b|\bshould be\b[^.\n]{1,40}\b(?:instead|rather)\b"
)
_WRONG = (
    r"(?:that|this|which|it|i)(?:'s|\s(?:is|was|must be|looks|seems|made))\s"
    r"(?:wrong|incorrect|not right|not correct|(?:a|an)\s(?:\w+\s)?(?:mistake|error))\b"
)
_CORRECTED = r"(?:correction|corrigendum|erratum|edit)[*_ ]{0,4}:"
TAKEN_BACK = re.compile(
    rf"[\s$*)\]\\.…]{{0,8}}(?:{_CORRECTED}|(?:\.\.|…|\?)[\s*_]{{0,4}}no\b[,:]?\s|scratch that\b"
    rf"|(?:(?:but|no|however|well|hmm|wait|oops),? )?{_WRONG})",
    re.IGNORECASE,
)
"""What takes back the box or other mark before it. A "wait" alone does not: many check an answer and keep it."""
_START = r"(?:\A|[.!?;:,\n—–*])[\s*_]{0,4}(?:(?:but|oh|ah|well|no|so|ok|okay|and|hm+)[,.]? )?"
_SECOND_THOUGHT = (
    r"wait|hmm+|oops|whoops|hold on|actually|sorry|(?:my )?apologies|(?:or )?rather(?! than)|make that|nope"
    r"|looking again|(?:up)?on reflection|(?:after|on|upon) (?:re-?|double-?)check(?:ing)?|re-?checking"
    r"|let(?: me|'s| us) re-?(?:check|comput|calculat|count)e?"
    r"|(?:no|não)(?=[,.!:—–])"
)
_ALTERNATIVE = (
    r"\balternatively\b|\b(?:could|might|may|can) also be\b|\b(?:my|the) backup\b|\bbackup answer\b"
    r"|\b(?:another|other|second|alternative) (?:possible |valid |plausible )?(?:answer|option|guess|possibility)\b"
)
_RETRACTIONS_ASCII = tuple(filter(str.isascii, RETRACTIONS))
_SPACED = tuple(entry for entry in SECOND_THOUGHTS if entry < "\u0e00")
_JOINED = tuple(entry for entry in SECOND_THOUGHTS if entry >= "\u0e00")
_REOPENED = re.compile(
    rf"{_START}(?:{_SECOND_THOUGHT}|{'|'.join(map(re.escape, _SPACED))})(?![^\W_]|-)|\bis actually\b"
    rf"|{_ALTERNATIVE}"
    rf"|{'|'.join(_JOINED)}"
)
_WORDS = (
    "correction corrigendum erratum edit update revised amended scratch strike disregard ignore forget back not stand"
    " meant mistake bad error slip typo overlooked overcounted forgot thought reflection inspection look correct"
    " rectify retract withdraw redo reconsider over recount"
    " recompute recalculate fix change wrong inaccurate erroneous incorrect also contradicts right true instead"
    " rather actually really wait hmm hmmm oops whoops hold sorry apologies make nope again reflection check recheck"
    " alternative backup another other second no doubt doubtful convinced unconvinced persuaded believe trust buy"
)
"""Of what this module looks for, one word of each."""
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
        *_WORDS.split(),
        *("mis" + slip for slip in _SLIPS.split("|")),
        *filter(str.isascii, SECOND_THOUGHTS),
        *_RETRACTIONS_ASCII,
    )
)
"""An ASCII text without one of these beginnings holds nothing that this module looks for."""


def given_up(text: str) -> int:
    """Where the last word of a correction ends in a text in lower case, -1 where there is none.

    >>> given_up("i made an error above: 5"), given_up("no error is left")
    (15, -1)
    """
    ends = [match.end() for match in _CORRECTION.finditer(text)]
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
    match = _REOPENED.search(text)
    return match.end() if match else -1
