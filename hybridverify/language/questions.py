"""What a question asks for, where that decides how answers compare."""

from __future__ import annotations

import re
from functools import lru_cache

_MAX_QUESTION = 50_000
_SENTENCE = re.compile(r"[^.?!。？！\n]{1,2000}[.?!。？！\n]?")
_ASKING = re.compile(
    r"[?？]$|\b(?:find|calculate|determine|compute|express|give|write|state|convert|round)\b|求|计算|多少",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"(?<!\d)(?<!\d )(?<!\d-)\bper\s?cent|\b(?:what|many|how)\s+\\?%|百分之几|百分之多少|百分比",
    re.IGNORECASE,
)
_OPTIONS = re.compile(
    r"\b(?:options?|choices?|multiple[- ]choice)\b|选项|選項|\bA\s?,\s?B\s?,\s?C\b", re.IGNORECASE
)


def asks_percent(question: str) -> bool:
    """True where the asking sentence wants a percentage; "a 20 percent discount" does not.

    >>> asks_percent("He kept 3 of 4. What percentage is that?"), asks_percent("What is 20 percent of 5?")
    (True, False)
    """
    if "%" not in question and "百分" not in question and "cent" not in question.lower():
        return False  # the usual question, told without cutting it into sentences
    return _asks_percent(question)


@lru_cache(maxsize=512)
def _asks_percent(question: str) -> bool:
    sentences = (match.group() for match in _SENTENCE.finditer(question[:_MAX_QUESTION]))
    return any(_PERCENT.search(sentence) and _ASKING.search(sentence) for sentence in sentences)


_ASKED_IN = re.compile(
    r"\b(?:how many|number of|in|into|to)\s+"
    r"(?:(?:the|total|nearest|closest|whole|full|more|extra|additional|of|terms)\s+){0,3}([a-z]{1,20})\b"
    r"|(?:多少|几)([\u4e00-\u9fff]{1,4})",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def asked_in(question: str) -> frozenset[str]:
    """The words that may be the unit an asking sentence wants its answer in; a unit of the story is none of them.

    >>> sorted(asked_in("A roll takes 9 minutes. How many hours do 20 take, to the nearest hour?"))
    ['hour', 'hours']
    """
    found: set[str] = set()
    for match in _SENTENCE.finditer(question[:_MAX_QUESTION]):
        if _ASKING.search(match.group()):
            for word, chinese in _ASKED_IN.findall(match.group()):
                found |= {word} if word else {chinese[:end] for end in range(1, len(chinese) + 1)}
    return frozenset(found)


def offers_options(question: str) -> bool:
    """True where a question speaks of options without listing them in a form we read."""
    return bool(_OPTIONS.search(question[:_MAX_QUESTION]))


_YES_NO = re.compile(
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may|might)\b",
    re.IGNORECASE,
)


def is_yes_no(question: str) -> bool:
    """True where a sentence begins as a question that "It is" may answer.

    >>> is_yes_no("Look at the map. Is the mill on it?"), is_yes_no("Where is the mill?")
    (True, False)
    """
    sentences = re.split(r"[.?!;:,\n]", question[-_MAX_QUESTION:])
    return any(_YES_NO.match(sentence.strip()) for sentence in sentences)
