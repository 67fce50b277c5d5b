"""Is one equation a multiple of the other? Only where neither loses or gains a solution on the way."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from hybridverify.maths.algebra.equality import Same, branches, for_all_signs
from hybridverify.maths.algebra.nodes import (
    Add,
    Call,
    Exact,
    Mul,
    Node,
    Num,
    Pow,
    Sym,
    negative,
    symbols,
    whole,
)
from hybridverify.maths.algebra.normal import Normal
from hybridverify.maths.algebra.polynomials import UNIT, Monomial, Poly, common_monomial, inverse_monomial
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.limits import Unread
from hybridverify.maths.values.kinds import Relation

_NEVER_ZERO = ("c", "P", "E", "\x01#", "\x01z")
"""First letters of generators that have no zero: constants, powers of e and of letters, roots of integers."""
_MAY_BE_ZERO = "Pabs"
_MAX_DEGREE = 50


class _Cleared(NamedTuple):
    """left - right without denominators: times `low`, a monomial, and `den`."""

    gap: Node
    poly: Poly
    low: Monomial
    den: Poly


def proportional(left: Relation, right: Relation, case: Case) -> bool:
    """The same equation up to a factor that is neither zero nor without a value, for all signs of its letters."""
    normal = Normal(case.setting.imaginary)
    try:
        mine, theirs = (_cleared(normal, relation) for relation in (left, right))
        factor = _factor(mine.poly, theirs.poly)
        if factor is None or (case.conventions.equation_scale != "any" and abs(factor) != 1):
            return False
        if not case.setting.positive and not _same_solutions(mine, theirs):
            return False
        return _at_all_signs(mine, theirs, factor, case)
    except (Unread, RecursionError):
        return False


def _cleared(normal: Normal, relation: Relation) -> _Cleared:
    gap = Add((relation.sides[0], negative(relation.sides[1])))
    ratio = normal.of(gap)
    if not ratio.num:
        raise Unread("an equation without content")
    low = inverse_monomial(tuple(item for item in common_monomial(ratio.num) if item[1] < 0))
    poly = normal.algebra.multiply(ratio.num, {low: 1}) if low else ratio.num
    return _Cleared(gap, poly, low, ratio.den)


def _factor(mine: Poly, theirs: Poly) -> Exact | None:
    """The number by which all of `mine` is `theirs`, None where there is none."""
    if mine.keys() != theirs.keys():
        return None
    first = next(iter(mine))
    same = all(mine[mono] * theirs[first] == theirs[mono] * mine[first] for mono in mine)
    return whole(Fraction(mine[first]) / theirs[first]) if same else None


def _same_solutions(mine: _Cleared, theirs: _Cleared) -> bool:
    """`x/y = 2` has no solution with y = 0, and `x = 2y` has: what was multiplied away must have no zero in common
    with what is left."""
    for one, other in ((mine, theirs), (theirs, mine)):
        cleared = {name for name, _ in one.low} - {name for name, _ in other.low}
        if not all(_differs_from_zero(one.poly, name) for name in cleared):
            return False
        if one.den != other.den and not _apart(one.poly, one.den):
            return False
    return True


def _differs_from_zero(poly: Poly, name: str) -> bool:
    """Is the polynomial a number other than zero wherever this generator is zero?"""
    if name.startswith(_NEVER_ZERO) and not name.startswith(_MAY_BE_ZERO):
        return True
    return _is_number([mono for mono in poly if all(other != name for other, _ in mono)])


def _is_number(monomials: list[Monomial]) -> bool:
    """One monomial, made of constants alone."""
    return len(monomials) == 1 and all(name.startswith(("c", "\x01#")) for name, _ in monomials[0])


def _apart(poly: Poly, den: Poly) -> bool:
    """Does the polynomial have no zero in common with a linear denominator in one variable?"""
    if den == {UNIT: 1}:
        return True
    names = {name for mono in den for name, _ in mono}
    name = next(iter(names), "")
    if len(names) != 1 or name[0] != "v" or not den.keys() <= {UNIT, ((name, 1),)}:
        return False
    zero = -Fraction(den.get(UNIT, 0)) / den[((name, 1),)]
    left = _with_value(poly, name, zero)
    return left is not None and _is_number(left)


def _with_value(poly: Poly, name: str, value: Fraction) -> list[Monomial] | None:
    """What is left where the variable has this value; None for powers too large to compute."""
    total: Poly = {}
    for mono, factor in poly.items():
        count = dict(mono).get(name, 0)
        if count.denominator != 1 or not 0 <= count <= _MAX_DEGREE:
            return None
        rest = tuple(item for item in mono if item[0] != name)
        total[rest] = total.get(rest, 0) + factor * value ** int(count)
    return [mono for mono, factor in total.items() if factor]


def _at_all_signs(mine: _Cleared, theirs: _Cleared, factor: Exact, case: Case) -> bool:
    """The algebra took letters as positive: `|x| = 5` is no `x = 5`."""
    if not (branches(mine.gap) or branches(theirs.gap)):
        return True
    if mine.den != theirs.den:
        return case.setting.positive
    sides: list[Node] = []
    for each, number in ((mine, Num(1)), (theirs, Num(factor))):
        parts: list[Node] = [number, each.gap]
        if mine.low != theirs.low:
            if any(name[0] != "v" for name, _ in each.low):
                return case.setting.positive
            parts += [Pow(Sym(name[1:]), Num(count)) for name, count in each.low]
        sides.append(Call("abs", (Mul(tuple(parts)),)))  # a turned sign loses no solution
    names = symbols(sides[0]) | symbols(sides[1])
    return for_all_signs(sides[0], sides[1], names, case.setting) is Same.EQUAL
