"""Comparing quantities: conversion between units, and when a unit may be left out."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.language.asked import read_question
from hybridverify.maths.algebra.nodes import Mul, Num, symbols
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.comparing.number_rules import likened, scalars
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, softened, undecided
from hybridverify.maths.comparing.stated_amounts import is_stated, measures_another, units_asked
from hybridverify.maths.units.measures import (
    LETTERS,
    has_other_kinds,
    in_other_meaning,
    is_asked_in,
    is_physical,
    may_be_unit_ratio,
    plain_words,
    unit_of_letters,
)
from hybridverify.maths.units.si import size_of
from hybridverify.maths.units.temperatures import told_in
from hybridverify.maths.values.kinds import Quantity, Scalar, Unit, Value

_CENT, _DOLLARS = Fraction(1, 100), (("USD", 1),)
_ACCELERATION = (("length", 1), ("time", -2))


def quantities(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """Both with a unit: the same, or converted exactly."""
    mine, theirs = left.unit, right.unit
    if case.conventions.units == "drop":
        return softened(scalars(left.value, right.value, case), "units")
    if (mine.dimension, mine.factor) == (theirs.dimension, theirs.factor):
        stated = right.compound and not left.compound and is_stated(right, case.question)
        return undecided("units") if stated else _measured(left, right, case)
    if not (mine.known and theirs.known):
        return undecided("units")
    if mine.words != theirs.words and "".join(mine.words) == "".join(theirs.words):  # `2mg` and `2 m g`
        result = scalars(left.value, right.value, case)
        return result if result.outcome == "different" else undecided("units")
    if mine.dimension != theirs.dimension:
        return _temperatures(left, right, case) or _of_other_dimension(left, right, case)
    return _converted(left, right, case)


def numbers(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Two numbers; `22 mA` and `0.022 A` also where their letters are units, which `2 N m` and `2 mN` have not in
    common."""
    result = scalars(left, right, case)
    if left.measured is None or right.measured is None:
        return _beside_bare_number(result, left, right, case)
    told = quantities(left.measured, right.measured, case)
    if result.equal:
        return undecided("units") if told.outcome == "different" and _names_none(left, case) else result
    if told.outcome == "different" and result.outcome == "undecided" and _are_units(left, right, case):
        return told
    return equal("units") if told.equal else result


def _beside_bare_number(result: Comparison, left: Scalar, right: Scalar, case: Case) -> Comparison:
    """`20 m/s` and a bare 20: other expressions in the letters, but maybe one speed."""
    measured = left.measured or right.measured
    meant = None if right.measured is None else _in_asked_unit(left, right.measured, case)
    if meant is not None and right.measured is not None:
        return _in_unit_meant(meant, right.measured, case)
    if result.outcome != "different" or measured is None or (symbols(left.node) and symbols(right.node)):
        return result
    told = _in_no_unit(measured, left.measured or left, right.measured or right, case)
    return result if told.outcome == "different" else told


def _are_units(left: Scalar, right: Scalar, case: Case) -> bool:
    """Are letters beside a number its unit? A question that is known and has none of them leaves nothing else, but
    one letter alone, if it is no usual unit of both, may be more: `300 K` may be thousands."""
    mine, theirs = symbols(left.node), symbols(right.node)
    several = max(len(mine), len(theirs)) > 1 or (mine == theirs and mine <= LETTERS.keys())
    return (
        several and bool(case.question) and not any(mentions(case.question, name) for name in mine | theirs)
    )


def _names_none(number: Scalar, case: Case) -> bool:
    """Is none of its letters, a capital among them, one of the question's formulas? Then `2 N m` and `2 mN` are no
    product of two letters, as `3mn` and `3nm` are."""
    names = symbols(number.node)
    formulas = " ".join(read_question(case.question).formulas)
    return any(map(str.isupper, names)) and not any(
        name in formulas or mentions(case.question, name) for name in names
    )


def _measured(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """Two numbers of one unit: nobody measures without rounding, and no power of ten is left open."""
    result = scalars(left.value, right.value, case)
    return result if result.equal or symbols(right.value.node) else likened(left, right, case)


def _temperatures(left: Quantity, right: Quantity, case: Case) -> Comparison | None:
    """On two scales: different where neither two temperatures nor two differences can be one."""
    exact = right.value.exact
    told = None if exact is None else told_in(Fraction(exact), right.unit, left.unit)
    wanted = constant(left.value.node)
    if told is None or wanted is None:
        return None
    as_difference = case.speaks_of("temperature_change")
    if scalars(left.value, Scalar(Num(told[as_difference])), case).equal:
        return undecided("units") if is_stated(right, case.question) else equal("units")
    near = any(abs(one - wanted) <= max(1.0, abs(wanted) / 100) for one in map(float, told))
    return undecided("units") if near else different("units")


def _of_other_dimension(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """Metres are no seconds, unless a rate, a letter beside the number or another meaning of its unit explains it."""
    if _is_in_gravity(left.unit, right.unit) or _is_in_gravity(right.unit, left.unit):
        return undecided("units")
    for one, other in ((left, right), (right, left)):
        unit = in_other_meaning(one.unit)
        if unit is not None and unit.dimension == other.unit.dimension:
            meant = Quantity(one.value, unit)
            pair = (meant, right) if one is left else (left, meant)
            return softened(quantities(*pair, case), "units")
    return different("units") if _measure_others(left, right, case) else undecided("units")


def _measure_others(left: Quantity, right: Quantity, case: Case) -> bool:
    if not is_physical(left.unit) or not is_physical(right.unit):
        return False
    return not (_has_letters(left) or _has_letters(right) or _is_told_by_rate(left, right, case))


def _is_in_gravity(one: Unit, other: Unit) -> bool:
    """`3g` beside an acceleration: so many times the one of gravity, and no grams."""
    return one.words == ("g",) and other.dimension == _ACCELERATION


def _converted(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """The numbers, with the right one in the unit of the left."""
    if case.conventions.units == "same":
        return undecided("units")
    rate = right.unit.factor / left.unit.factor
    exact = right.value.exact
    node = Mul((Num(rate), right.value.node)) if exact is None else Num(exact * rate)
    result = scalars(left.value, Scalar(node), case)
    if result.reason == "scale":  # both say what they count
        result = different("units")
    if result.outcome == "different" and _may_agree(left, right, Scalar(node)):
        return undecided("units")
    if result.equal and is_stated(right, case.question):
        return undecided("units")  # the amount that was to be converted
    return equal("units") if result.equal else result


def _has_letters(value: Quantity) -> bool:
    """A letter beside the number may be one more unit: `3 m s^-1 per second`."""
    return bool(symbols(value.value.node))


def _is_told_by_rate(left: Quantity, right: Quantity, case: Case) -> bool:
    """Is the response the reference for each of the question's days or hours: 900 ml/day, asked for one day?"""
    for word in right.unit.words:
        kind, size = size_of(word) or ("", Fraction(0))
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
    told = _quantity_in_letters(right)
    if told is not None:
        return quantities(left, told, case)
    if not plain_words(left.unit, case.question) or _counts_unasked(left, case) or _is_unnamed(left, case):
        return undecided("units")
    result = scalars(left.value, right, case)
    return equal("units") if result.equal else _in_no_unit(left, left, right, case)


def number_and_quantity(left: Scalar, right: Quantity, case: Case) -> Comparison:
    """The reference is bare: the response's unit may be dropped if it is a plain one."""
    told = _quantity_in_letters(left)
    if told is not None:
        return quantities(told, right, case)
    same = scalars(left, right.value, case).equal
    if same and len(right.unit.words) == 1 and _may_be_dropped(right, case):
        return equal("units")
    meant = _in_asked_unit(left, right, case)
    if meant is not None:
        return _in_unit_meant(meant, right, case)
    if same:
        return equal("units") if _may_be_dropped(right, case) else undecided("units")
    if _is_price(left, right, case):
        return equal("currency")
    return _in_no_unit(right, left, right, case)


def _may_be_dropped(value: Quantity, case: Case) -> bool:
    """Is the unit a plain one, and the amount neither the question's nor told in parts that nobody asks for?"""
    if not plain_words(value.unit, case.question) or _counts_unasked(value, case):
        return False
    if measures_another(value.unit, case.question):
        return False
    stated = value.compound and is_stated(value, case.question)
    return not stated and not _is_unnamed(value, case)


def _is_price(number: Scalar, told: Quantity, case: Case) -> bool:
    """12.5 as `12 dollars and 50 cents`, where nobody asks for cents."""
    rest = told.unit.factor
    if not told.compound or rest != _CENT or told.unit.dimension != _DOLLARS or case.asks("cent", "¢"):
        return False
    return told.value.exact is not None and scalars(number, Scalar(Num(told.value.exact * rest)), case).equal


def _in_asked_unit(number: Scalar, other: Quantity, case: Case) -> Quantity | None:
    """A bare reference in the one unit that the question asks for, of those that measure what the answer does."""
    if not case.question or other.compound or not is_physical(other.unit) or symbols(number.node):
        return None
    units = [unit for unit in units_asked(case.question) if unit.dimension == other.unit.dimension]
    return Quantity(number, units[0]) if len(units) == 1 else None


def _in_unit_meant(left: Quantity, right: Quantity, case: Case) -> Comparison:
    """Open where the number is the reference's and its unit another one: a slip of the pen, or another amount."""
    result = quantities(left, right, case)
    slip = result.outcome == "different" and scalars(left.value, right.value, case).equal
    return undecided("units") if slip else result


def _is_unnamed(value: Quantity, case: Case) -> bool:
    """A temperature on a scale that the question does not name: a bare number may count other degrees."""
    on_scale = told_in(Fraction(0), value.unit, value.unit) is not None
    return (
        on_scale
        and bool(case.question)
        and not case.asks("celsius", "fahrenheit", "kelvin", "°", "circ", "degree")
    )


def _in_no_unit(measured: Quantity, left: Value, right: Value, case: Case) -> Comparison:
    """A unit on one side alone: `different` where the bare number is the other in no unit at all."""
    pair = [value.value if isinstance(value, Quantity) else value for value in (left, right)]
    if likened(pair[0], pair[1], case).outcome != "different":
        return undecided("units")
    numbers = [constant(value.node) for value in pair if isinstance(value, Scalar)]
    one, other = numbers[0] or 0.0, numbers[1] or 0.0
    return undecided("units") if _may_be_in_unit(measured.unit, one, other) else different("units")


def _may_be_in_unit(unit: Unit, one: float, other: float) -> bool:
    """Does some unit of the kind lie between the two numbers? Zero is zero in all of them."""
    if not one or not other or _is_counted_in_units(unit):
        return one == other
    return may_be_unit_ratio(unit, abs(other / one))


def _is_counted_in_units(unit: Unit) -> bool:
    """Square and cubic units, whatever they are, are what the bare number counts."""
    return len(unit.dimension) == 1 and unit.dimension[0][0] == "unit" and unit.dimension[0][1] > 1


def _quantity_in_letters(number: Scalar) -> Quantity | None:
    letters = unit_of_letters(number.node)
    return number.measured if letters is None else Quantity(Scalar(letters[0]), letters[1])


def _counts_unasked(value: Quantity, case: Case) -> bool:
    """`2 hours 30 minutes` is a bare 150 only where the question asks for minutes."""
    return value.compound and not is_asked_in(value.unit, case.question)
