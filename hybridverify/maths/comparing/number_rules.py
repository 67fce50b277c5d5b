"""Comparing two numbers or expressions: exact values, rounding, renamed parameters, sure rejects."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.language.tolerance import stated_tolerance
from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, branches, same_expression
from hybridverify.maths.algebra.nodes import (
    Exact,
    Mul,
    Node,
    Num,
    rational_value,
    symbols,
    walk,
)
from hybridverify.maths.algebra.products import reordered
from hybridverify.maths.comparing.renaming import mentions, renamed_scalars
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.rounding import is_near, rounds_to
from hybridverify.maths.units.measures import LETTERS, unit_of_letters
from hybridverify.maths.values.kinds import Money, Quantity, Scalar, Value, is_infinite

_NEAR = 0.01
"""Exact values within one percent may be roundings of one another: no sure reject."""
PERCENT_WORDS = ("percent", "%", "percentage")
_SCALE_WORDS = ("thousand", "million", "billion", "hundred", "dozen", "cents", *PERCENT_WORDS)


def scalars(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Two numbers or expressions, the reference first."""
    if type(left.node) is Num and type(right.node) is Num:
        return equal() if left.node.value == right.node.value else _unlike(left, right, case)
    ends = is_infinite(left.node), is_infinite(right.node)
    if any(ends):
        return equal() if ends[0] == ends[1] else undecided("infinity")
    same = same_expression(left.node, right.node, case.setting)
    if same is Same.EQUAL:
        return _same_expressions(left, right, case)
    if symbols(left.node) or symbols(right.node):
        return _symbolic(left, right, same, case)
    return _unlike(left, right, case, proved=same is Same.DIFFERENT)


def _same_expressions(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Equal by algebra; but letters may be factors that do not commute, units, or names with a part to play."""
    mine, theirs = symbols(left.node), symbols(right.node)
    if mine and reordered((left.node,), (right.node,), case.setting.capitals, case.setting.vectors):
        return undecided("order of a product")
    if mine and theirs and mine != theirs and _is_nothing(left.node) and _is_nothing(right.node):
        return undecided("units")  # 0 m is not 0 s
    return equal() if case.keeps({name: name for name in theirs}) else undecided("bound_names")


def _is_nothing(node: Node) -> bool:
    """Zero times letters."""
    if type(node) is Mul:
        return any(map(_is_nothing, node.factors))
    return type(node) is Num and node.value == 0


def _unlike(left: Scalar, right: Scalar, case: Case, proved: bool = True) -> Comparison:
    """Two constants that are not equal as written: one may be rounded. `proved`: their values differ surely."""
    rounded = _rounded(left, right, case)
    if rounded is not None:
        return rounded
    if left.digits >= 0:
        return undecided("rounding")
    return _rejected(left, right, case) if proved else undecided("not proved")


def _symbolic(left: Scalar, right: Scalar, same: Same, case: Case) -> Comparison:
    unit = _letter_unit(left, right, case)
    if unit is not None:
        return unit
    if symbols(left.node) != symbols(right.node):
        return renamed_scalars(left, right, case)
    if same is Same.DIFFERENT and _may_be_rounded(left.node, right.node):
        return undecided("rounding")
    if same is Same.DIFFERENT and _well_read(left.node, case) and _well_read(right.node, case):
        return different("other expression")
    return undecided()


def _may_be_rounded(left: Node, right: Node) -> bool:
    """Do decimals in two formulas explain the little by which their values differ?"""
    if not any(type(part) is Num and part.digits != -1 for node in (left, right) for part in walk(node)):
        return False
    try:
        point = numeric.point_for(symbols(left) | symbols(right), 0)
        first, second = numeric.evaluate(left, point), numeric.evaluate(right, point)
    except numeric.NoValue:
        return True
    return abs(first - second) <= _NEAR * max(abs(first), abs(second))


def _letter_unit(left: Scalar, right: Scalar, case: Case) -> Comparison | None:
    """`12 m` or `12 m^2` against a bare 12: the letters are the unit that the question names."""
    found = None if symbols(left.node) else unit_of_letters(right.node)
    if found is None or case.conventions.units == "same":
        return None
    number, unit = found
    area = unit.dimension in ((("length", 2),), (("length", 3),)) and not case.question
    asked = all(case.asks(*LETTERS[letter]) for letter in unit.words)
    return equal("units") if (asked or area) and scalars(left, Scalar(number), case).equal else None


def _well_read(node: Node, case: Case) -> bool:
    """Every letter is one that the question uses, and none hides a sign or a constant."""
    names = symbols(node) - ({"i"} if case.setting.imaginary else set())
    if any(name[0] in "iIE" for name in names) or branches(node):
        return False
    return all(mentions(case.question, name) for name in names)


def _real(node: Node) -> Fraction | float | None:
    exact = rational_value(node)
    return Fraction(exact) if exact is not None else numeric.constant(node)


def _rounded(left: Scalar, right: Scalar, case: Case) -> Comparison | None:
    """Decimals: a reference with d digits takes what rounds to it; an exact one needs many right digits."""
    if left.digits == right.digits == -1:
        return None
    if case.conventions.rounding == "none":
        return undecided("rounding")
    first, second = _real(left.node), _real(right.node)
    if first is None or second is None:
        return undecided("rounding")
    if max(left.step, right.step):
        return _coarse(left, right, first, second)
    if left.digits >= 0:
        return _to_decimal(left, right, first, second, case)
    if isinstance(first, Fraction) and first.denominator == 1:
        return None if _apart(first, second) else undecided("rounding")
    return _to_exact(first, second, right.digits, case)


def _to_decimal(
    left: Scalar, right: Scalar, first: Fraction | float, second: Fraction | float, case: Case
) -> Comparison:
    """The reference is a decimal: the answer must say more than it and round to it."""
    fine = _enough_digits(first, left.digits) and right.digits not in range(left.digits)
    if fine and (_rounds_to(second, first, left.digits) or _cut_to(second, left, right, case)):
        return equal("rounding")
    return undecided("rounding")


def _to_exact(
    first: Fraction | float, second: Fraction | float, digits: int, case: Case
) -> Comparison | None:
    """The reference is exact and no integer: the answer is it where it has enough right digits."""
    fine = _significant(second, digits) >= case.conventions.exact_digits
    if fine and _rounds_to(first, second, digits):
        return equal("rounding")
    short = abs(float(first) - float(second)) <= 10.0**-digits  # rounded or cut, with too few digits
    return undecided("rounding") if short or not _apart(first, second) else None


def _coarse(
    left: Scalar, right: Scalar, first: Fraction | float, second: Fraction | float
) -> Comparison | None:
    """Large numbers in scientific notation are rounded: what is near is nothing surely, and the same only where it
    is written so too and rounds to three digits of the reference."""
    one, other = Fraction(first), Fraction(second)
    if 0 < right.step < left.step and 2 * abs(one - other) < left.step <= abs(one) / 100:
        return equal("rounding")
    return undecided("rounding") if is_near(one, other, max(left.step, right.step)) else None


def _rounds_to(value: Fraction | float, decimal: Fraction | float, digits: int) -> bool:
    if isinstance(value, Fraction) and isinstance(decimal, Fraction):
        return rounds_to(value, decimal, digits)
    half = 0.5 * 10.0**-digits
    gap = abs(float(value) - float(decimal))
    return gap <= half * (1 + 1e-9) + 4e-16 * abs(float(decimal))


def _cut_to(value: Fraction | float, left: Scalar, right: Scalar, case: Case) -> bool:
    """A reference that was cut instead of rounded, behind so many digits that it can mean nothing else."""
    exact = left.exact
    if right.digits >= 0 or exact is None:
        return False
    if _significant(Fraction(exact), left.digits) < case.conventions.exact_digits:
        return False
    gap = abs(float(value)) - abs(float(exact))
    return 0 <= gap < 10.0**-left.digits * (1 - 1e-9) and (value > 0) == (exact > 0)


def _enough_digits(value: Fraction | float, digits: int) -> bool:
    """A rounding rule for `0.3` would take everything from a quarter to a third."""
    return (digits >= 2 and value != 0 and _significant(value, digits) >= 2) or _significant(
        value, digits
    ) >= 3


def _significant(value: Fraction | float, digits: int) -> int:
    size = abs(value) * 10**digits if digits <= 400 else 0
    return len(str(int(size))) if 0 < size < 1e300 else 0


def _apart(first: Fraction | float, second: Fraction | float) -> bool:
    return abs(float(first) - float(second)) > _NEAR * max(abs(float(first)), abs(float(second)))


def _rejected(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Both exact and different: sure, unless a rounding or a change of scale may explain it."""
    first, second = _real(left.node), _real(right.node)
    if first is None or second is None:
        return undecided()
    if _may_be_scaled(left, right, case):
        return undecided("scale")
    if isinstance(first, Fraction) and isinstance(second, Fraction) and right.digits < 0:
        return undecided("rounding") if _is_rounded_to_whole(first, second) else different()
    return different() if _far(first, second) else undecided("rounding")


def _may_be_scaled(left: Scalar, right: Scalar, case: Case) -> bool:
    """`1,234` may be two numbers, and 3 may count thousands."""
    return left.grouped or right.grouped or case.asks(*_SCALE_WORDS)


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


def _is_rounded_to_whole(first: Fraction, second: Fraction) -> bool:
    """An integer beside a fraction that is near and not small."""
    if second.denominator != 1 or first.denominator == 1:
        return False
    return abs(float(first)) > 2 and abs(float(first) - float(second)) < 1


def _far(first: Fraction | float, second: Fraction | float) -> bool:
    try:
        return _apart(first, second)
    except OverflowError:
        return False
