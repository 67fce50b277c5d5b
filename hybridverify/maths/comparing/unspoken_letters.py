"""Letters of two formulas that the question does not have: what they stand for may have been chosen.

An index may begin at zero or at one, a polynomial may be told up to a factor, and a letter beside a decimal may be a
unit. Where none of that makes the two formulas one, equal letters mean equal things, and other values are no answer.
"""

from __future__ import annotations

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Node, Num, Sym, has_decimals, rename, symbols
from hybridverify.maths.comparing.items import asks_all
from hybridverify.maths.comparing.renaming import has_period, is_factor_of_function, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.comparing.ties import one_ratio, values_at

_INDICES, _INTEGERS = frozenset("nkmljpqrst"), frozenset("nkmlj")
_SHIFTS = (-2, -1, 1, 2)
_COARSE = 0.5
"""Of two measured numbers, one may be the other rounded to its first digit."""


def may_be_unspoken_choice(left: Node, right: Node, case: Case) -> bool:
    """May two formulas of other values be one answer, told with another choice of what the question leaves open?"""
    if not case.question:
        return False
    unspoken = _unspoken(symbols(left) | symbols(right), case)
    if not unspoken or case.asks("example"):
        return bool(unspoken)
    if any(_is_any_number(left, right, name, case) for name in unspoken):
        return True
    shifted = any(_is_shifted(left, right, name, case) for name in unspoken if name in _INDICES)
    return shifted or _may_be_scaled(left, right, case)


def _unspoken(names: frozenset[str], case: Case) -> list[str]:
    """The letters that the question does not have."""
    own = sorted(names - case.parameters)
    return [name for name in own if not mentions(case.question, name)]


def _is_any_number(left: Node, right: Node, name: str, case: Case) -> bool:
    """Does the letter run over the whole numbers, or is it a constant factor in both?"""
    if _runs_over_integers(left, right, name, case):
        return True
    return is_factor_of_function(left, name) and is_factor_of_function(right, name)


def _runs_over_integers(left: Node, right: Node, name: str, case: Case) -> bool:
    """`k pi`, or a letter in all solutions: several such answers together may be one of the other side."""
    return name in _INTEGERS and (has_period(left, name) or has_period(right, name) or asks_all(case))


def _is_shifted(left: Node, right: Node, index: str, case: Case) -> bool:
    """Is the one the other with an index that begins elsewhere?"""
    moved = (rename(right, {index: Add((Sym(index), Num(step)))}) for step in _SHIFTS)
    return any(same_expression(left, one, case.setting) is not Same.DIFFERENT for one in moved)


def _may_be_scaled(left: Node, right: Node, case: Case) -> bool:
    """Is their quotient a number that a rounding, or the choice of a polynomial, explains?"""
    ratio = _quotient(left, right)
    if ratio is None:
        return False
    rough = has_decimals(left) or has_decimals(right)
    return (rough and abs(ratio - 1) <= _COARSE) or case.asks("polynomial")


def _quotient(left: Node, right: Node) -> float | None:
    """The number by which the one is a multiple of the other, None where there is none or it is unknown."""
    names = symbols(left) | symbols(right)
    pairs = [values_at(left, right, numeric.point_for(names, place)) for place in range(3)]
    return one_ratio([pair for pair in pairs if pair]) if all(pairs) else None
