"""The decision table over pairs of kinds, reference first, and the comparison of two texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.nodes import Const, Mul, Num, Pow
from hybridverify.maths.algebra.products import other_product
from hybridverify.maths.comparing import choice_rules as chosen
from hybridverify.maths.comparing import condition_rules as conditional
from hybridverify.maths.comparing import equation_rules as equations
from hybridverify.maths.comparing import list_rules as lists
from hybridverify.maths.comparing import quantity_rules as measured
from hybridverify.maths.comparing import relation_rules as relations
from hybridverify.maths.comparing import scalar_rules as single
from hybridverify.maths.comparing import solutions
from hybridverify.maths.comparing import word_rules as spoken
from hybridverify.maths.comparing.difference import proved_difference
from hybridverify.maths.comparing.doubts import may_be_read_otherwise, rearranged
from hybridverify.maths.comparing.number_rules import is_tolerated, likened
from hybridverify.maths.comparing.offered import by_offer
from hybridverify.maths.comparing.piece_rules import cases
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.comparing.setting import setting_of
from hybridverify.maths.comparing.two_readings import is_negated, ways_to_read
from hybridverify.maths.limits import Unread
from hybridverify.maths.parsing.reading import Reading, answer_reading, reading_of, reference_reading
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
    Unreadable,
    Value,
)

Rule: TypeAlias = Callable[[Any, Any, Case], Comparison]


def _turned(rule: Rule) -> Rule:
    """The rule for a pair the other way round."""
    return lambda left, right, case: rule(right, left, case)


_TABLE: dict[tuple[type, type], Rule] = {
    (Scalar, Scalar): measured.numbers,
    (Percent, Percent): single.percents,
    (Percent, Scalar): single.percent_and_number,
    (Percent, Money): likened,
    (Money, Percent): likened,
    (Scalar, Percent): single.number_and_percent,
    (Degrees, Degrees): single.angles,
    (Degrees, Scalar): single.angle_and_number,
    (Scalar, Degrees): single.number_and_angle,
    (Quantity, Quantity): measured.quantities,
    (Quantity, Scalar): measured.quantity_and_number,
    (Scalar, Quantity): measured.number_and_quantity,
    (Money, Money): single.amounts,
    (Money, Scalar): single.amount_and_number,
    (Scalar, Money): single.amount_and_number,
    (Money, Quantity): single.amount_and_quantity,
    (Quantity, Money): single.quantity_and_amount,
    (BaseNumber, BaseNumber): single.based,
    (BaseNumber, Scalar): single.based_and_number,
    (Scalar, BaseNumber): single.number_and_based,
    (Proportion, Proportion): single.proportions,
    (Proportion, Scalar): single.proportion_and_number,
    (Scalar, Proportion): _turned(single.proportion_and_number),
    (Clock, Clock): spoken.clocks,
    (Clock, Proportion): spoken.clock_and_proportion,
    (Proportion, Clock): spoken.proportion_and_clock,
    (Clock, Scalar): spoken.clock_and_number,
    (Scalar, Clock): _turned(spoken.clock_and_number),
    (Date, Date): spoken.dates,
    (Letter, Letter): spoken.letters,
    (Letter, Listing): chosen.letter_and_listing,
    (Listing, Letter): chosen.listing_and_letter,
    (Letter, Scalar): spoken.letter_and_scalar,
    (Scalar, Letter): spoken.scalar_and_letter,
    (Text, Text): spoken.texts,
    (Text, Letter): spoken.text_and_letter,
    (Letter, Text): spoken.letter_and_text,
    (Text, Tuple): spoken.text_and_value,
    (Text, Listing): spoken.text_and_value,
    (Text, RealSet): spoken.text_and_value,
    (Listing, Text): _turned(spoken.text_and_value),
    (Tuple, Text): _turned(spoken.text_and_value),
    (RealSet, Text): _turned(spoken.text_and_value),
    (Text, Scalar): spoken.text_and_scalar,
    (Scalar, Text): _turned(spoken.text_and_scalar),
    (Tuple, Tuple): lists.tuples,
    (Tuple, Listing): lists.tuple_and_listing,
    (Listing, Tuple): lists.listing_and_tuple,
    (Tuple, Matrix): lists.tuple_and_matrix,
    (Matrix, Tuple): lists.matrix_and_tuple,
    (Matrix, Matrix): lists.matrices,
    (Listing, Listing): lists.listings,
    (FiniteSet, FiniteSet): lists.finite_sets,
    (FiniteSet, Listing): lists.set_and_listing,
    (Listing, FiniteSet): lists.listing_and_set,
    (FiniteSet, Text): lists.set_and_text,
    (Text, FiniteSet): _turned(lists.set_and_text),
    (RealSet, RealSet): relations.real_set_pair,
    (RealSet, Listing): relations.set_and_intervals,
    (Listing, RealSet): relations.intervals_and_set,
    (Listing, Matrix): lists.listing_and_matrix,
    (Matrix, Listing): lists.matrix_and_listing,
    (RealSet, Tuple): relations.sets,
    (Tuple, RealSet): relations.sets,
    (RealSet, NumberSet): relations.sets,
    (NumberSet, RealSet): relations.sets,
    (NumberSet, Tuple): relations.sets,
    (Tuple, NumberSet): relations.sets,
    (RealSet, FiniteSet): relations.sets,
    (FiniteSet, RealSet): relations.sets,
    (NumberSet, NumberSet): relations.number_sets,
    (Scalar, NumberSet): relations.number_and_set,
    (NumberSet, Scalar): relations.number_and_set,
    (SetExpression, SetExpression): relations.set_expressions,
    (Relation, Relation): equations.relations,
    (Relation, Named): equations.relation_and_named,
    (Named, Relation): equations.named_and_relation,
    (Scalar, Relation): equations.scalar_and_relation,
    (Relation, Scalar): equations.relation_and_scalar,
    (Named, Named): relations.named_pair,
    (Congruence, Congruence): relations.congruences,
    (Scalar, Congruence): relations.number_and_congruence,
    **dict.fromkeys(((Relation, Listing), (Relation, FiniteSet)), solutions.equation_and_roots),
    (Congruence, Named): solutions.congruence_and_progression,
    (Named, Congruence): solutions.progression_and_congruence,
    (Qualified, Qualified): conditional.qualified,
    (Cases, Cases): cases,
    (Dots, Dots): lists.dots,
}
_FORM_WORDS = ("simplify", "simplest", "factor", "expand", "lowest terms", "reduced")


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
)
"""Kinds that may stand beside any other: the rule for one as the reference, and for one as the answer."""


@lru_cache(maxsize=1024)  # the rules of a chain ask for the same pair, and so do responses that agree
def compare(reference: str, answer: str, question: str, conventions: Conventions) -> Comparison:
    """Is the answer the reference? Bounded, never raises.

    >>> compare("1/2", "0.5", "", Conventions()).outcome
    'equal'
    >>> compare("7", "8", "", Conventions()).outcome
    'different'
    """
    mine = reference_reading(reference, conventions)
    theirs = answer_reading(answer, conventions)
    return compare_readings(mine, theirs, question, conventions)


def compare_readings(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Comparison:
    """The comparison of what was read; the reference first."""
    decided = (
        _by_notation(mine, theirs, question, conventions)
        or _by_offer(mine, theirs, question)
        or _by_readings(mine, theirs, question, conventions)
    )
    if decided is not None:
        return decided
    case = Case(question, conventions, setting_of(mine, theirs, question, conventions), compare_values)
    try:
        result = compare_values(mine.value, theirs.value, case)
    except Unread as error:
        return undecided(str(error) or "unreadable")
    except (RecursionError, OverflowError):
        return undecided("limit")
    if result.outcome == "undecided":
        result = _proved(result, mine.value, theirs.value, case)
    if result.outcome == "different" and may_be_read_otherwise(mine, theirs, case):
        return undecided("two readings")
    return _reconsidered(result, mine, theirs, case)


def _proved(result: Comparison, mine: Value, theirs: Value, case: Case) -> Comparison:
    """`different` where that can be proved of what the rules leave undecided; of words it cannot."""
    if type(mine) is type(theirs) is Text:
        return result
    proof = proved_difference(mine, theirs, case)
    return proof if proof.outcome == "different" else result


def _by_notation(
    mine: Reading, theirs: Reading, question: str, conventions: Conventions
) -> Comparison | None:
    """What the spelling alone decides, None where the values must."""
    if mine.text and mine.text == theirs.text:
        return equal("same text")
    if other_product(mine.text, theirs.text, question):
        return undecided("order of a product")
    if mine.tokens and mine.tokens == theirs.tokens:
        return equal("same notation")
    value = mine.value
    if isinstance(value, BaseNumber) and theirs.text.upper() == value.digits and value.is_numeral:
        # `4E9` would be read as a power of ten
        return equal("base") if conventions.base == "drop_suffix" else undecided("base")
    return None


def _by_offer(mine: Reading, theirs: Reading, question: str) -> Comparison | None:
    """What words say of two things that the question offers."""
    words = isinstance(theirs.value, Text) and isinstance(mine.value, (Text, Unreadable))
    return by_offer(mine.text, theirs.text, question) if words else None


def _by_readings(
    mine: Reading, theirs: Reading, question: str, conventions: Conventions
) -> Comparison | None:
    """What is left to say where one of the two was not read; None where both were."""
    unread = _unread(mine) or _unread(theirs)
    words = isinstance(mine.value, Text) or isinstance(theirs.value, Text)
    if (unread is not None or words) and is_negated(mine.text, theirs.text):
        return different("negated")
    if unread is None or unread.reason == "limit":
        return unread
    pairs = [(reading_of(text, conventions), theirs) for text in ways_to_read(mine)]
    pairs += [(mine, reading_of(text, conventions)) for text in ways_to_read(theirs)]
    results = [compare_readings(*pair, question, conventions) for pair in pairs]
    apart = results and all(result.outcome == "different" for result in results)
    return different("neither of two readings") if apart else unread


def _unread(reading: Reading) -> Comparison | None:
    if not isinstance(reading.value, Unreadable):
        return None
    return undecided("limit" if reading.value.reason == "limit" else "unreadable")


def _reconsidered(result: Comparison, mine: Reading, theirs: Reading, case: Case) -> Comparison:
    """The outcome by value, unless the question or the spelling casts doubt on it."""
    if result.outcome == "different" and is_tolerated(mine.value, theirs.value, case.question):
        return undecided("tolerance")
    if not result.equal:
        return result
    if rearranged(mine.tokens, theirs.tokens):
        return undecided("words or products")
    if case.conventions.form_sensitive == "on" and case.asks(*_FORM_WORDS):
        return undecided("form_sensitive")
    return result
