"""Comparing two numbers or expressions: exact values, rounding, renamed parameters, sure rejects."""

from __future__ import annotations

import math
from fractions import Fraction

from hybridverify.language.tolerance import stated_tolerance
from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import (
    Call,
    Exact,
    Mul,
    Node,
    Num,
    has_decimals,
    rational_value,
    step_of,
    symbols,
    walk,
)
from hybridverify.maths.algebra.normal import Normal
from hybridverify.maths.algebra.operators import has_operator
from hybridverify.maths.algebra.products import reordered
from hybridverify.maths.algebra.ratios import constant
from hybridverify.maths.algebra.remembered import remembered
from hybridverify.maths.comparing.families import one_family
from hybridverify.maths.comparing.formula_difference import expressions_apart
from hybridverify.maths.comparing.growth import are_one_order
from hybridverify.maths.comparing.letter_products import as_factors
from hybridverify.maths.comparing.primitives import primitives_alike
from hybridverify.maths.comparing.renaming import renamed_scalars
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.likeness import liken
from hybridverify.maths.limits import Unread
from hybridverify.maths.units.measures import LETTERS, unit_of_letters
from hybridverify.maths.values.kinds import Money, Percent, Quantity, Scalar, Value, is_infinite
from hybridverify.maths.written_number import Number

_ANGLES = ("angle", "theta", "polar", "argument", "\\arg", "\\sin", "\\cos", "\\tan", "radian", "phase")
_SIZES = ("area", "volume", "circumference", "perimeter", "length", "period")
_COUNTING = ("binom", "factorial", "sum", "prod")
_WHOLE = 1e-9


def scalars(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Two numbers or expressions, the reference first."""
    if type(left.node) is Num and type(right.node) is Num:
        return equal() if left.node.value == right.node.value else _unlike(left, right, case)
    if is_infinite(left.node) or is_infinite(right.node):
        return _infinite(left.node, right.node, known=bool(case.question))
    same = same_expression(left.node, right.node, case.setting)
    if same is Same.EQUAL:
        return _same_expressions(left, right, case)
    if symbols(left.node) or symbols(right.node):
        return _symbolic(left, right, case, apart=same is Same.DIFFERENT)
    return _unlike(left, right, case, proved=same is Same.DIFFERENT)


def _infinite(left: Node, right: Node, known: bool) -> Comparison:
    """At least one of the two is infinite; a number without letters is not. `known`: there is a question, so that a
    sign counts."""
    if is_infinite(left) == is_infinite(right):
        return equal()
    if known and is_infinite(left) and is_infinite(right):
        return different("infinity")
    finite = any(not is_infinite(node) and not symbols(node) for node in (left, right))
    return different("infinity") if finite else undecided("infinity")


def _same_expressions(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Equal by algebra; but letters may be factors that do not commute, units, or names with a part to play."""
    mine, theirs = symbols(left.node), symbols(right.node)
    if mine and reordered((left.node,), (right.node,), case.setting.capitals, case.setting.vectors):
        return undecided("order of a product")
    if _are_nothings(left.node, right.node):
        return undecided("units")
    if has_operator(right.node) and not has_operator(left.node):
        return undecided("still to be summed")
    return equal() if case.keeps({name: name for name in theirs}) else undecided("bound_names")


def _are_nothings(left: Node, right: Node) -> bool:
    """0 m is not 0 s."""
    mine, theirs = symbols(left), symbols(right)
    return bool(mine and theirs) and mine != theirs and _is_nothing(left) and _is_nothing(right)


def _is_nothing(node: Node) -> bool:
    """Zero times letters."""
    if type(node) is Mul:
        return any(map(_is_nothing, node.factors))
    return type(node) is Num and node.value == 0


def _unlike(left: Scalar, right: Scalar, case: Case, proved: bool = True) -> Comparison:
    """Two constants that are not equal as written: one may be rounded. `proved`: their values differ surely."""
    result = likened(left, right, case, proved)
    if result.outcome == "different" and case.asks(*_ANGLES) and not case.asks(*_SIZES):
        return undecided("turns") if is_turned(left.node, right.node, 2 * math.pi) else result
    return result


def is_turned(left: Node, right: Node, turn: float) -> bool:
    """Are two angles whole turns apart, and so one direction?"""
    first, second = numeric.constant(left), numeric.constant(right)
    if first is None or second is None:
        return False
    turns = (first - second) / turn
    return turns != 0 and abs(turns - round(turns)) < _WHOLE


def likened(left: Value, right: Value, case: Case, proved: bool = True) -> Comparison:
    """Two numbers with their signs, by the conventions that all rules share."""
    mine, theirs = number_of(left), number_of(right)
    if mine is None or theirs is None:
        return undecided()
    found = liken(mine, theirs, case.conventions, case.question, proved)
    if found.equal is None:
        return undecided(found.reason)
    return equal(found.reason) if found.equal else different(found.reason)


def number_of(value: Value) -> Number | None:
    """The number of a value as it was written; None where it has letters or no value."""
    if isinstance(value, Scalar):
        return _number(value)
    if isinstance(value, Quantity):
        amount = _number(value.value)
        return None if amount is None else amount._replace(measured=True)
    inner = _number(value.value) if isinstance(value, (Percent, Money)) else None
    if inner is None or isinstance(value, Percent):
        return None if inner is None else inner._replace(percent=True)
    return inner._replace(currency=value.sign) if isinstance(value, Money) else None


def _number(scalar: Scalar) -> Number | None:
    node = scalar.node
    if type(node) is Num:
        return Number(node.value, _places(node.digits), step=step_of(node.digits))
    return _worked_out(scalar)


@remembered
def _worked_out(scalar: Scalar) -> Number | None:
    node, digits = scalar.node, scalar.digits
    rough = digits == -1 and has_decimals(node)
    exact = rational_value(node)
    if exact is None and any(type(part) is Call and part.name in _COUNTING for part in walk(node)):
        exact = _counted(node)
    if exact is not None:
        return Number(exact, _places(digits), step=scalar.step, rough=rough)
    near = numeric.constant(node)
    return None if near is None else Number(Fraction(near), max(digits, -1), surd=True, rough=rough)


def _counted(node: Node) -> Exact | None:
    """The exact value of what counts ways, None where it has none or is too long."""
    try:
        return constant(Normal().of(node))
    except Unread:
        return None


def _places(digits: int) -> int:
    """The decimals of a number with so many digits written after the point, or of a coarse one: none."""
    return max(digits, 0) if digits != -1 else -1


def _symbolic(left: Scalar, right: Scalar, case: Case, apart: bool) -> Comparison:
    """Letters on at least one side. `apart`: their values differ at a point."""
    unit = _letter_unit(left, right, case)
    if unit is not None:
        return unit
    if primitives_alike(left.node, right.node, case):
        return equal("constant of integration")
    if are_one_order(left.node, right.node, case):
        return equal("order of growth")
    family = one_family(left.node, right.node, case)
    if family is not None:
        return equal("one family") if family else different("another family")
    if symbols(left.node) != symbols(right.node):
        factors = as_factors(left, right)
        if factors is not None:
            return scalars(Scalar(factors[0]), Scalar(factors[1]), case)
        renamed = renamed_scalars(left, right, case)
        if renamed.equal:
            return renamed
        return _formulas(left, right, case, apart) or renamed
    return _formulas(left, right, case, apart) or undecided()


def _formulas(left: Scalar, right: Scalar, case: Case, apart: bool) -> Comparison | None:
    if expressions_apart(left.node, right.node, case, apart):
        return different("other expression")
    return None


def _letter_unit(left: Scalar, right: Scalar, case: Case) -> Comparison | None:
    """`12 m` or `12 m^2` against a bare 12: the letters are the unit that the question names."""
    found = None if symbols(left.node) else unit_of_letters(right.node)
    if found is None or case.conventions.units == "same":
        return None
    number, unit = found
    area = unit.dimension in ((("length", 2),), (("length", 3),)) and not case.question
    asked = all(case.asks(*LETTERS[letter]) for letter in unit.words)
    return equal("units") if (asked or area) and scalars(left, Scalar(number), case).equal else None


def is_tolerated(left: Value, right: Value, question: str) -> bool:
    """May the question's own tolerance cover the difference of two numbers, in one unit or in none?"""
    tolerance = stated_tolerance(question) if question else None
    if tolerance is None:
        return False
    one, other = _amounts(left, right)
    return one is not None and other is not None and tolerance.may_cover(one, other)


def _amounts(left: Value, right: Value) -> tuple[Exact | None, Exact | None]:
    """The rational numbers of the two, of amounts in one unit or in money too; None where there are none."""
    if isinstance(left, Quantity) and isinstance(right, Quantity) and left.unit.factor == right.unit.factor:
        left, right = left.value, right.value
    if isinstance(left, Money) and isinstance(right, Money):
        left, right = left.value, right.value
    return (
        left.exact if isinstance(left, Scalar) else None,
        right.exact if isinstance(right, Scalar) else None,
    )
