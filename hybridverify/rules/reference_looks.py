"""Quick looks at references, made once for a group: which readings of an answer may have anything to do with them."""

from __future__ import annotations

from functools import lru_cache

from hybridverify.answers.sentence_reference import may_be_sentence
from hybridverify.language import expressions as re
from hybridverify.language.text import NUMERAL

_MEASURED = re.compile(r"[\d}.]\s{0,4}\\?[A-Za-z,; ]|[$€£¥₹]|\A[A-Za-z]+ ")
"""A reference that may be a number with a unit."""
_AROUND_A_LETTER = "([)]."
_LABEL_SIGNS = (") ", ". ", ": ")
_MAX_LABEL = 2


@lru_cache(maxsize=4096)
def is_plain_number(references: tuple[str, ...]) -> bool:
    """One reference, in digits alone or with points and commas: nothing in it is to be read."""
    if len(references) != 1:
        return False
    told = references[0]
    return (told.isdigit() and told.isascii()) or NUMERAL.fullmatch(told) is not None


@lru_cache(maxsize=4096)
def may_be_sentences(references: tuple[str, ...]) -> bool:
    """Is one of them several words, which may be a sentence around a value?"""
    return any(map(may_be_sentence, references))


@lru_cache(maxsize=4096)
def may_be_list(references: tuple[str, ...]) -> bool:
    """Has one of them a sign or a word that joins values?"""
    return any("," in one or ";" in one or " and " in one for one in references)


@lru_cache(maxsize=4096)
def may_be_names(references: tuple[str, ...]) -> bool:
    """Is one of them words alone?"""
    return any(reference.replace(" ", "").isalpha() for reference in references)


@lru_cache(maxsize=4096)
def may_be_measured(references: tuple[str, ...]) -> bool:
    """May all of them be numbers with units?"""
    return all(_MEASURED.search(reference) for reference in references)


@lru_cache(maxsize=4096)
def may_be_option(question: str, references: tuple[str, ...], form: str = "auto") -> bool:
    """A quick look, before options are read: a list of them, a letter alone or the form asks for one."""
    return (
        form == "choice"
        or "A" in question
        or 1 in [len(one.strip(_AROUND_A_LETTER)) for one in references]  # a list takes less time than any()
    )


@lru_cache(maxsize=4096)
def option_numbers(question: str, references: tuple[str, ...]) -> tuple[str, ...]:
    """The references that may be numbers of options, each with the sign after it: the question has its neighbour with
    the same sign.

    >>> option_numbers("Which is odd? 1) 4 2) 6 3) 9", ("3",)), option_numbers("The sum is 3. Find it.", ("3",))
    (('3) ',), ())
    """
    numbers = [int(one) for one in references if one.isdecimal() and len(one) <= _MAX_LABEL]
    pairs = [(number, sign) for number in numbers for sign in _LABEL_SIGNS]
    return tuple(
        f"{number}{sign}"
        for number, sign in pairs
        if f"{number}{sign}" in question and any(f"{number + step}{sign}" in question for step in (-1, 1))
    )
