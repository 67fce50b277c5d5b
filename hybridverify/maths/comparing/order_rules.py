"""Comparing things in an order, and matchings."""

from __future__ import annotations

from collections.abc import Callable

from hybridverify.language.asked import read_question
from hybridverify.maths.comparing.program_rules import asks_program
from hybridverify.maths.comparing.rules import Comparison, different, equal, undecided
from hybridverify.maths.parsing.sequences import Sequence, matching, sequence

_ORDERING = ("order", "rank", "arrange", "sort", "sequence")
_FOLLOWING = (" step", " stage", " phase", " process", " layer", " next ", " top", " largest", " highest")
_ROLES = (" and ", "first", "respectively", "winner", "versus", " beat", "defeat")
_PLACING = (*_ORDERING, *_FOLLOWING, *_ROLES)
"""What a question has whose answers stand for things of their own."""
_MATCHING = ("match", "pair", "correspond")


def sequences(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Where the question asks for an order: the same things in the same one; None for anything else."""
    mine, theirs = sequence(reference), sequence(answer)
    if mine is None or theirs is None:
        return None
    if not _asks_order(question):
        return _listed(mine, theirs, question)
    if sorted(mine.items) != sorted(theirs.items):
        return None
    direction = 1 if mine.sized == theirs.sized else read_question(question).direction
    if not direction:  # nobody says on which end of a list the smallest stands
        return undecided("sequence")
    told = theirs.items if direction > 0 else theirs.items[::-1]
    return equal("sequence") if mine.items == told else different("another order")


def _listed(mine: Sequence, theirs: Sequence, question: str) -> Comparison | None:
    """`Germans and Irish` in the other order, where several are asked for and nothing makes the order count."""
    if sorted(mine.items) != sorted(theirs.items) or mine.sized or theirs.sized:
        return None
    asked, low = read_question(question), question.lower()
    placed = any(word in low for word in _PLACING) or asked.ordered or asks_program(question)
    return equal("names") if asked.several and not placed else None


def _asks_order(question: str) -> bool:
    low = question.lower()
    return any(word in low for word in _ORDERING) and read_question(question).ordered


def matchings(
    reference: str, answer: str, question: str, _same: Callable[[str, str], Comparison]
) -> Comparison | None:
    """Each label beside its own; another partner is one where the question speaks of matching."""
    mine, theirs = matching(reference), matching(answer)
    if mine is None or theirs is None:
        return None
    if mine == theirs:
        return equal("matching")
    sure = mine.keys() == theirs.keys() and any(word in question.lower() for word in _MATCHING)
    return different("matching") if sure else undecided("matching")
