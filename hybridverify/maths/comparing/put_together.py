"""One number beside several: may the several be parts of it, its digits, terms or factors?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.values.kinds import Degrees, Money, Quantity, Scalar, Value

_PAIR, _MAX_CHOSEN = 2, 100


def may_be_put_together(mine: Sequence[Value], theirs: Sequence[Value], lists: bool) -> bool:
    """Are the items of one side the parts of the number on the other: its terms or factors, in a list its digits?"""
    values = (mine[0], *theirs) if len(mine) == 1 else (theirs[0], *mine)
    scalars = [value for value in values if isinstance(value, Scalar)]
    if len(scalars) < len(values):
        return any(map(_has_unit, values))
    whole, *parts = [constant(scalar.node) for scalar in scalars]
    if whole is None:
        return True
    return None not in parts and _make_whole([part for part in parts if part is not None], whole, lists)


def _has_unit(value: Value) -> bool:
    return isinstance(value, (Quantity, Money, Degrees))


def _make_whole(parts: Sequence[float], whole: float, lists: bool) -> bool:
    """Do the parts, none of them the whole itself, give it together?"""
    if whole in parts:
        return False
    digits = _digits_of(parts)
    if lists and (_is_written(digits, whole) or _with_groups(parts, whole) == whole):
        return True
    made = (sum(parts), math.prod(parts), *_selections(parts))
    return any(math.isclose(whole, number, rel_tol=1e-9) for number in made)


def _digits_of(parts: Sequence[float]) -> str:
    """The whole numbers, one written after the other."""
    return "".join(str(int(number)) for number in parts if number == int(number))


def _is_written(digits: str, whole: float) -> bool:
    """`1,22` may be 1.22."""
    return digits == f"{whole:.12g}".replace(".", "")


def _selections(numbers: Sequence[float]) -> Iterator[float]:
    """`P(9, 2)` and `C(9, 2)` stand in brackets as points do."""
    if len(numbers) == _PAIR and all(0 <= number <= _MAX_CHOSEN and number % 1 == 0 for number in numbers):
        low, high = sorted(map(int, numbers))
        yield from (float(math.perm(high, low)), float(math.comb(high, low)))


def _with_groups(numbers: Sequence[float], whole: float) -> float:
    """5, 636 as 5,636, and 12, 00, 000 in Indian groups."""
    total, indian = Fraction(0), Fraction(0)
    for place, number in enumerate(numbers):
        if number != int(number) or not 0 <= number < 1000:
            return math.nan
        total = total * 1000 + int(number)
        indian = indian * (1000 if place == len(numbers) - 1 else 100) + int(number)
    return float(indian if float(indian) == whole else total)
