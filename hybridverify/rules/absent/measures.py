"""Quantities in several units, and the factors between the units that a sample names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product, starmap, takewhile
from typing import TypeAlias

from hybridverify.language.asked import read_question
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.units.measures import is_physical
from hybridverify.maths.units.reading import read_unit
from hybridverify.maths.units.table import UNITS
from hybridverify.maths.values.kinds import Unit
from hybridverify.rules.absent import words as known
from hybridverify.rules.absent.numbers import Stated, physical_unit
from hybridverify.rules.absent.sums import as_float

_DAY = 86_400
_MAX_QUESTION = 4_000
_FURTHER = frozenset(("more", "other", "extra", "additional", "total", "whole", "full"))
_MONTH_IN_DAYS = (*map(Fraction, range(28, 32)), Fraction(365, 12), Fraction(366, 12))
Measure: TypeAlias = tuple[tuple[tuple[str, int], ...], Fraction]
"""The dimension of a unit and its factor."""
_TIME, _MONTH = (("time", 1),), (("month", 1),)
"""Two kinds that are told in each other, with no exact factor."""
_MONEY = (("USD", 1),)
_FEW = 5
_CENTS = 100
_IDLE = frozenset(("and", "a", "an"))
_ENDING = frozenset(".?+*/^")
_BETWEEN = words("and oh o dollar dollars euro euros pound pounds buck bucks rupee rupees point")
_MARKED = {"'": (12, 60), ":": (60,)}
"""Feet and inches, minutes and seconds, hours and minutes by their signs."""


def compounds(numbers: Sequence[Stated], tokens: Sequence[Token]) -> set[float]:
    """What neighbours may be together: `2 hours 30 minutes`, `3 dollars and 50`, `3:30`, `nineteen ninety`."""
    found: set[Fraction] = set()
    sums: dict[Fraction, Fraction] = {}  # in base units, by the factor of the last unit
    for first, second in pairwise(numbers):
        between = tokens[first.end : second.start]
        texts = [token.text for token in between if token.kind not in ("open", "close")]
        if len(texts) > _FEW or not _ENDING.isdisjoint(texts) or any(one.kind == "rel" for one in between):
            sums = {}
            continue
        steps = _steps(first, second, texts)
        for big, small in product(first.values, second.values):
            found |= _together(big, small, steps, texts)
        sums = _summed(first, second, sums)
        found |= {total / size for size, total in sums.items()}
    return set(map(as_float, found))


def _together(big: Fraction, small: Fraction, steps: set[Fraction], between: Sequence[str]) -> set[Fraction]:
    """What two neighbours may be in one: by the steps between their units, added, or digits in a row."""
    found = {value for step in steps for value in (big * step + small, big + small / step)}
    if _IDLE.issuperset(between):  # `an hour and a half`, `a dozen and a half`
        found |= {big + small} | ({big + big * small} if small < 1 else set())
    if not between or between == ["-"]:
        found.add(_joined(big, small))
    return found


def _steps(first: Stated, second: Stated, between: Sequence[str]) -> set[Fraction]:
    """How many of the second unit make one of the first, as far as signs and words say it."""
    found = {Fraction(step) for text in between for step in _MARKED.get(text, ())}
    if all(map(_parts_money, between)):
        found.add(Fraction(_CENTS))
    if second.unit is None and first.unit is not None:  # `6 feet 2`
        found |= _sizes(first.unit)
    return found


def _parts_money(text: str) -> bool:
    """What may stand between dollars and cents, and between the halves of a year in words."""
    return not text.isalpha() or text.lower() in _BETWEEN


def _summed(first: Stated, second: Stated, sums: dict[Fraction, Fraction]) -> dict[Fraction, Fraction]:
    """The sum of neighbours of one kind so far, in each unit that was named."""
    one, other = first.unit, second.unit
    if one is None or other is None or one.dimension != other.dimension or one.factor == other.factor:
        return {}
    total = max(sums.values(), default=max(first.values) * one.factor) + max(second.values) * other.factor
    return dict.fromkeys((*sums, one.factor, other.factor), total)


def _joined(big: Fraction, small: Fraction) -> Fraction:
    """Digits in a row: `twenty twenty-four`, `1 200`."""
    return big * 10 ** len(str(int(small))) + small if small.denominator == 1 else big


def _sizes(unit: Unit) -> set[Fraction]:
    """The factors from a unit to the others of its kind."""
    return {
        unit.factor / factor for kind, factor in _table() if kind == unit.dimension and factor != unit.factor
    }


@lru_cache(maxsize=1)
def _table() -> frozenset[Measure]:
    """All units of the project's table, by their dimension."""
    units = (read_unit([Token("word", name)]) for name in UNITS)
    return frozenset((unit.dimension, unit.factor) for unit in units if unit is not None)


def named_units(tokens: Iterable[Token], numbers: Sequence[Stated] = ()) -> set[Measure]:
    """Each unit that is named: beside a number, or by a word of more than two letters."""
    found = [one.unit for one in numbers if one.unit is not None]
    found += [unit for token in tokens if len(token.text) > 2 and (unit := physical_unit(token))]
    return {(unit.dimension, unit.factor) for unit in found}


def factors(named: AbstractSet[Measure], wanted: Unit | None, question: str) -> set[Fraction]:
    """By how much a number of the response may differ from a reference that is the same quantity.

    Between the units that are named and the one that is wanted; where none is known to be wanted, any of their kinds.
    Raises Unread where areas, volumes or speeds may be told in lengths and times.
    """
    targets = _targets(wanted, question)
    _check_kinds(named, targets or named)
    if not targets and _counts_things(question):
        return set()
    others = targets or _of_kinds({kind for kind, _ in named})
    found = set[Fraction]().union(*starmap(_ratios, product(named, others)))
    return {max(ratio, 1 / ratio) for ratio in found if ratio != 1}


def _targets(wanted: Unit | None, question: str) -> set[Measure]:
    """The units that are known to be wanted, by the reference or the question."""
    asked = [physical_unit(Token("word", word)) for word in read_question(question).units if len(word) > 2]
    given = wanted if wanted is not None and is_physical(wanted) else None
    return {(unit.dimension, unit.factor) for unit in (given, *asked) if unit is not None}


def _of_kinds(kinds: set[tuple[tuple[str, int], ...]]) -> set[Measure]:
    """All units of these kinds but fractions of a second; months and seconds go together."""
    bridged = {_TIME, _MONTH} if not kinds.isdisjoint((_TIME, _MONTH)) else set()
    return {one for one in _table() if one[0] in kinds | bridged and (one[0] != _TIME or one[1] >= 1)}


def _ratios(one: Measure, other: Measure) -> set[Fraction]:
    """How many of the second unit the first may be."""
    (kind, factor), (another, size) = one, other
    if kind == another:
        return {factor / size}
    if {kind, another} != {_TIME, _MONTH}:
        return set()
    return _bridged(factor, size) if kind == _MONTH else _bridged(size, factor)


def _counts_things(question: str) -> bool:
    """Does it ask how many there are of something that is no unit? Then no number is told in another unit."""
    nouns = set(filter(None, _counted(question[:_MAX_QUESTION].lower())))
    return bool(nouns) and nouns.isdisjoint(known.VERBS) and not any(map(_is_unit, nouns))


def _counted(question: str) -> Iterator[str]:
    """The word after each `how many` and the adjectives behind it."""
    for rest in question.split("how many ")[1:]:
        word = next((word for word in rest.split(" ") if word not in _FURTHER), "")
        yield "".join(takewhile(str.isalpha, word))


def _is_unit(word: str) -> bool:
    return physical_unit(Token("word", word)) is not None


def shifts(named: AbstractSet[Measure]) -> bool:
    """Is there a unit that has others a power of ten away? Months, minutes and dollars have none but cents."""
    return any(
        kind not in (_TIME, _MONTH, _MONEY) or (kind == _TIME and factor <= 1) for kind, factor in named
    )


def _bridged(months: Fraction, seconds: Fraction) -> set[Fraction]:
    """So many months in units of so many seconds, by every length that a month or a year may have."""
    days = {months * length for length in _MONTH_IN_DAYS}
    days |= {months / 12 * length for length in (360, 364, 365, 366)} | {months * 28}
    return {length * _DAY / seconds for length in days if seconds >= 1}


def _check_kinds(named: AbstractSet[Measure], targets: AbstractSet[Measure]) -> None:
    """A litre beside a centimeter, a speed beside an hour: the one may be told in the other."""
    for kind, _ in named:
        for other, _ in targets:
            if kind != other and {name for name, _ in kind} & {name for name, _ in other}:
                raise Unread("units of one kind")
