"""Units of measure, with exact conversions, and the nouns that may be dropped beside a bare number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from hybridverify.language.asked import read_question
from hybridverify.language.word_forms import singular
from hybridverify.maths.algebra.nodes import Mul, Node, Num, Pow, Sym
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.units.reading import read_unit, unit_over_base_kinds
from hybridverify.maths.units.si import OTHER_MEANINGS, size_of
from hybridverify.maths.units.table import (
    OTHER_KINDS,
    PHYSICAL,
    UNITS,
)
from hybridverify.maths.units.words import CHANGES_MEANING, LABELS, NOUNS
from hybridverify.maths.values.kinds import Money, Quantity, Unit, Value

_SHIFTED = frozenset(("celsius", "fahrenheit", "kelvin"))
"""Kinds that are converted by more than a factor."""
_NEAR = 0.01
_MAX_RATIOS = 5_000
_LITRES = ("liter", "litre")
LETTERS = {
    "m": ("meter", "metre"),
    "s": ("second",),
    "g": ("gram",),
    "L": _LITRES,
    "l": _LITRES,
    "ell": _LITRES,
    "h": ("hour",),
    "N": ("newton",),
    "J": ("joule",),
    "W": ("watt",),
    "V": ("volt",),
}
"""Letters that are units without a text command, and how a question names them."""


def unit_of_letters(node: Node) -> tuple[Num, Unit] | None:
    """`5 m` and `2 m/s` typed without a text command: the number, and the letters as a unit."""
    factors = _flat(node)
    numbers = [factor for factor in factors if type(factor) is Num]
    if len(numbers) != 1 or len(factors) < 2 or _is_prefixed(factors):
        return None
    dimension: dict[str, int] = {}
    size = Fraction(1)
    words: list[str] = []
    for factor in factors:
        if type(factor) is Num:
            continue
        letter, count = _letter_and_power(factor)
        if letter not in LETTERS:
            return None
        base, step = UNITS["l" if letter == "ell" else letter.lower()]
        dimension[base] = dimension.get(base, 0) + count
        size *= step**count
        words.append(letter)
    return numbers[0], unit_over_base_kinds(dimension, size, True, tuple(words))


def _letter_and_power(factor: Node) -> tuple[str, int]:
    """The letter of `m`, `m^2` or `1/s^2` with its exponent; "" for what is no power of a letter."""
    letter, power = (factor.base, factor.exponent) if type(factor) is Pow else (factor, Num(1))
    if type(letter) is Pow and power == Num(-1):
        inner = letter.exponent
        letter, power = letter.base, Num(-inner.value) if type(inner) is Num else inner
    if type(letter) is Sym and type(power) is Num:
        return letter.name, int(power.value)
    return "", 0


def _is_prefixed(factors: Sequence[Node]) -> bool:
    """`mN` may be a millinewton, which is no newton metre."""
    return any(one == Sym("m") and type(other) is Sym for one, other in pairwise(factors))


def in_other_meaning(unit: Unit) -> Unit | None:
    """The unit with F or C as farad or coulomb, None for a unit without them."""
    dimension = dict(unit.dimension)
    for word, (kind, measure) in OTHER_MEANINGS.items():
        count = dimension.pop(kind, 0) if word in unit.words else 0
        if count:
            dimension[measure.kind] = dimension.get(measure.kind, 0) + count
            return unit_over_base_kinds(dimension, unit.factor, True, unit.words)
    return None


def has_other_kinds(unit: Unit) -> bool:
    """Is a gallon or the like in it, which may be another one than ours?"""
    return not OTHER_KINDS.isdisjoint(unit.words)


def _flat(node: Node) -> list[Node]:
    if type(node) is Mul:
        return [part for factor in node.factors for part in _flat(factor)]
    if type(node) is Pow and node.exponent == Num(-1) and type(node.base) is Mul:
        return [Pow(part, Num(-1)) for part in _flat(node.base)]
    return [node]


def changes_meaning(words: str) -> bool:
    """Does one of the words turn the meaning of a number (`not`, `less`, `half`)?"""
    return any(word in CHANGES_MEANING for word in words.casefold().split())


def plain_label(words: str, question: str) -> bool:
    """May a label in words (`Total cost: 5`) be dropped? Its words are the question's, or general ones."""
    asked = _words_of(question)
    return all(singular(word) in asked or word in LABELS for word in words.casefold().split())


def _fits(word: str, asked: frozenset[str]) -> bool:
    """False where the question names units of this kind, and this one is not among them."""
    kind, factor = size_of(word) or ("", Fraction(0))
    units = [unit for other in asked if len(other) > 2 and (unit := size_of(other))]
    rivals = {size for other, size in units if other == kind}
    return not kind or not rivals or factor in rivals or word in asked


@lru_cache(maxsize=64)
def _words_of(question: str) -> frozenset[str]:
    words = "".join(c if c.isalpha() else " " for c in question).split()
    return frozenset(singular(word) for word in words)


def is_physical(unit: Unit) -> bool:
    """Is it made of lengths, times and their kin alone, not of counted things?"""
    return all(kind in PHYSICAL for kind, _ in unit.dimension)


def may_be_unit_ratio(unit: Unit, ratio: float) -> bool:
    """May two numbers of this ratio count one amount, one of them in another unit of the kind, or in pairs or dozens?

    >>> metre = read_unit([Token("word", "m")])
    >>> may_be_unit_ratio(metre, 100), may_be_unit_ratio(metre, 1.2)
    (True, False)
    """
    kinds = frozenset(kind for kind, _ in unit.dimension)
    if not unit.known or kinds & _SHIFTED:
        return True
    whole = max(ratio, 1 / ratio)
    if not kinds <= PHYSICAL:
        return abs(whole - round(whole)) < 1e-9 * whole  # 8 couples are 16 people
    ratios = _ratios(unit.dimension)
    return not ratios or any(abs(ratio - made) <= _NEAR * made and abs(made - 1) > _NEAR for made in ratios)


@lru_cache(maxsize=64)
def _ratios(dimension: tuple[tuple[str, int], ...]) -> frozenset[float]:
    """The factors between the units of a kind, with the powers of ten before them; none where they are too many."""
    ratios = frozenset((1.0,))
    for kind, power in dimension:
        steps = _steps(kind, power)
        if len(ratios) * len(steps) > _MAX_RATIOS:
            return frozenset()
        ratios = frozenset(float(f"{made * step:.6g}") for made in ratios for step in steps)
    return ratios


def _steps(kind: str, power: int) -> set[float]:
    """The factors between two units of one kind, to a power."""
    sizes = {float(factor) for name, factor in UNITS.values() if name == kind}
    scaled = {size * prefix for size in sizes for prefix in (0.001, 1.0, 1000.0)}
    return {float(f"{(one / other) ** power:.6g}") for one in sizes for other in scaled}


def is_measured(value: Value | None) -> bool:
    """A number with a unit of the table or in a currency?"""
    if isinstance(value, Quantity):
        return value.unit.known and is_physical(value.unit)
    return isinstance(value, Money)


def is_asked_in(unit: Unit, question: str) -> bool:
    """Does the question want its answer in this unit, by whatever name (`in cm`, `how many centimeters`)?

    >>> minute = read_unit([Token("word", "min")])
    >>> is_asked_in(minute, "How many minutes is that?"), is_asked_in(minute, "It took 9 minutes. How long are two?")
    (True, False)
    """
    named = (read_unit([Token("word", word)]) for word in read_question(question).units)
    return any(other and (other.dimension, other.factor) == (unit.dimension, unit.factor) for other in named)


def plain_words(unit: Unit, question: str) -> bool:
    """May these words be dropped beside a bare number?

    Known units may, unless the question measures in others of their kind; other nouns if the question has them, or
    if there is no question to look them up in.
    """
    asked = _words_of(question)
    if not asked and len(unit.words) == 1:
        return unit.known or len(unit.words[0]) > 3
    if unit.known:
        return all(_fits(word, asked) for word in unit.words)
    return bool(asked) and all(word in asked or word in NOUNS or word in UNITS for word in unit.words)
