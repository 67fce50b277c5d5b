"""A reference that stands in a sentence which otherwise says what the question says: "It was directed by Ada Lund."

Separate from suited.py because the words of the question are read here, and who did what to whom: with the same words,
turned round, another is named.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from hybridverify.answers.extraction import Extraction, Mark
from hybridverify.answers.sentences import SENTENCES
from hybridverify.language.languages import ARTICLES
from hybridverify.language.lexicon import entries
from hybridverify.language.patterns import SPELLED_WORD
from hybridverify.language.text import place_of

_MAX_SENTENCE = 200
_MAX_QUESTION = 400
_MAX_NAME = 5


_LEADING = frozenset(entries("english", "leading"))
"""What a sentence may have beside the name and the words of the question."""
_PLACES = frozenset(entries("english", "place"))
_BEING = frozenset(entries("english", "being"))
_ACTS = frozenset((*entries("english", "acting"), "by"))
_ASSISTING = _ACTS | _BEING | {"be", "been"}
_ASKING = frozenset(entries("english", "asking"))
_SIGNS = frozenset(" .!'‘’“”-–—*_`✓✔✅")
"""Beside letters and digits. A sentence with any other sign ("¬", "❌", a comma) says more than who or what it was."""
_STEM = 4
_LEAST_SAID = 2


def names_answer(found: Extraction, references: Sequence[str], question: str) -> bool:
    """Whether the sentence gives a reference as the answer and says nothing else.

    >>> from hybridverify.answers.extract import extract
    >>> asked = "Who directed the film Nine Doors?"
    >>> [names_answer(extract(text), ["Ada Lund"], asked) for text in (
    ...     "It was directed by Ada Lund.", "Ada Lund directed it", "The brother of Ada Lund", "Ada Lund acted in it")]
    [True, True, False, False]
    >>> names_answer(extract("Nine Doors directed Ada Lund"), ["Ada Lund"], asked)
    False
    """
    if found.problem or not question:
        return False
    said = found.body if found.mark in (Mark.CONCLUSION, Mark.BARE) else found.answer
    text = said.strip().rstrip(".!")
    if len(text) > _MAX_SENTENCE or " " not in text:
        return False
    low = text.lower()
    references = _standing_in(low, references)
    if not references or not _is_plain(text) or SENTENCES.search(text):
        return False
    told = SPELLED_WORD.findall(low)
    asked = SPELLED_WORD.findall(question[-_MAX_QUESTION:].lower())
    return any(
        _names(told, SPELLED_WORD.findall(reference.lower()), asked, reference) for reference in references
    )


def _is_plain(text: str) -> bool:
    return all(char.isalnum() or char in _SIGNS for char in unicodedata.normalize("NFC", text))


def _standing_in(low: str, references: Sequence[str]) -> list[str]:
    """A quick look for the references in a text of small letters."""
    return [one for one in references if one.lower().removeprefix("the ").removeprefix("a ") in low]


def _names(told: list[str], sought: list[str], asked: list[str], reference: str) -> bool:
    if sought and sought[0] in ARTICLES:
        sought = sought[1:]
    if not 0 < len(sought) <= _MAX_NAME or len(told) <= len(sought):
        return False
    if not reference.replace(" ", "").isalpha():
        return False
    at = place_of(sought, told)
    if at < 0 or not set(sought).isdisjoint(asked):
        return False
    before, after = told[:at], told[at + len(sought) :]
    if not _add_nothing([*before, *after], asked):
        return False
    return _ends_on_name(before, asked) if not after else _opens_on_name(before, after, asked)


def _add_nothing(words: list[str], asked: list[str]) -> bool:
    """Do they only lead up to a name, or repeat the question?"""
    known = {word[:_STEM] for word in asked}
    return all(word in _LEADING or word[:_STEM] in known for word in words)


def _ends_on_name(before: list[str], asked: list[str]) -> bool:
    """ "It was directed by Ada Lund", "The painter Ada Lund", "on Skarra"."""
    last = before[-1]
    if last == "by":
        return _ACTS.isdisjoint(asked)
    if last in _PLACES:
        return "by" not in before
    return before[0] in ARTICLES and not set(before).intersection(_ASSISTING)


def _opens_on_name(before: list[str], after: list[str], asked: list[str]) -> bool:
    """ "Ada Lund directed it", "It was Ada Lund who directed it"."""
    if before and " ".join(before) not in ARTICLES | {"it was", "it is"}:
        return False
    if after[0] in _BEING and after[1:2] and after[1] in _PLACES:
        return False  # "Skarra is in Arvenia" and "Arvenia is in Skarra" have the same words
    if not before and len(after) < _LEAST_SAID:
        return False  # "isosceles triangle" is no sentence
    active = _ACTS.isdisjoint(asked) and "by" not in after
    return active and not _ASKING.isdisjoint(asked)
