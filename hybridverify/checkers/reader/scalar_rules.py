"""Comparing single values: percentages, angles, quantities, money, proportions."""

from __future__ import annotations

import re
from fractions import Fraction

from hybridverify.checkers.questions import asks_percent, wants_currency, wants_unit
from hybridverify.checkers.reader.nodes import Call, Const, Mul, Num, quotient, walk
from hybridverify.checkers.reader.number_rules import scalars
from hybridverify.checkers.reader.numeric import constant
from hybridverify.checkers.reader.rules import Case, Comparison, all_of, different, equal, in_order, undecided
from hybridverify.checkers.reader.texts import base_of
from hybridverify.checkers.reader.unit_table import PHYSICAL, UNITS
from hybridverify.checkers.reader.units import has_other_kinds, is_asked_in, plain_words, unit_of_letters
from hybridverify.checkers.reader.values import (
    BaseNumber,
    Degrees,
    Money,
    Percent,
    Proportion,
    Quantity,
    Scalar,
    Unit,
    Value,
)
from hybridverify.checkers.rounding import counts_percent

_BASE = re.compile(r"\bbase[- ]\$?(\d{1,2}|[a-zA-Z]{3,8})", re.IGNORECASE)
_INVERSES = frozenset(("arcsin", "arccos", "arctan", "arccot"))


def percents(left: Percent, right: Percent, case: Case) -> Comparison:
    """Both with a sign."""
    return _softened(scalars(left.value, right.value, case), "percent")


def _softened(result: Comparison, reason: str) -> Comparison:
    """An equal part stays equal; a different one is no sure reject here."""
    return equal(reason) if result.equal else undecided(reason)


def percent_and_number(left: Percent, right: Scalar, case: Case) -> Comparison:
    """The reference has the sign: p/100, or p itself."""
    if case.conventions.percent == "strict":
        return undecided("percent")
    share = _hundredth(left.value)
    if scalars(share, right, case).equal or scalars(left.value, right, case).equal:
        return equal("percent")
    return undecided("percent")


def number_and_percent(left: Scalar, right: Percent, case: Case) -> Comparison:
    """The response has the sign: p/100; p itself only where the question asks for a percentage."""
    if case.conventions.percent == "strict":
        return undecided("percent")
    wanted = asks_percent(case.question)
    counted = wanted and counts_percent(constant(left.node) or 0)
    if not counted and scalars(left, _hundredth(right.value), case).equal:
        return equal("percent")
    loose = case.conventions.percent == "loose" or wanted
    if loose and scalars(left, right.value, case).equal:
        return equal("percent")
    return undecided("percent")


def _hundredth(scalar: Scalar) -> Scalar:
    node = scalar.node
    if type(node) is Num:
        digits = node.digits + 2 if node.digits >= 0 else -1
        return Scalar(Num(Fraction(node.value) / 100, digits))
    return Scalar(quotient(node, Num(100)))


def angles(left: Degrees, right: Degrees, case: Case) -> Comparison:
    """Both with a degree sign."""
    return scalars(left.value, right.value, case)


def angle_and_number(left: Degrees, right: Scalar, case: Case) -> Comparison:
    """A bare number counts degrees; with pi in it, it is in radians."""
    return _angle(left, right, case, degrees_first=True)


def number_and_angle(left: Scalar, right: Degrees, case: Case) -> Comparison:
    """As above, the reference bare."""
    return _angle(right, left, case, degrees_first=False)


def _angle(degrees: Degrees, bare: Scalar, case: Case, degrees_first: bool) -> Comparison:
    pair = (degrees.value, bare) if degrees_first else (bare, degrees.value)
    names = [part.name for part in walk(bare.node) if type(part) is Const]
    if case.conventions.degrees == "strict":
        return undecided("degrees")
    if "pi" in names or "deg" in names:
        return _softened(scalars(*_in_radians(pair, degrees), case), "degrees")
    inverse = any(type(part) is Call and part.name in _INVERSES for part in walk(bare.node))
    result = scalars(*pair, case)
    if inverse:  # arctan 1 is pi/4 in radians and 45 in degrees
        return _softened(result if result.equal else scalars(*_in_radians(pair, degrees), case), "degrees")
    return equal("degrees") if result.equal else result


def _in_radians(pair: tuple[Scalar, Scalar], degrees: Degrees) -> tuple[Scalar, Scalar]:
    radians = Scalar(Mul((degrees.value.node, Const("deg"))))
    return (radians, pair[1]) if pair[0] is degrees.value else (pair[0], radians)


def quantities(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """Both with a unit: the same, or converted exactly."""
    mine, theirs = left.unit, right.unit
    if case.conventions.units == "drop":
        return _softened(scalars(left.value, right.value, case), "units")
    if mine.dimension == theirs.dimension and mine.factor == theirs.factor:
        return scalars(left.value, right.value, case)
    if not (mine.known and theirs.known):
        return undecided("units")
    if mine.dimension != theirs.dimension:
        if _is_told_by_rate(left, right, case):
            return undecided("units")
        physical = all(kind in PHYSICAL for kind, _ in (*mine.dimension, *theirs.dimension))
        return different("units") if physical else undecided("units")
    if case.conventions.units == "same":
        return undecided("units")
    converted = Scalar(Mul((Num(theirs.factor / mine.factor), right.value.node)))
    exact = right.value.exact
    if exact is not None:
        converted = Scalar(Num(exact * theirs.factor / mine.factor))
    result = scalars(left.value, converted, case)
    if result.outcome == "different" and _may_agree(left, right, converted):
        return undecided("units")
    return equal("units") if result.equal else result


def _is_told_by_rate(left: Quantity, right: Quantity, case: Case) -> bool:
    """Is the response the reference for each of the question's days or hours: 900 ml/day, asked for one day?"""
    for word in right.unit.words:
        kind, size = UNITS.get(word, ("", Fraction(0)))
        if kind not in ("time", "month") or not case.asks(word):
            continue
        powers = dict(right.unit.dimension)
        powers[kind] = powers.get(kind, 0) + 1
        amount = tuple(sorted((name, power) for name, power in powers.items() if power))
        unit = Unit(amount, right.unit.factor * size, right.unit.known)
        return amount == left.unit.dimension and quantities(left, Quantity(right.value, unit), case).equal
    return False


def _may_agree(left: Quantity, right: Quantity, converted: Scalar) -> bool:
    """Might the two be one quantity, rounded on the way or in another unit of the name: two gallons, three tons?"""
    first, second = constant(left.value.node), constant(converted.node)
    if first is None or second is None:
        return True
    gap, size = abs(first - second), max(abs(first), abs(second))
    if has_other_kinds(left.unit) or has_other_kinds(right.unit):
        return 4 * gap <= size
    if left.compound:
        return False  # 5 feet 3 inches are counted
    last = 10.0 ** -max(right.value.digits, 0) * float(right.unit.factor / left.unit.factor)
    return right.value.digits != -1 and (100 * gap <= size or gap < last <= size / 10)


def quantity_and_number(left: Quantity, right: Scalar, case: Case) -> Comparison:
    """The response is bare: same number, if the words are a plain unit."""
    letters = unit_of_letters(right.node)
    if letters is not None:
        return quantities(left, Quantity(Scalar(letters[0]), letters[1]), case)
    if (
        not plain_words(left.unit, case.question)
        or _counts_unasked(left, case)
        or _is_wanted(left.unit, case)
    ):
        return undecided("units")
    return _softened(scalars(left.value, right, case), "units")


def number_and_quantity(left: Scalar, right: Quantity, case: Case) -> Comparison:
    """The reference is bare: the response's unit may be dropped if it is a plain one."""
    letters = unit_of_letters(left.node)
    if letters is not None:
        return quantities(Quantity(Scalar(letters[0]), letters[1]), right, case)
    result = scalars(left, right.value, case)
    if result.equal:
        plain = plain_words(right.unit, case.question) and not _counts_unasked(right, case)
        return equal("units") if plain else undecided("units")
    return undecided("units") if case.asks("convert", " in ") else _softened_reject(result, right)


def _counts_unasked(value: Quantity, case: Case) -> bool:
    """`2 hours 30 minutes` is a bare 150 only where the question asks for minutes."""
    return value.compound and not is_asked_in(value.unit, case.question)


def _is_wanted(unit: Unit, case: Case) -> bool:
    """Is the unit a part of the answer that the question wants told, and does not tell itself?"""
    physical = all(kind in PHYSICAL for kind, _ in unit.dimension)
    return physical and wants_unit(case.question) and not is_asked_in(unit, case.question)


def _softened_reject(result: Comparison, right: Quantity) -> Comparison:
    return undecided("units") if not right.unit.known else undecided(result.reason)


def amounts(left: Money, right: Money, case: Case) -> Comparison:
    """Two currency signs must agree."""
    if left.sign != right.sign and case.conventions.currency == "agree":
        return undecided("currency")
    return scalars(left.value, right.value, case)


def amount_and_number(left: Money, right: Scalar, case: Case) -> Comparison:
    """A sign may be dropped, unless the question wants it told."""
    if wants_currency(case.question):
        return undecided("currency")
    return _softened(scalars(left.value, right, case), "currency")


def number_and_amount(left: Scalar, right: Money, case: Case) -> Comparison:
    """A sign may be added."""
    return _softened(scalars(left, right.value, case), "currency")


def amount_and_quantity(left: Money, right: Quantity, case: Case) -> Comparison:
    """`$0.05` and `5 cents`."""
    if left.sign == "£" and right.unit.words == ("pound",):
        return _softened(scalars(left.value, right.value, case), "currency")
    if left.sign != "$" or right.unit.dimension != (("USD", 1),):
        return undecided("currency")
    dollars = Unit(right.unit.dimension, Fraction(1), known=True)
    return _softened(quantities(Quantity(left.value, dollars), right, case), "currency")


def quantity_and_amount(left: Quantity, right: Money, case: Case) -> Comparison:
    """As above, the reference in words."""
    if right.sign == "£" and left.unit.words == ("pound",) and case.asks("£", "\\pounds"):
        return _softened(scalars(left.value, right.value, case), "currency")
    if right.sign != "$" or left.unit.dimension != (("USD", 1),):
        return undecided("currency")
    dollars = Unit(left.unit.dimension, Fraction(1), known=True)
    return _softened(quantities(left, Quantity(right.value, dollars), case), "currency")


def based(left: BaseNumber, right: BaseNumber, case: Case) -> Comparison:
    """Equal digits in an equal base; value across bases would pay for the question's own number."""
    if left.base != right.base:
        return undecided("base")
    return equal() if left.digits == right.digits else different("base")


def based_and_number(left: BaseNumber, right: Scalar, case: Case) -> Comparison:
    """The suffix may be dropped with equal digits."""
    if case.conventions.base == "drop_suffix" and _digits(right) == left.digits and _is_asked(left, case):
        return equal("base")
    return undecided("base")


def number_and_based(left: Scalar, right: BaseNumber, case: Case) -> Comparison:
    """A suffix may be added where the question speaks of a base."""
    dropped = case.conventions.base == "drop_suffix" and _digits(left) == right.digits
    if dropped and case.asks("base") and _is_asked(right, case):
        return equal("base")
    return undecided("base")


def _is_asked(number: BaseNumber, case: Case) -> bool:
    """False where the question names bases, and this one is not among them."""
    named = {base for word in _BASE.findall(case.question) if (base := base_of(word.lower()))}
    return not named or number.base in named


def _digits(scalar: Scalar) -> str:
    exact = scalar.exact
    if exact is None or exact.denominator != 1 or scalar.digits >= 0 or exact < 0:
        return ""
    return str(exact)


def proportions(left: Proportion, right: Proportion, case: Case) -> Comparison:
    """Equal up to a common factor."""
    if len(left.parts) != len(right.parts):
        return undecided("proportion")
    mine, theirs = left.parts, right.parts
    if left.spoken and right.spoken and not _asks_ratio(case):  # two ranges
        result = in_order(mine, theirs, case, "range")
        return equal("range") if result.equal else undecided("proportion")
    results = []
    for one, other in zip(mine[1:], theirs[1:], strict=True):
        results.append(_crossed(mine[0], one, theirs[0], other, case))
    return all_of(results, "proportion")


def _asks_ratio(case: Case) -> bool:
    return case.asks("ratio", "odds", "proportion")


def _crossed(a: Value, b: Value, c: Value, d: Value, case: Case) -> Comparison:
    parts = [part.node for part in (a, b, c, d) if isinstance(part, Scalar)]
    if len(parts) != 4:
        return undecided("proportion")
    left, right = Scalar(Mul((parts[0], parts[3]))), Scalar(Mul((parts[1], parts[2])))
    return _softened(scalars(left, right, case), "proportion")


def proportion_and_number(left: Proportion, right: Scalar, case: Case) -> Comparison:
    """`5:8` is 5/8."""
    if len(left.parts) != 2 or (left.spoken and not _asks_ratio(case)):
        return undecided("proportion")
    one = Scalar(Num(1))
    return _crossed(left.parts[0], left.parts[1], right, one, case)


def number_and_proportion(left: Scalar, right: Proportion, case: Case) -> Comparison:
    """The reference is the quotient."""
    return proportion_and_number(right, left, case)
