"""Comparing short notations of one field: truth values, electrons, charges."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.language.asked import read_question
from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.parsing.orbitals import orbitals
from hybridverify.maths.parsing.truths import truths

_CHARGES = ("charge", "oxidation", " ion")
_ELECTRONS = ("hybrid", "orbital", "electron")
_LONGEST_CHARGE, _LONGEST_WRITTEN = 3, 10


def truth_values(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """In their order; one letter alone only where true or false is asked for."""
    mine, theirs = truths(reference), truths(answer)
    if not mine or not theirs or (mine[0] in "YN") != (theirs[0] in "YN"):
        return None
    alike = len(mine) == len(theirs)
    if 1 in (len(mine), len(theirs)) and not (alike and _is_one_truth(reference, question)):
        return None
    if mine == theirs:
        return equal("truth values")
    return different("truth values") if alike else undecided("truth values")


def _is_one_truth(reference: str, question: str) -> bool:
    """Whether a word says it, and true or false is asked for."""
    asked = "true" in question.lower() or read_question(question).yes_no
    return asked and len(reference.strip()) != 1


def electrons(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Configurations; hybrid orbitals and one shell alone where they are asked for: they may be products of letters."""
    mine, theirs = orbitals(reference), orbitals(answer)
    if not mine or not theirs:
        return None
    if not (" " in mine and " " in theirs) and not any(word in question.lower() for word in _ELECTRONS):
        return None
    return equal("electrons") if mine == theirs else different("electrons")


def charge_of(text: str) -> str:
    """`2+` and `+2` with the sign first, "" for any other text.

    >>> charge_of("2+"), charge_of("^{3-}"), charge_of("-1"), charge_of("2+x")
    ('+2', '-3', '-1', '')
    """
    if len(text) > _LONGEST_WRITTEN:
        return ""
    plain = text.strip(" $^{}")
    if not 1 < len(plain) <= _LONGEST_CHARGE:
        return ""
    sign, digits = (plain[-1], plain[:-1]) if plain[-1] in "+-" else (plain[0], plain[1:])
    return sign + digits if sign in "+-" and digits.isdecimal() else ""


def charges(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Of ions, with the sign on either side of the number."""
    mine, theirs = charge_of(reference), charge_of(answer)
    if not mine or not theirs or not any(word in question.lower() for word in _CHARGES):
        return None
    return equal("charge") if mine == theirs else different("charge")
