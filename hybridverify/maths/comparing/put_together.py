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
    single, parts = (mine[0], theirs) if len(mine) == 1 else (theirs[0], mine)
    if not isinstance(single, Scalar) or not all(isinstance(part, Scalar) for part in parts):
        return any(isinstance(part, (Quantity, Money, Degrees)) for part in (single, *parts))
    whole = constant(single.node)
    numbers = [constant(part.node) for part in parts if isinstance(part, Scalar)]
    known = [number for number in numbers if number is not None]
    if whole in known:
        return False
    if whole is None or len(known) < len(parts):
        return whole is None
    digits = "".join(str(int(number)) for number in known if number == int(number))
    if lists and (digits == f"{whole:.12g}".replace(".", "") or _with_groups(known, whole) == whole):
        return True  # `1,22` may be 1.22
    made = (sum(known), math.prod(known), *_selections(known))
    return any(math.isclose(whole, number, rel_tol=1e-9) for number in made)


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
