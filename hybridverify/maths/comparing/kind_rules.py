"""The decision table over pairs of kinds, the reference first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from hybridverify.maths.algebra.nodes import Const, Mul, Num, Pow
from hybridverify.maths.comparing import choice_rules as chosen
from hybridverify.maths.comparing import clock_rules as timed
from hybridverify.maths.comparing import condition_rules as conditional
from hybridverify.maths.comparing import congruence_rules as classes
from hybridverify.maths.comparing import equation_rules as equations
from hybridverify.maths.comparing import list_rules as lists
from hybridverify.maths.comparing import matrix_rules as arrays
from hybridverify.maths.comparing import quantity_rules as measured
from hybridverify.maths.comparing import relation_rules as relations
from hybridverify.maths.comparing import scalar_rules as single
from hybridverify.maths.comparing import solutions
from hybridverify.maths.comparing import word_rules as spoken
from hybridverify.maths.comparing.number_rules import likened
from hybridverify.maths.comparing.piece_rules import cases
from hybridverify.maths.comparing.restatements import by_alternatives
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.values.kinds import (
    BaseNumber,
    Cases,
    Clock,
    Congruence,
    Date,
    Degrees,
    Dots,
    FiniteSet,
    Letter,
    Listing,
    Matrix,
    Money,
    Named,
    NumberSet,
    Percent,
    Proportion,
    Qualified,
    Quantity,
    RealSet,
    Relation,
    Rough,
    Scalar,
    SetExpression,
    Text,
    Tuple,
    Value,
)

Rule: TypeAlias = Callable[[Any, Any, Case], Comparison]


def _turned(rule: Rule, kind: type, *others: type) -> dict[tuple[type, type], Rule]:
    """The rule for a kind and each of some others, and for the pair the other way round."""
    pairs = {(kind, other): rule for other in others}
    return pairs | {(other, kind): lambda left, right, case: rule(right, left, case) for other in others}


def _alike(rule: Rule, kind: type, *others: type) -> dict[tuple[type, type], Rule]:
    """A rule that takes a kind and each of some others in either order."""
    return dict.fromkeys([pair for other in others for pair in ((kind, other), (other, kind))], rule)


_TABLE: dict[tuple[type, type], Rule] = {
    (Scalar, Scalar): measured.numbers,
    (Percent, Percent): single.percents,
    (Percent, Scalar): single.percent_and_number,
    (Scalar, Percent): single.number_and_percent,
    (Degrees, Degrees): single.angles,
    (Degrees, Scalar): single.angle_and_number,
    (Scalar, Degrees): single.number_and_angle,
    (Quantity, Quantity): measured.quantities,
    (Quantity, Scalar): measured.quantity_and_number,
    (Scalar, Quantity): measured.number_and_quantity,
    (Money, Money): single.amounts,
    (Money, Quantity): single.amount_and_quantity,
    (Quantity, Money): single.quantity_and_amount,
    (BaseNumber, BaseNumber): single.based,
    (BaseNumber, Scalar): single.based_and_number,
    (Scalar, BaseNumber): single.number_and_based,
    (Proportion, Proportion): single.proportions,
    (Clock, Clock): timed.clocks,
    (Clock, Proportion): timed.clock_and_proportion,
    (Proportion, Clock): timed.proportion_and_clock,
    (Date, Date): timed.dates,
    (Letter, Letter): spoken.letters,
    (Letter, Listing): chosen.letter_and_listing,
    (Listing, Letter): chosen.listing_and_letter,
    (Letter, Scalar): spoken.letter_and_scalar,
    (Scalar, Letter): spoken.scalar_and_letter,
    (Text, Text): spoken.texts,
    (Text, Letter): spoken.text_and_letter,
    (Letter, Text): spoken.letter_and_text,
    (Tuple, Tuple): lists.tuples,
    (Tuple, Listing): lists.tuple_and_listing,
    (Listing, Tuple): lists.listing_and_tuple,
    (Tuple, Matrix): arrays.tuple_and_matrix,
    (Matrix, Tuple): arrays.matrix_and_tuple,
    (Matrix, Matrix): arrays.matrices,
    (Listing, Listing): lists.listings,
    (FiniteSet, FiniteSet): lists.finite_sets,
    (FiniteSet, Tuple): lists.set_and_tuple,
    (FiniteSet, Listing): lists.set_and_listing,
    (Listing, FiniteSet): lists.listing_and_set,
    (RealSet, RealSet): relations.real_set_pair,
    (Scalar, RealSet): relations.number_and_range,
    (RealSet, Listing): relations.set_and_intervals,
    (Listing, RealSet): relations.intervals_and_set,
    (Listing, Matrix): arrays.listing_and_matrix,
    (Matrix, Listing): arrays.matrix_and_listing,
    (NumberSet, NumberSet): relations.number_sets,
    (SetExpression, SetExpression): relations.set_expressions,
    (Relation, Relation): equations.relations,
    (Relation, Named): equations.relation_and_named,
    (Named, Relation): equations.named_and_relation,
    (Scalar, Relation): equations.scalar_and_relation,
    (Relation, Scalar): equations.relation_and_scalar,
    (Named, Named): relations.named_pair,
    (Congruence, Congruence): classes.congruences,
    (Scalar, Congruence): classes.number_and_congruence,
    **dict.fromkeys(((Relation, Listing), (Relation, FiniteSet)), solutions.equation_and_roots),
    (Congruence, Named): solutions.congruence_and_progression,
    (Named, Congruence): solutions.progression_and_congruence,
    (Congruence, Scalar): solutions.congruence_and_formula,
    (Qualified, Qualified): conditional.qualified,
    (Cases, Cases): cases,
    (Dots, Dots): lists.dots,
    **_alike(likened, Percent, Money),
    **_alike(single.amount_and_number, Money, Scalar),
    **_alike(relations.sets, RealSet, Tuple, NumberSet, FiniteSet),
    **_alike(relations.sets, NumberSet, Tuple),
    **_alike(relations.number_and_set, Scalar, NumberSet),
    **_turned(single.proportion_and_number, Proportion, Scalar),
    **_turned(lists.limits_and_range, Tuple, Proportion),
    **_turned(timed.clock_and_number, Clock, Scalar),
    **_turned(timed.duration_and_clock, Quantity, Clock),
    **_turned(spoken.text_and_value, Text, Tuple, Listing, RealSet, NumberSet),
    **_turned(spoken.text_and_scalar, Text, Scalar),
    **_turned(lists.set_and_text, FiniteSet, Text),
}


def without_radian(value: Value) -> Value:
    """A number of radians is a plain number."""
    if isinstance(value, Quantity) and value.unit.dimension == (("radian", 1),):
        return value.value
    return value


def _is_in_radians(value: Value) -> bool:
    return without_radian(value) is not value


def _told_radian(value: Value) -> Value:
    """Beside a degree sign the word `rad` says what no bare number may: 45 rad is not 45 degrees."""
    if isinstance(value, Quantity) and value.unit.dimension == (("radian", 1),):
        return Scalar(Mul((value.value.node, Num(180), Pow(Const("pi"), Num(-1)), Const("deg"))))
    return value


def compare_values(left: Value, right: Value, case: Case) -> Comparison:
    """Two values, the reference first."""
    if type(left) is Scalar is type(right):
        return measured.numbers(left, right, case)  # most values are plain numbers
    if isinstance(left, Degrees) or isinstance(right, Degrees):
        left, right = _told_radian(left), _told_radian(right)
    elif case.asks("degree") and _is_in_radians(left) != _is_in_radians(right):
        return undecided("degrees")
    left, right = without_radian(left), without_radian(right)
    rule = _TABLE.get((type(left), type(right)))
    return _with_any_kind(left, right, case) if rule is None else rule(left, right, case)


def _with_any_kind(left: Value, right: Value, case: Case) -> Comparison:
    """A pair that has no rule of its own: by the first kind of `_WITH_ANY_KIND` that one of the two is."""
    for kind, on_the_left, on_the_right in _WITH_ANY_KIND:
        if isinstance(left, kind):
            return on_the_left(left, right, case)
        if isinstance(right, kind):
            return on_the_right(left, right, case)
    return undecided(f"{type(left).__name__} and {type(right).__name__}")


def _rough_reference(left: Rough, right: Value, case: Case) -> Comparison:
    """A reference may be rough."""
    result = case.same(left.value, right.value if isinstance(right, Rough) else right)
    return equal("rounding") if result.equal else undecided("rounding")


def _rough_answer(_left: Value, _right: Rough, _case: Case) -> Comparison:
    """A rough answer to an exact reference is not exact."""
    return undecided("rounding")


_WITH_ANY_KIND: tuple[tuple[type, Rule, Rule], ...] = (
    (Rough, _rough_reference, _rough_answer),
    (Qualified, conditional.qualified_and_value, conditional.value_and_qualified),
    (Named, relations.named_and_value, relations.value_and_named),
    (FiniteSet, lists.single_elements, lists.single_elements),
    (Listing, by_alternatives, by_alternatives),
)
"""Kinds that may stand beside any other: the rule for one as the reference, and for one as the answer."""
