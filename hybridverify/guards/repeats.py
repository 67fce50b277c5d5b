"""Counts against how many different references one text was accepted. The monitor's alarm and `act` use it.

Separate from monitor.py because it decides whether two references differ, and a verdict may depend on that. Two
references are the same if a spelling of each is the same number, option, yes or no, or words.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from hybridverify.answers.options import Options, letter_for, read_options
from hybridverify.gate.fold import MAX_REFERENCE, folded_words
from hybridverify.guards.monitor_report import Repeated
from hybridverify.judges.embedded.alternatives import alternatives
from hybridverify.language import expressions as re
from hybridverify.language.patterns import DIGIT, TELLING_WORD
from hybridverify.language.text import canonical
from hybridverify.maths import numerals

_MAX_TEXTS = 4096
"""The most texts that are remembered. The one not seen for longest is dropped first."""
_MAX_KEYS = 1 << 18
"""The most keys of references that all texts have together."""
_MAX_TEXT = 120
_MAX_DIFFERENT = 1024
_MAX_SPELLINGS = 64
_MAX_NUMBER_WORDS = 4
_SIGN = re.compile(r"[\\^=+<>{}|/*-]|\d\.\d")
_REMARKS = (", ", "; ", " (")
_UNIT = re.compile(r"(?<=\d)\s?[^\W\d_][^\d]*$")
_POLARITY = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


class _Text:
    """An accepted text: the number of different references, and every key of them."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.references = 0
        self.keys: set[int] = set()


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
        keys = reference_keys(references, question)
        with self._lock:
            text = self._text(answer, _given(references))
            different = text.keys.isdisjoint(keys)
            if different and text.references < _MAX_DIFFERENT:
                text.references += 1
            if len(text.keys) < _MAX_DIFFERENT * 4:
                self._keys -= len(text.keys)
                text.keys |= keys
                self._keys += len(text.keys)
            if text.references > self.worst.references:
                self.worst = Repeated(text.shown, text.references)
            while len(self._texts) > 1 and (len(self._texts) > _MAX_TEXTS or self._keys > _MAX_KEYS):
                self._keys -= len(self._texts.popitem(last=False)[1].keys)

    def exceeded(self, answer: str, question: str, references: Sequence[str]) -> bool:
        """Whether the answer was accepted against more than `most` different references, none of them this one. Rows
        without a reference (of a rubric) are counted apart and never exceed."""
        with self._lock:
            text = self._texts.get(_text_key(answer, True)) if _given(references) else None
            if text is None or text.references <= self.most:
                return False
            return text.keys.isdisjoint(reference_keys(references, question))

    def repeated(self) -> list[Repeated]:
        """The texts that were accepted against several references, the most repeated first."""
        with self._lock:
            found = [
                Repeated(text.shown, text.references) for text in self._texts.values() if text.references > 1
            ]
        return sorted(found, key=lambda entry: (-entry.references, entry.text))

    def _text(self, answer: str, referenced: bool) -> _Text:
        key = _text_key(answer, referenced)
        if key in self._texts:
            self._texts.move_to_end(key)
        else:
            self._texts[key] = _Text(answer[:_MAX_TEXT].strip())
        return self._texts[key]


def _given(references: Sequence[str]) -> bool:
    return any(map(str.strip, references))


def _text_key(answer: str, referenced: bool) -> str:
    return ("" if referenced else "\x00") + _folded(answer[:_MAX_TEXT])


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
        return frozenset([hash(_folded(question))])
    return _keys(tuple(references), read_options(question) if question else ())


@lru_cache(maxsize=1024)  # the rows of a group share their references
def _keys(references: tuple[str, ...], options: Options) -> frozenset[int]:
    spellings = alternatives(references)[:_MAX_SPELLINGS] or list(references[:1])
    return frozenset(hash(key) for text in spellings for key in _spelling_keys(text[:MAX_REFERENCE], options))


def _spelling_keys(text: str, options: Options) -> Iterator[Hashable]:
    folded = _folded(text)
    yield folded
    first = folded.partition(" ")[0]
    if first in _POLARITY:
        yield f"says {_POLARITY[first]}"
    if options and (letter := letter_for(text, options)):
        yield letter.casefold()
    if (value := _number(text)) is not None:
        yield "number", value
    head = min((text.partition(sign)[0] for sign in _REMARKS), key=len)
    if head != text and TELLING_WORD.match(head):
        yield _folded(head)  # "Ulm, Germany", "Mercury (planet)"


def _folded(text: str) -> str:
    """The words, or the formula where there are no words: x+1 is not x-1."""
    if _SIGN.search(text) and not TELLING_WORD.search(text):
        return canonical(text)
    return " ".join(folded_words(text)) or text.strip()


def _number(text: str) -> Fraction | None:
    """The number that a text is or begins with, whatever it counts: "7 km", "seven apples"."""
    pieces = (canonical(text) if "\\" in text or "$" in text else text).split()
    plain = " ".join(pieces)
    heads = [" ".join(pieces[:end]) for end in range(min(len(pieces), _MAX_NUMBER_WORDS), 0, -1)]
    tries = [plain, _UNIT.sub("", plain)]
    tries += [head for head in heads if not DIGIT.search(plain[len(head) :])]  # "9 November 1989" is not nine
    for attempt in tries:
        number = numerals.read(attempt.strip(" .,")) if attempt else None
        if number is not None:
            return Fraction(number.value) / (100 if number.percent else 1)
    return None
