"""Quantities in two units: `2 hours 30 minutes`, `5 ft 3 in`, `4 dollars and 50 cents` are one quantity each.

They are one only where each later part is smaller than one unit of the part before: `2 hours, 90 minutes` lists two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hybridverify.maths.algebra.literals import number
from hybridverify.maths.algebra.nodes import Exact, Num, rational_value, whole
from hybridverify.maths.notation.tokenlists import Tokens
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.units.reading import read_unit
from hybridverify.maths.values.kinds import Money, Quantity, Scalar, Unit, Value

_UNIT_KINDS = frozenset(("word", "let", "fun"))
_MAX_PARTS = 4
_DOLLAR = Unit((("USD", 1),), Fraction(1), known=True, words=("dollar",))


def read_compound(tokens: Tokens) -> Quantity | None:
    """The one quantity that a run of numbers with units spells, None for anything else."""
    if len(tokens) < 4 or tokens[0].kind != "num":
        return None
    groups = _by_number(tokens)
    if groups is None or not 2 <= len(groups) <= _MAX_PARTS:
        return None
    parts: list[Value] = []
    for group in groups:
        unit = read_unit(group[1:]) if len(group) > 1 else None
        if unit is None:
            return None
        parts.append(Quantity(Scalar(number(group[0])), unit))
    return joined(parts)


def _by_number(tokens: Tokens) -> list[list[Token]] | None:
    """Each number with the words behind it, None where anything else stands between them."""
    groups: list[list[Token]] = []
    for token in tokens:
        if token.kind == "num":
            groups.append([token])
        elif token.kind in _UNIT_KINDS or token.kind == "stop":
            groups[-1].append(token._replace(kind="word") if token.kind == "fun" else token)
        else:
            return None
    return groups


def joined(parts: Sequence[Value]) -> Quantity | None:
    """Several quantities as one in the last unit, None where they are not parts of one."""
    total: Exact = 0
    before: Quantity | None = None
    for part in map(_counted, parts):
        amount = _amount(part)
        if not isinstance(part, Quantity) or amount is None:
            return None
        if before is not None:
            if not _continues(before, part, amount):
                return None
            total *= before.unit.factor / part.unit.factor
        total += amount
        before = part
    if before is None or len(parts) < 2:
        return None
    return Quantity(Scalar(Num(whole(total), before.value.digits)), before.unit, compound=True)


def _amount(part: Value) -> Exact | None:
    """How many of a plain known unit it is; None for rates, negative amounts and what is no quantity."""
    if not isinstance(part, Quantity) or not part.unit.known:
        return None
    if len(part.unit.dimension) != 1 or part.unit.dimension[0][1] < 1:  # a litre is a length cubed
        return None
    amount = rational_value(part.value.node)
    return None if amount is None or amount < 0 else amount


def _continues(before: Quantity, part: Quantity, amount: Exact) -> bool:
    """`30 minutes` behind a whole number of hours: some of a smaller unit, and less than one of the larger."""
    step = before.unit.factor / part.unit.factor
    if before.unit.dimension != part.unit.dimension or step <= 1 or not 0 < amount < step:
        return False
    return isinstance(before.value.exact, int)


def _counted(part: Value) -> Value:
    """Dollars as a quantity: `4 dollars and 50 cents`."""
    return Quantity(part.value, _DOLLAR) if isinstance(part, Money) and part.sign == "$" else part
