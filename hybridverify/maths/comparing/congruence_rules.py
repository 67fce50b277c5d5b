"""Comparing congruences: classes of whole numbers."""

from __future__ import annotations

import re

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import (
    Exact,
    Node,
    Sym,
    rational_value,
)
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    different,
    equal,
    undecided,
)
from hybridverify.maths.values.kinds import (
    Congruence,
    Scalar,
)


def congruences(left: Congruence, right: Congruence, case: Case) -> Comparison:
    """Same modulus, same residue modulo it."""
    numbers = [rational_value(n) for n in (left.modulus, right.modulus, left.residue, right.residue)]
    named = same_expression(left.left, right.left) is Same.EQUAL or _unnamed(left.left, right.left, case)
    if not named:
        return undecided("congruence")
    known = [number for number in numbers if number is not None]
    return _classes(*known) if len(known) == len(numbers) else undecided("congruence")


def _classes(first: Exact, second: Exact, one: Exact, other: Exact) -> Comparison:
    """Two moduli, and the residues of each."""
    if not first or not second:
        return undecided("congruence")
    if first == second and not (one - other) % first:
        return equal()
    whole = all(value.denominator == 1 for value in (first, second, one, other))
    return different("congruence") if whole and min(first, second) > 1 else undecided("congruence")


def _unnamed(left: Node, right: Node, case: Case) -> bool:
    """Two letters of which the question names at most one: `2 (mod 15)` was read with a letter of our own."""
    if type(left) is not Sym or type(right) is not Sym:
        return False
    return not (mentions(case.question, left.name) and mentions(case.question, right.name))


def number_and_congruence(left: Scalar, right: Congruence, case: Case) -> Comparison:
    """The residue alone is asked: the modulus must be the question's."""
    modulus, residue = rational_value(right.modulus), rational_value(right.residue)
    if modulus is None or residue is None or not case.asks("mod", "remainder", "residue"):
        return undecided("congruence")
    asked = re.search(rf"(?<!\d){modulus}(?!\d)", case.question) is not None
    if not asked or left.exact is None:
        return undecided("congruence")
    if left.exact == residue:
        return equal("congruence")
    return (
        different("congruence") if modulus and (left.exact - residue) % modulus else undecided("congruence")
    )
