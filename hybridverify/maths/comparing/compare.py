"""The decision table over pairs of kinds, reference first, and the comparison of two texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from hybridverify.conventions import Conventions
from hybridverify.maths.algebra.equality import Setting
from hybridverify.maths.algebra.nodes import Const, Mul, Num, Pow, symbols
from hybridverify.maths.algebra.products import (
    inverts_capitals,
    other_product,
    speaks_of_matrices,
    speaks_of_vectors,
)
from hybridverify.maths.comparing import condition_rules as conditional
from hybridverify.maths.comparing import equation_rules as equations
from hybridverify.maths.comparing import list_rules as lists
from hybridverify.maths.comparing import quantity_rules as measured
from hybridverify.maths.comparing import relation_rules as relations
from hybridverify.maths.comparing import scalar_rules as single
from hybridverify.maths.comparing import word_rules as spoken
from hybridverify.maths.comparing.number_rules import is_tolerated, scalars
from hybridverify.maths.comparing.piece_rules import cases
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.vocabulary import VOWELS
from hybridverify.maths.parsing.reading import Reading, reading_of, reference_reading
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

Notation: TypeAlias = tuple[tuple[str, str], ...]
Rule: TypeAlias = Callable[[Any, Any, Case], Comparison]

_TABLE: dict[tuple[type, type], Rule] = {
    (Scalar, Scalar): scalars,
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
    (Money, Scalar): single.amount_and_number,
    (Scalar, Money): single.number_and_amount,
    (Money, Quantity): single.amount_and_quantity,
    (Quantity, Money): single.quantity_and_amount,
    (BaseNumber, BaseNumber): single.based,
    (BaseNumber, Scalar): single.based_and_number,
    (Scalar, BaseNumber): single.number_and_based,
    (Proportion, Proportion): single.proportions,
    (Proportion, Scalar): single.proportion_and_number,
    (Scalar, Proportion): single.number_and_proportion,
    (Clock, Clock): spoken.clocks,
    (Clock, Proportion): spoken.clock_and_proportion,
    (Proportion, Clock): spoken.proportion_and_clock,
    (Clock, Scalar): spoken.clock_and_number,
    (Scalar, Clock): spoken.number_and_clock,
    (Date, Date): spoken.dates,
    (Letter, Letter): spoken.letters,
    (Letter, Scalar): spoken.letter_and_scalar,
    (Scalar, Letter): spoken.scalar_and_letter,
    (Text, Text): spoken.texts,
    (Text, Letter): spoken.text_and_letter,
    (Text, Scalar): spoken.text_and_scalar,
    (Scalar, Text): spoken.scalar_and_text,
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
    (Text, FiniteSet): lists.text_and_set,
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
    (SetExpression, SetExpression): relations.set_expressions,
    (Relation, Relation): equations.relations,
    (Relation, Named): equations.relation_and_named,
    (Named, Relation): equations.named_and_relation,
    (Scalar, Relation): equations.scalar_and_relation,
    (Relation, Scalar): equations.relation_and_scalar,
    (Named, Named): relations.named_pair,
    (Congruence, Congruence): relations.congruences,
    (Scalar, Congruence): relations.number_and_congruence,
    (Qualified, Qualified): conditional.qualified,
    (Cases, Cases): cases,
}
_PLAIN = Setting()
_COMPLEX_WORDS = ("complex", "imaginary", "i^2", "i^{2}", "\\mathbb{c}")
_FORM_WORDS = ("simplify", "simplest", "factor", "expand", "lowest terms", "reduced")
_POSITIVE_WORDS = ("positive", ">0", "> 0", "natural number")


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
    if isinstance(left, Degrees) or isinstance(right, Degrees):
        left, right = _told_radian(left), _told_radian(right)
    elif case.asks("degree") and _is_in_radians(left) != _is_in_radians(right):
        return undecided("degrees")
    left, right = without_radian(left), without_radian(right)
    rule = _TABLE.get((type(left), type(right)))
    if rule is not None:
        return rule(left, right, case)
    if isinstance(left, Dots) and isinstance(right, Dots):
        return equal()
    if isinstance(left, Rough) or isinstance(right, Rough):
        return _rough(left, right, case)
    if isinstance(left, Qualified):
        return conditional.qualified_and_value(left, right, case)
    if isinstance(right, Qualified):
        return conditional.value_and_qualified(left, right, case)
    if isinstance(left, Named):
        return relations.named_and_value(left, right, case)
    if isinstance(right, Named):
        return relations.value_and_named(left, right, case)
    if isinstance(left, FiniteSet) or isinstance(right, FiniteSet):
        return lists.single_elements(left, right, case)
    return undecided(f"{type(left).__name__} and {type(right).__name__}")


def _rough(left: Value, right: Value, case: Case) -> Comparison:
    """A reference may be rough; a rough answer to an exact reference is not exact."""
    if not isinstance(left, Rough):
        return undecided("rounding")
    result = case.same(left.value, right.value if isinstance(right, Rough) else right)
    return equal("rounding") if result.equal else undecided("rounding")


def compare(reference: str, answer: str, question: str, conventions: Conventions) -> Comparison:
    """Is the answer the reference? Bounded, never raises.

    >>> compare("1/2", "0.5", "", Conventions()).outcome
    'equal'
    >>> compare("7", "8", "", Conventions()).outcome
    'different'
    """
    mine = reference_reading(reference, conventions)
    theirs = reading_of(answer, conventions)
    return compare_readings(mine, theirs, question, conventions)


def compare_readings(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Comparison:
    """The comparison of what was read; the reference first."""
    if mine.text and mine.text == theirs.text:
        return equal("same text")
    if other_product(mine.text, theirs.text, question):
        return undecided("order of a product")
    if mine.tokens and mine.tokens == theirs.tokens:
        return equal("same notation")
    if isinstance(mine.value, BaseNumber) and theirs.text.upper() == mine.value.digits:
        # `4E9` would be read as a power of ten
        return equal("base") if conventions.base == "drop_suffix" else undecided("base")
    for reading in (mine, theirs):
        if isinstance(reading.value, Unreadable):
            return undecided(reading.value.reason if reading.value.reason == "limit" else "unreadable")
    case = Case(question, conventions, setting_of(mine, theirs, question, conventions), compare_values)
    try:
        result = compare_values(mine.value, theirs.value, case)
    except Unread as error:
        return undecided(str(error) or "unreadable")
    except (RecursionError, OverflowError):
        return undecided("limit")
    if result.outcome == "different" and is_tolerated(mine.value, theirs.value, question):
        return undecided("tolerance")
    if result.equal and rearranged(mine.tokens, theirs.tokens):
        return undecided("words or products")
    if result.equal and conventions.form_sensitive == "on" and case.asks(*_FORM_WORDS):
        return undecided("form_sensitive")
    return result


def rearranged(mine: Notation, theirs: Notation) -> bool:
    """`2 god` and `2 dog`: runs of letters that may be words are no equal products."""
    first, second = _spellable(mine), _spellable(theirs)
    return first != second and sorted("".join(first)) == sorted("".join(second))


def _spellable(tokens: Notation) -> list[str]:
    runs = (text for kind, text in tokens if kind == "word" and len(text) > 2)
    return sorted(run for run in runs if not VOWELS.isdisjoint(run))


@lru_cache(maxsize=512)
def _question_says(question: str) -> tuple[bool, bool, bool, bool]:
    """Does the question speak of complex numbers; does it restrict variables to positive values; has it matrices,
    has it vectors?"""
    low = question.casefold()
    return (
        any(word in low for word in _COMPLEX_WORDS),
        any(word in low for word in _POSITIVE_WORDS),
        speaks_of_matrices(low),
        speaks_of_vectors(low),
    )


def setting_of(mine: Reading, theirs: Reading, question: str, conventions: Conventions) -> Setting:
    """What question and answers say about letters."""
    complex_numbers, positive, matrices, vectors = _question_says(question)
    shown = complex_numbers or "i" in _letters(mine.value)
    imaginary = conventions.imaginary_unit == "always" or (
        conventions.imaginary_unit == "when_shown" and shown
    )
    capitals = matrices or inverts_capitals(mine.text) or inverts_capitals(theirs.text)
    crossed = vectors and ("\\times" in mine.text or "\\times" in theirs.text)
    if not (imaginary or positive or capitals or crossed):
        return _PLAIN
    return Setting(imaginary, positive, capitals, crossed)


def _letters(value: Value) -> frozenset[str]:
    if isinstance(value, Scalar):
        return frozenset() if type(value.node) is Num else symbols(value.node)
    if isinstance(value, (Named, Qualified)):
        return _letters(value.value)
    if isinstance(value, (Tuple, Listing, FiniteSet)):
        return frozenset().union(*(_letters(item) for item in value.items))
    return frozenset()
