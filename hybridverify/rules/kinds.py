"""What a case is about: the kinds of its references, and what its question offers. A rule is asked only about the
kinds that it declares.

Read once for all responses to a question. A kind is named wherever it is possible: a rule that is asked in vain costs
time, one that is not asked a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto
from functools import lru_cache
from typing import cast

from hybridverify.answers.choice_letter import letter_of, letter_set
from hybridverify.answers.options import Options, read_options, small_options
from hybridverify.conventions import Conventions
from hybridverify.language.asked import read_question
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.maths import Value, numerals, reference_reading
from hybridverify.maths.limits import Unread
from hybridverify.maths.symbolic.latex import operators_of
from hybridverify.maths.values.kinds import (
    Clock,
    Date,
    Letter,
    Money,
    Percent,
    Quantity,
    Scalar,
    Text,
    Unreadable,
)
from hybridverify.rules.base import Checker

_ABOUT = phrases("phrases", "roughly", after=r"\s*")
_NO_MATHS = (Text, Letter, Date, Clock, Unreadable)


class Kind(Flag):
    """What a reference may be, or what the answer has to be read as."""

    WORDS = auto()
    """Words, a date or a time; also what cannot be read."""
    NUMBER = auto()
    """A number, with or without a unit."""
    FORMULA = auto()
    """Any mathematics, a number included."""
    OPTION = auto()
    """A letter, or anything where the question offers options."""
    HASH = auto()
    """The answer stands after '####'."""


ANY = Kind.WORDS | Kind.NUMBER | Kind.FORMULA | Kind.OPTION | Kind.HASH


def kinds_of(
    references: Sequence[str], raw: Sequence[str], question: str, form: str, conventions: Conventions
) -> Kind:
    """The kinds of all references together, under a question. `raw`: the references as they were given, with their
    marks and in whole sentences.

    >>> kinds_of(["Ulm"], ["Ulm"], "Where is it?", "auto", Conventions()) == Kind.WORDS
    True
    >>> kinds_of(["5 kg", "B", "Ulm"], [], "", "hash", Conventions()) == ANY
    True
    """
    found = Kind.HASH if form == "hash" else Kind(0)
    if form == "choice" or offers_options(question, raw) or any(map(_names_options, raw)):
        found |= Kind.OPTION
    for reference in references:
        found |= kind_of(reference, conventions)
    return found


def reads(checker: Checker) -> Kind:
    """The kinds of cases that a rule declares, none for a rule that is always asked. What a class declares does not
    hold for a user's class with another `check`."""
    for kind in type(checker).__mro__:
        if "reads" in vars(kind):
            return cast(Kind, vars(kind)["reads"])
        if "check" in vars(kind):
            break
    return Kind(0)


def may_speak(checker: Checker, kinds: Kind, answered: bool) -> bool:
    """Whether a rule may decide a case of these kinds; `answered`: an answer was found to compare."""
    own = reads(checker)
    return not own or (bool(own & kinds) and (answered or getattr(checker, "reads_responses", False)))


def offers_options(question: str, references: Sequence[str]) -> bool:
    """Whether one option of the question is asked for."""
    return bool(listed_options(question, references)) or read_question(question).options


def listed_options(question: str, references: Sequence[str]) -> Options:
    """The options that the question lists; small letters count where the references are such."""
    return read_options(question) or small_options(question, tuple(references))


def without_about(reference: str) -> tuple[str, bool]:
    """The reference without `about` and its kin, and whether it had such a word.

    >>> without_about("about 40"), without_about("40")
    (('40', True), ('40', False))
    """
    about = _ABOUT.match(reference)
    return (reference[about.end() :], True) if about else (reference, False)


@lru_cache(maxsize=4096)
def _names_options(reference: str) -> bool:
    return not reference.isdigit() and bool(letter_of(reference)[0] or letter_set(reference))


def kind_of(reference: str, conventions: Conventions) -> Kind:
    """The kind of one reference, read out of its marks: words, a number, or other mathematics; and whether it may name
    options."""
    if numerals.read(reference, conventions):
        return Kind.NUMBER | Kind.FORMULA
    named = Kind.OPTION if _names_options(reference) else Kind(0)
    value = reference_reading(without_about(reference)[0], conventions).value
    if is_amount(value):
        return Kind.NUMBER | Kind.FORMULA | named
    mathematical = operators_of(reference) or not isinstance(value, _NO_MATHS)
    return (Kind.FORMULA if mathematical else Kind.WORDS) | named


def is_amount(value: Value) -> bool:
    """Whether a value is one number, with a unit or without."""
    if isinstance(value, (Percent, Money, Quantity)):
        value = value.value
    try:
        return isinstance(value, Scalar) and value.exact is not None
    except Unread:
        return True  # a number beyond the limits
