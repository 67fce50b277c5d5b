"""Comparing single values: percentages, angles, money, numbers in other bases, proportions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

from hybridverify.language.lexicon.phrases import phrases
from hybridverify.maths.algebra.nodes import (
    Add,
    Const,
    Mul,
    Num,
    has_call,
    is_told_in_radians,
    quotient,
)
from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.comparing.number_rules import is_turned, likened, scalars
from hybridverify.maths.comparing.quantity_rules import quantities
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    all_of,
    different,
    equal,
    in_order,
    softened,
    undecided,
)
from hybridverify.maths.parsing.texts import base_of
from hybridverify.maths.values.kinds import (
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

_TEN = 10
_OTHER_BASE = (
    "base",
    "binary",
    "octal",
    "hex",
    "digit",
    "numeral",
    "_",
    "convert",
    "write",
    "express",
    "进制",
)
"""What a question has where numbers may be written in another base than ten."""
_RATIO_OF = phrases("phrases", "ratio")
_MAX_QUESTION = 20_000
_BLANKS = str.maketrans("-$.,;:?!()[]{}\\", " " * 15)
_TURN, _TURN_DEGREES = 1e-6, 360
_INVERSES = frozenset(("arcsin", "arccos", "arctan", "arccot"))


def percents(left: Percent, right: Percent, case: Case) -> Comparison:
    """Both with a sign."""
    if scalars(left.value, right.value, case).equal:
        return equal("percent")
    return likened(left, right, case)


def percent_and_number(left: Percent, right: Scalar, case: Case) -> Comparison:
    """The reference has the sign: p/100, or p itself."""
    return _across_percent(left, right, left.value, case)


def number_and_percent(left: Scalar, right: Percent, case: Case) -> Comparison:
    """The response has the sign: p/100; p itself only where the question asks for a percentage."""
    return _across_percent(left, right, right.value, case)


def _across_percent(
    left: Percent | Scalar, right: Percent | Scalar, percent: Scalar, case: Case
) -> Comparison:
    found = likened(left, right, case)
    if found.outcome != "undecided" or case.conventions.percent == "strict" or percent.exact is not None:
        return found
    share = Scalar(quotient(percent.node, Num(100)))  # a formula before the sign
    pair = (share, right) if isinstance(left, Percent) else (left, share)
    first, second = pair
    if not isinstance(first, Scalar) or not isinstance(second, Scalar):
        return found
    return softened(scalars(first, second, case), "percent")


def angles(left: Degrees, right: Degrees, case: Case) -> Comparison:
    """Both with a degree sign; whole turns apart, they may be one direction."""
    result = scalars(left.value, right.value, case)
    whole = result.outcome == "different" and is_turned(left.value.node, right.value.node, _TURN_DEGREES)
    return undecided("turns") if whole else result


def angle_and_number(left: Degrees, right: Scalar, case: Case) -> Comparison:
    """A bare number counts degrees; with pi in it, it is in radians."""
    return _angle(left, right, (left.value, right), case)


def number_and_angle(left: Scalar, right: Degrees, case: Case) -> Comparison:
    """As above, the reference bare."""
    return _angle(right, left, (left, right.value), case)


def _angle(degrees: Degrees, bare: Scalar, pair: tuple[Scalar, Scalar], case: Case) -> Comparison:
    if case.conventions.degrees == "strict" or (bare.measured and bare.measured.unit.known):
        return undecided("degrees")
    turned = scalars(*_in_radians(pair, degrees), case)
    if is_told_in_radians(bare.node):
        return equal("degrees") if turned.equal else _unless_whole_turns(turned, pair, degrees)
    result = scalars(*pair, case)
    if result.equal or (turned.equal and has_call(bare.node, _INVERSES)):
        return equal("degrees")  # arctan 1 is pi/4 in radians and 45 in degrees
    return result if turned.outcome == "different" else undecided("degrees")


def _unless_whole_turns(result: Comparison, pair: tuple[Scalar, Scalar], degrees: Degrees) -> Comparison:
    """Angles that are half turns apart may be meant by one another."""
    values = [constant(value.node) for value in _in_radians(pair, degrees)]
    if values[0] is None or values[1] is None:
        return undecided("degrees")
    halves = (values[0] - values[1]) / math.pi
    return result if abs(halves - round(halves)) > _TURN else undecided("degrees")


def _in_radians(pair: tuple[Scalar, Scalar], degrees: Degrees) -> tuple[Scalar, Scalar]:
    radians = Scalar(Mul((degrees.value.node, Const("deg"))))
    return (radians, pair[1]) if pair[0] is degrees.value else (pair[0], radians)


def amounts(left: Money, right: Money, case: Case) -> Comparison:
    """Two currency signs must agree."""
    found = likened(left, right, case)
    if found.outcome != "undecided" or (left.sign != right.sign and case.conventions.currency == "agree"):
        return found
    return softened(scalars(left.value, right.value, case), "currency")


def amount_and_number(left: Money | Scalar, right: Money | Scalar, case: Case) -> Comparison:
    """A sign may be dropped or added; letters that may be a unit (`5 m^2`) are no amount of money."""
    found = likened(left, right, case)
    bare = [value.value if isinstance(value, Money) else value for value in (left, right)]
    if found.outcome == "different":
        return found
    if any(number.measured for number in bare):
        return undecided("currency")
    return softened(scalars(bare[0], bare[1], case), "currency")


def amount_and_quantity(left: Money, right: Quantity, case: Case) -> Comparison:
    """`$0.05` and `5 cents`."""
    if left.sign == "£" and right.unit.words == ("pound",):
        return softened(scalars(left.value, right.value, case), "currency")
    if left.sign != "$" or right.unit.dimension != (("USD", 1),):
        return undecided("currency")
    dollars = Unit(right.unit.dimension, Fraction(1), known=True)
    return softened(quantities(Quantity(left.value, dollars), right, case), "currency")


def quantity_and_amount(left: Quantity, right: Money, case: Case) -> Comparison:
    """As above, the reference in words."""
    if right.sign == "£" and left.unit.words == ("pound",) and case.asks("£", "\\pounds"):
        return softened(scalars(left.value, right.value, case), "currency")
    if right.sign != "$" or left.unit.dimension != (("USD", 1),):
        return undecided("currency")
    dollars = Unit(left.unit.dimension, Fraction(1), known=True)
    return softened(quantities(left, Quantity(right.value, dollars), case), "currency")


def based(left: BaseNumber, right: BaseNumber, case: Case) -> Comparison:
    """Equal digits in an equal base; value across bases would pay for the question's own number."""
    if left == right:
        return equal()
    return undecided("base") if left.by_place == right.by_place else different("base")


def _with_base(number: BaseNumber, bare: Scalar) -> Comparison:
    """The number is neither these digits nor this value."""
    value, digits = bare.exact, _digits(bare)
    if (
        value is None
        or not number.is_numeral
        or not digits
        or digits == number.digits
        or value == number.by_place
    ):
        return undecided("base")
    return undecided("base") if digits.startswith(number.digits) else different("base")


def based_and_number(left: BaseNumber, right: Scalar, case: Case) -> Comparison:
    """The suffix may be dropped with equal digits."""
    same = left.is_numeral and _digits(right) == left.digits
    if case.conventions.base == "drop_suffix" and same and _is_asked(left, case):
        return equal("base")
    return _with_base(left, right)


def number_and_based(left: Scalar, right: BaseNumber, case: Case) -> Comparison:
    """A suffix may be added where the question speaks of a base, and a ten where it speaks of none."""
    dropped = case.conventions.base == "drop_suffix" and _digits(left) == right.digits and right.is_numeral
    if dropped and case.asks("base") and _is_asked(right, case):
        return equal("base")
    if dropped and right.base == _TEN and case.question and not case.asks(*_OTHER_BASE):
        return equal("base")
    return _with_base(right, left)


def _is_asked(number: BaseNumber, case: Case) -> bool:
    """False where the question names bases, and this one is not among them."""
    words = case.question[:_MAX_QUESTION].lower().translate(_BLANKS).split()
    named = {base_of(word) for before, word in pairwise(words) if before == "base"} - {0}
    return not named or number.base in named


def _digits(scalar: Scalar) -> str:
    exact = scalar.exact
    if exact is None or exact.denominator != 1 or scalar.digits >= 0 or exact < 0:
        return ""
    return str(exact)


def proportions(left: Proportion, right: Proportion, case: Case) -> Comparison:
    """Equal up to a common factor. Of another number of parts they differ, if nobody has left out a 1."""
    if len(left.parts) != len(right.parts):
        return (
            different("other parts")
            if _are_counted(left) and _are_counted(right)
            else undecided("proportion")
        )
    mine, theirs = left.parts, right.parts
    if left.spoken and right.spoken and not _asks_ratio(case):  # two ranges
        result = in_order(mine, theirs, case, "range")
        return equal("range") if result.equal else undecided("proportion")
    pairs = list(zip(mine[1:], theirs[1:], strict=True))
    result = all_of([_crossed(mine[0], one, theirs[0], other, case) for one, other in pairs], "proportion")
    if result.outcome != "different" or _RATIO_OF.search(case.question[:_MAX_QUESTION]):
        return result
    return result if _differ_when_turned(mine[0], theirs[0], pairs, case) else undecided("proportion")


def _are_counted(proportion: Proportion) -> bool:
    """Plain numbers above 0, by signs: a range in words has two of them as well."""
    numbers = [constant(part.node) for part in proportion.parts if isinstance(part, Scalar)]
    return (
        not proportion.spoken
        and len(numbers) == len(proportion.parts)
        and all(number and number > 0 for number in numbers)
    )


def _differ_when_turned(mine: Value, theirs: Value, pairs: list[tuple[Value, Value]], case: Case) -> bool:
    """Are they another proportion in the opposite order as well?"""
    turned = [_crossed(mine, one, other, theirs, case) for one, other in pairs]
    return any(result.outcome == "different" for result in turned)


def _asks_ratio(case: Case) -> bool:
    return case.asks("ratio", "odds", "proportion")


def _are_odds(case: Case) -> bool:
    """Where a probability is asked for, 1:6 may be the odds of one in seven."""
    return case.asks("probability", "chance") and not case.asks("ratio")


def _crossed(a: Value, b: Value, c: Value, d: Value, case: Case) -> Comparison:
    parts = [part.node for part in (a, b, c, d) if isinstance(part, Scalar)]
    if len(parts) != 4:
        return undecided("proportion")
    left, right = Scalar(Mul((parts[0], parts[3]))), Scalar(Mul((parts[1], parts[2])))
    result = scalars(left, right, case)
    return equal("proportion") if result.equal else result


def proportion_and_number(left: Proportion, right: Scalar, case: Case) -> Comparison:
    """`5:8` is 5/8; it may be told as 8/5 or as the share of one part, and then nothing is sure."""
    if len(left.parts) != 2 or (left.spoken and not _asks_ratio(case)) or _are_odds(case):
        return undecided("proportion")
    one, (first, second) = Scalar(Num(1)), left.parts
    result = _crossed(first, second, right, one, case)
    if result.outcome != "different" or not isinstance(first, Scalar) or not isinstance(second, Scalar):
        return result
    both = Scalar(Add((first.node, second.node)))
    others = ((second, first), (first, both), (second, both))
    apart = all(_crossed(top, bottom, right, one, case).outcome == "different" for top, bottom in others)
    return result if apart else undecided("proportion")
