"""The references of this rule: each read whole as one plain number, and none that words name without a numeral."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from hybridverify.answers.references import may_list
from hybridverify.conventions import Conventions
from hybridverify.language import expressions as re
from hybridverify.maths import Value, reference_reading
from hybridverify.maths.algebra.nodes import step_of
from hybridverify.maths.limits import Unread
from hybridverify.maths.values.kinds import Money, Percent, Quantity, Scalar, Unit
from hybridverify.rules.kinds import without_about

_LEAST, _MOST = Fraction(1, 10**9), 10**15
_UNSPOKEN = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2))
"""`none`, `only`, `both`, `half` and `a` say these."""
_MAX_DIGITS = 15
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])")
"""A decimal that may be a whole number, its point between thousands: `1.250`."""


class Wanted(NamedTuple):
    """One value that a reference may be, with its text.

    `places`: the decimals that it is told to, -1 for a fraction. `rough`: it is told as `about` so much.
    `step`: what the last digit of a large rounded number counts.
    """

    value: Fraction
    places: int = -1
    unit: Unit | None = None
    rough: bool = False
    step: int = 0
    text: str = ""


def wanted(references: Sequence[str], conventions: Conventions, question: str = "") -> list[Wanted]:
    """All values that the references may be. Raises Unread where one is no plain number, or one too easily said.

    >>> wanted(["5 kg"], Conventions())[0].value, wanted(["1963/1972"], Conventions())[1].value
    (Fraction(5, 1), Fraction(1963, 1))
    """
    found: list[Wanted] = []
    shares = "%" in question or "percent" in question.lower()
    for reference in references:
        found.append(_wanted(reference, conventions, shares))
        listed = [part for part in _integers(reference) if may_list(reference, part)]
        listed += [match[0].replace(".", "") for match in _GROUPED.finditer(reference)]
        found += [Wanted(Fraction(part), 0) for part in listed]
    if any(one.value and not _LEAST <= one.value <= _MOST for one in found):
        raise Unread("a reference of another size")
    return found


def _integers(text: str) -> list[str]:
    digits = "".join(char if char.isdecimal() else " " for char in text).split()
    return [one for one in digits if len(one) <= _MAX_DIGITS]


def _wanted(reference: str, conventions: Conventions, shares: bool) -> Wanted:
    """The value of a reference as it stands; `shares`: the question asks for a percentage."""
    bare, rough = without_about(reference)
    value = reference_reading(bare, conventions).value
    amount, digits, unit = _plain(value)
    if amount in _UNSPOKEN or ((shares or isinstance(value, Percent)) and amount / 100 in _UNSPOKEN):
        raise Unread("a value that words may say")
    return Wanted(amount, max(digits, -1), unit, rough, step_of(digits), reference)


def _plain(value: Value) -> tuple[Fraction, int, Unit | None]:
    unit = value.unit if isinstance(value, Quantity) else None
    if isinstance(value, (Percent, Money, Quantity)):
        value = value.value
    exact = value.exact if isinstance(value, Scalar) else None
    if exact is None or not isinstance(value, Scalar):
        raise Unread("no plain number as reference")
    digits = 0 if exact.denominator == 1 and value.digits in (-1, 0) else value.digits
    return abs(Fraction(exact)), digits, unit
