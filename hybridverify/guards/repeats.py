"""Counts against how many different references one text was accepted. The monitor's alarm and `act` use it.

Separate from monitor.py because it decides whether two references differ, and a verdict may depend on that. Two
references are the same if a spelling of each is the same number, option, yes or no, or words.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from hybridverify.answers.options import Options, letter_for, read_options
from hybridverify.gate.fold import MAX_REFERENCE, folded
from hybridverify.guards.monitor_report import Repeated
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language.patterns import DIGIT, TELLING_WORD
from hybridverify.language.text import NUMERAL, canonical
from hybridverify.maths import numerals

_MAX_TEXTS = 4096
"""The most texts that are remembered. The one not seen for longest is dropped first."""
_MAX_KEYS = 1 << 18
"""The most keys of references that all texts have together."""
_MAX_TEXT = 120
_MAX_UNREAD = 4096
"""Characters of question and references that are kept for a text until its keys are read."""
_MAX_DIFFERENT = 1024
_MAX_SPELLINGS = 64
_MAX_NUMBER_WORDS = 4
_SIGNS = frozenset("\\^=+<>{}|/*-")
_REMARKS = (", ", "; ", " (")
_POLARITY = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


class Accepted(NamedTuple):
    """An answer that a judge accepted."""

    answer: str
    question: str
    references: Sequence[str]


class _Text:
    """An accepted text: the number of different references, and every key of them. Most texts are accepted for one row
    alone; its question and references are kept, and their keys are read when the text is accepted for another."""

    __slots__ = ("keys", "only", "references", "shown")

    def __init__(self, first: Accepted) -> None:
        self.shown = first.answer[:_MAX_TEXT].strip()
        self.references = 1
        self.only: tuple[str, Sequence[str]] | None = first[1:]
        self.keys: frozenset[int] = frozenset()


class Repeats:
    """Counts, for each accepted text, the different references that it was accepted against. Safe for threads.

    >>> repeats = Repeats(most=1)
    >>> for reference in ("Ulm", "Ulm/Ulm, Germany", "Bonn"):
    ...     repeats.add("As shown.", "", (reference,))
    >>> repeats.worst
    Repeated(text='As shown.', references=2)
    >>> repeats.exceeded("as shown", "", ("Ulm",)), repeats.exceeded("as shown", "", ("Linz",))
    (False, True)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.worst = Repeated("", 0)
        self._lock = threading.Lock()
        self._keys = 0
        self._texts: OrderedDict[str, _Text] = OrderedDict()

    def add(self, answer: str, question: str, references: Sequence[str]) -> None:
        """Count an accepted answer. Many right answers to one question count once."""
        self.add_all([Accepted(answer, question, references)])

    def add_all(self, accepted: Iterable[Accepted]) -> None:
        """Count the accepted answers of a batch, in order. Other threads wait only while they are counted."""
        named = [(_text_key(one.answer, _given(one.references)), one) for one in accepted]
        with self._lock:
            for text_key, one in named:
                self._count(text_key, one)

    def _count(self, text_key: str, one: Accepted) -> None:
        text = self._texts.get(text_key)
        if text is None:
            text = self._texts[text_key] = _Text(one)
            if len(one.question) + sum(map(len, one.references)) > _MAX_UNREAD:
                self._read(text)
        else:
            self._texts.move_to_end(text_key)
            if text.only != one[1:]:
                self._read(text)
                self._add_keys(text, reference_keys(one.references, one.question))
        if text.references > self.worst.references:
            self.worst = Repeated(text.shown, text.references)
        while len(self._texts) > 1 and (len(self._texts) > _MAX_TEXTS or self._keys > _MAX_KEYS):
            self._keys -= len(self._texts.popitem(last=False)[1].keys)

    def _read(self, text: _Text) -> None:
        """Read the keys of the only row so far, if that was not done yet."""
        if text.only is not None:
            question, references = text.only
            text.keys, text.only = reference_keys(references, question), None
            self._keys += len(text.keys)

    def _add_keys(self, text: _Text, keys: frozenset[int]) -> None:
        if text.references < _MAX_DIFFERENT and text.keys.isdisjoint(keys):
            text.references += 1
        if len(text.keys) < _MAX_DIFFERENT * 4:
            self._keys -= len(text.keys)
            text.keys |= keys
            self._keys += len(text.keys)

    def exceeded(self, answer: str, question: str, references: Sequence[str]) -> bool:
        """Whether the answer was accepted against more than `most` different references, none of them this one. Rows
        without a reference (of a rubric) are counted apart and never exceed."""
        with self._lock:
            text = self._texts.get(_text_key(answer, True)) if _given(references) else None
            if text is None or text.references <= self.most:
                return False
            self._read(text)
            return text.keys.isdisjoint(reference_keys(references, question))

    def repeated(self) -> list[Repeated]:
        """The texts that were accepted against several references, the most repeated first."""
        with self._lock:
            found = [
                Repeated(text.shown, text.references) for text in self._texts.values() if text.references > 1
            ]
        return sorted(found, key=lambda entry: (-entry.references, entry.text))


def _given(references: Sequence[str]) -> bool:
    return any(map(str.strip, references))


def _text_key(answer: str, referenced: bool) -> str:
    return ("" if referenced else "\x00") + _key(answer[:_MAX_TEXT])


def reference_keys(references: Sequence[str], question: str = "") -> frozenset[int]:
    """Keys by which references are compared: those of one row share a key where they mean the same. Without a
    reference, the question's.

    >>> reference_keys(["7"]) & reference_keys(["seven apples"]) == reference_keys(["7.0"]) & reference_keys(["$7"])
    True
    >>> bool(reference_keys(["B"]) & reference_keys(["Bonn"], "Which? (A) Ulm (B) Bonn"))
    True
    >>> bool(reference_keys(["-1"]) & reference_keys(["1"])), bool(reference_keys(["no"]) & reference_keys(["yes"]))
    (False, False)
    """
    if not _given(references):
        return frozenset([hash(_key(question))])
    return _keys(tuple(references), read_options(question) if question else ())


@lru_cache(maxsize=1024)  # the rows of a group share their references
def _keys(references: tuple[str, ...], options: Options) -> frozenset[int]:
    spellings = alternatives(references)[:_MAX_SPELLINGS] or list(references[:1])
    return frozenset(hash(key) for text in spellings for key in _spelling_keys(text[:MAX_REFERENCE], options))


def _spelling_keys(text: str, options: Options) -> Iterator[Hashable]:
    key = _key(text)
    yield key
    first = key.partition(" ")[0]
    if first in _POLARITY:
        yield f"says {_POLARITY[first]}"
    if options and (letter := letter_for(text, options)):
        yield letter.casefold()
    if (value := _number(text)) is not None:
        yield "number", value
    head = min((text.partition(sign)[0] for sign in _REMARKS), key=len)
    if head != text and TELLING_WORD.match(head):
        yield _key(head)  # "Ulm, Germany", "Mercury (planet)"


def _key(text: str) -> str:
    """The words, or the formula where there are no words: x+1 is not x-1."""
    if (not _SIGNS.isdisjoint(text) or _has_point(text)) and not TELLING_WORD.search(text):
        return text if NUMERAL.fullmatch(text) else canonical(text)
    return " ".join(folded(text)) or text.strip()


def _has_point(text: str) -> bool:
    """Whether a point stands between two digits."""
    return any(one[-1:].isdigit() and other[:1].isdigit() for one, other in pairwise(text.split(".")))


def _number(text: str) -> Fraction | None:
    """The number that a text is or begins with, whatever it counts: "7 km", "seven apples"."""
    pieces = (canonical(text) if "\\" in text or "$" in text else text).split()
    plain = " ".join(pieces)
    heads = [" ".join(pieces[:end]) for end in range(min(len(pieces), _MAX_NUMBER_WORDS), 0, -1)]
    tries = [plain, _without_unit(plain)]
    tries += [head for head in heads if not DIGIT.search(plain[len(head) :])]  # "9 November 1989" is not nine
    for attempt in tries:
        number = numerals.read(attempt.strip(" .,")) if attempt else None
        if number is not None:
            return Fraction(number.value) / (100 if number.percent else 1)
    return None


def _without_unit(text: str) -> str:
    """The text up to its last digit, if a word follows."""
    number = text.rstrip("".join(char for char in set(text) if not char.isdigit()))
    return number if number and text[len(number) :].lstrip(" ")[:1].isalpha() else text
