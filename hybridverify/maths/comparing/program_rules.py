"""Comparing what programs print: texts letter for letter, a list and a tuple as two values."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.language.asked import read_question
from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.parsing.program_values import Value, holds_texts, may_be_rounded, program_value

_MARKS = " `'\""


def program_values(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Two values of a program; None where one of them is none, or both may be mathematics and are not the same."""
    mine, theirs = program_value(reference), program_value(answer)
    if mine is None or theirs is None:
        return None
    if mine == theirs:
        return equal("program value")
    if asks_program(question):
        unsure = may_be_rounded(mine, theirs) or _returned_in_other_brackets(mine, theirs, question)
        return undecided("program value") if unsure else different("program value")
    return undecided("program value") if holds_texts(mine) else None


def _returned_in_other_brackets(one: Value, other: Value, question: str) -> bool:
    """Do a list and a tuple hold the same, where a value is returned? What is printed shows its brackets."""
    kinds = {one[0], other[0]}
    return (
        kinds == {"list", "tuple"} and one[1:] == other[1:] and read_question(question).speaks_of("returned")
    )


def are_printed_apart(reference: str, answer: str, question: str) -> bool:
    """Does a program that prints the one not print the other, though they say the same: `[1, 2]` and `(1, 2)`?"""
    if not asks_program(question):
        return False
    mine, theirs = program_value(reference), program_value(answer)
    if mine is not None and theirs is not None:
        return mine != theirs
    for value, text in ((mine, answer), (theirs, reference)):
        if value is not None:
            return value[0] not in ("number", "name") and value[1:] != (text.strip(_MARKS),)
    words, others = reference.split(), answer.split()
    return words != others and sorted(words) == sorted(others)


def asks_program(question: str) -> bool:
    """Does the question ask for what a program prints or returns?"""
    return read_question(question).speaks_of("program")
