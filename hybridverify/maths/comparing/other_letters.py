"""The reference's formula in a letter that the question does not have: no answer in the terms of the question.

Whoever is asked about x and answers in t has to say what t is, and as the formula is the same, t would be x itself. A
letter that a function or an index binds may have any name, and so may one that the question does not have either.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.asked import read_question
from hybridverify.language.lexicon.phrases import phrases
from hybridverify.language.patterns import FORMULA
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Node, Sym, rename, symbols
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case

_BOUND = frozenset("knmljpqieIEd")
"""Letters that stand for indices, or for numbers of their own."""
_CONSTANTS = frozenset("CKc")
_MAX_QUESTION = 20_000
_DIVISION = phrases("phrases", "dividing")
_BINDING = ("\\int", "∫", "\\mapsto", "\\to")
"""Signs whose letters are bound."""


def in_other_letter(left: Node, right: Node, case: Case) -> bool:
    """Is the answer the reference with one letter of the question replaced by one that the question does not have?"""
    mine, theirs = symbols(left) - symbols(right), symbols(right) - symbols(left)
    if len(mine) != 1 or len(theirs) != 1 or not case.question or len(case.question) > _MAX_QUESTION:
        return False
    old, new = next(iter(mine)), next(iter(theirs))
    if not _is_variable(old) or not _is_variable(new) or old in case.parameters:
        return False
    if not _is_free_in_question(old, case.question) or _is_had(new, case.question):
        return False
    return same_expression(left, rename(right, {new: Sym(old)}), case.setting) is Same.EQUAL


def _is_variable(name: str) -> bool:
    return len(name) == 1 and name.isascii() and name.islower() and name not in _BOUND | _CONSTANTS


def _is_free_in_question(name: str, question: str) -> bool:
    """Does the question use the letter, and neither bind it nor let it have another name?"""
    if not mentions(question, name):
        return False
    if re.search(rf"\bin terms of (?:only )?\$?\s?{name}(?![A-Za-z])", question):
        return True  # the letter itself is asked for
    if read_question(question).speaks_of("any_letter") or any(sign in question for sign in _BINDING):
        return False
    return not _is_bound(name, question) or _is_divided_by(name, question)


def _is_bound(name: str, question: str) -> bool:
    """Is it the letter of a function, or an index?"""
    return re.search(rf"[A-Za-z]'?\s?\(\s?{name}\s?\)|_\s?\{{?\s?{name}(?![A-Za-z])", question) is not None


def _is_divided_by(name: str, question: str) -> bool:
    """A remainder or quotient is told in the letter of the divisor."""
    if not _DIVISION.search(question):
        return False
    divisors = [formula[0] for formula in FORMULA.finditer(question) if _divides(question[: formula.start()])]
    return bool(divisors) and all(mentions(one, name) and not _is_bound(name, one) for one in divisors)


def _divides(before: str) -> bool:
    return before.rstrip().lower().removesuffix(" the polynomial").endswith("divided by")


def _is_had(name: str, question: str) -> bool:
    """Has the question this letter, as a small one or as a capital?"""
    return mentions(question, name) or mentions(question, name.upper())
