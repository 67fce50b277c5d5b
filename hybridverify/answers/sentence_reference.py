r"""A reference that is a sentence around one value: "The rent of a room is 240 yuan.", `17\text{ any remark}`.

Separate from references.py because the question decides whether the value alone answers it: where it asks whether
something holds, or for a reason, the sentence is the answer.
"""

from __future__ import annotations

from functools import lru_cache

from hybridverify.answers.one_value import value_of
from hybridverify.conventions import DEFAULT
from hybridverify.language import claims
from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.number_words import NUMBER_WORDS
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.text import flat_words
from hybridverify.maths import answer_reading, numerals
from hybridverify.maths.notation.changes import as_change, is_fall, may_rise
from hybridverify.maths.units.measures import is_measured

_SHORTEST, _LONGEST = 6, 300
_NUMERALS = NUMBER_WORDS - {"a", "and"}
_REMARK = re.compile(
    r"(?P<number>-?\d[\d,]*(?:\.\d+)?)\s?\\text\s?\{\s*(?P<first>[A-Za-z]+)\s(?P<rest>[A-Za-z ,]+)\}\.?\Z"
)
_CHANGES = claims.CHANGED | claims.kinds("related joined")


@lru_cache(maxsize=2048)
def with_values(references: tuple[str, ...], question: str) -> tuple[str, ...]:
    r"""The references, and after them the values of those that are sentences.

    >>> with_values(("The hall is 12 m long.",), "How long is the hall?")
    ('The hall is 12 m long.', '12 m')
    >>> with_values(("The hall is 12 m long.",), "Is the hall long?"), with_values((r"17\text{ any remark}",), "")
    (('The hall is 12 m long.',), ('17\\text{ any remark}', '17'))
    """
    values = tuple(filter(None, map(_value, references)))
    if not values:  # nearly always: then nobody has to read the question
        return references
    asked = read_question(question) if question else None
    if asked and (asked.yes_no or asked.options or asked.explained or _tells_fall(references, question)):
        return references
    return (*references, *values)


def may_be_sentence(reference: str) -> bool:
    """A quick look."""
    return _SHORTEST < len(reference) <= _LONGEST and " " in reference and reference.count(" ") > 1


def _tells_fall(references: tuple[str, ...], question: str) -> bool:
    """Does the direction count: "a loss of 30 dollars" for a change?"""
    return may_rise(question) and any(map(is_fall, map(as_change, references)))


def _value(reference: str) -> str:
    if not may_be_sentence(reference):
        return ""
    remark = _REMARK.fullmatch(reference.strip())
    first = reference.lstrip("$ ").partition(" ")[0].lower()
    if remark is None and (not first.isalpha() or first in _NUMERALS):
        return ""  # "612 degrees Celsius" is a value already
    if numerals.read(reference) is not None:
        return ""
    if remark:
        words = f"{remark['first']} {remark['rest']}"
        measured = is_measured(answer_reading(f"1 {remark['first']}", DEFAULT).value)
        return "" if measured or claims.holds(words, _CHANGES) else remark["number"]
    return value_of(" ".join(TYPESETTING.sub(" ", flat_words(reference)).split()))
