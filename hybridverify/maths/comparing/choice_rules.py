"""One option letter beside several: whoever names two where one is right, or one where two are, has not answered."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Sym
from hybridverify.maths.comparing.items import asks_all
from hybridverify.maths.comparing.rules import Case, Comparison, different, undecided
from hybridverify.maths.values.kinds import Letter, Listing, Scalar, Value


def letter_and_listing(_left: Letter, right: Listing, case: Case) -> Comparison:
    """One letter is right, and the answer names several."""
    found = _letters(right)
    return different("choice") if len(found) > 1 and case.question else undecided("choice")


def listing_and_letter(left: Listing, _right: Letter, case: Case) -> Comparison:
    """Several letters are right where all are asked for, and the answer names one."""
    several = len(_letters(left)) > 1 and "or" not in left.separators
    return different("choice") if several and asks_all(case) else undecided("choice")


def _letters(listing: Listing) -> frozenset[str]:
    """The capital letters of a list of nothing else."""
    found = frozenset(letter for item in listing.items if (letter := _letter(item)))
    return found if len(found) == len(listing.items) else frozenset()


def _letter(value: Value) -> str:
    if isinstance(value, Letter):
        return value.letter if value.letter.isupper() else ""
    if isinstance(value, Scalar) and type(value.node) is Sym:
        name = value.node.name
        return name if len(name) == 1 and name.isupper() and name.isascii() else ""
    return ""
