r"""Whether an answer still has work to be done where the question wants it done: `(16+1) \cdot 23` for 391."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hybridverify.maths import Reading, Value
from hybridverify.maths.algebra.nodes import Node, Num
from hybridverify.maths.algebra.uncollected import has_imaginary_left, uncollected
from hybridverify.maths.algebra.unfinished import unfinished
from hybridverify.maths.values.kinds import Matrix, RealSet, Scalar

_MAX_DIGITS = 40
_BRACKETS = frozenset("{}()$")
_ENDS = frozenset(("end", "rel", "sep", "open", "close", "gap"))
_BARS = frozenset(("frac", "/"))
_OPERATORS = frozenset(("int", "sum", "prod", "lim"))
_LONGEST_FRACTION = 3
"""Signs of a fraction of two numbers."""
_DIVISION = "\\div"
"""The sign that the reader writes for every other one of division."""
_ON_A_NUMBER = frozenset(("sqrt", "^", "_"))


def has_work(
    reading: Reading, simplest: bool = False, lowest_terms: bool = False, alone: bool = False
) -> bool:
    r"""Whether operations between plain numbers are left, or a fraction that is a whole number, within a longer
    expression or, if `alone`, by itself. Where the simplest form is asked for, also like terms; where lowest terms
    are, any fraction that can be reduced.

    >>> from hybridverify.conventions import DEFAULT
    >>> from hybridverify.maths import reading_of
    >>> [has_work(reading_of(text, DEFAULT)) for text in ("17*23", "391", "44/2", "{x = (3+1)/7}", r"22 \div 4")]
    [True, False, False, True, True]
    >>> has_work(reading_of("44/2", DEFAULT), alone=True)
    True
    >>> has_work(reading_of("3x + 2x", DEFAULT)), has_work(reading_of("3x + 2x", DEFAULT), simplest=True)
    (False, True)
    """
    if any(map(unfinished, _nodes(reading.value))):
        return True
    looks = uncollected if simplest else has_imaginary_left
    if any(map(looks, _nodes(reading.value))) or (simplest and _has_factor(reading)):
        return True
    signs = [text for _, text in reading.tokens if text not in _BRACKETS]
    if _names_operation(reading, signs) or _is_compound(reading.value, signs):
        return True
    return _has_fraction(signs, lowest_terms, alone) or _has_sign_to_do(signs)


def _names_operation(reading: Reading, signs: Sequence[str]) -> bool:
    r"""Several matrices, a sum in a bound, an operator such as a limit, `21 \div 4`; a fraction bar may also be how a
    number is written."""
    if isinstance(reading.value, Matrix) and _is_computed(signs):
        return True
    if isinstance(reading.value, RealSet) and _has_sum(reading.tokens):
        return True
    return _DIVISION in reading.text or not _OPERATORS.isdisjoint(signs)


def _is_compound(value: Value, signs: Sequence[str]) -> bool:
    r"""Whether a number is told by several fraction bars: `\frac{17}{1/23}`. The reader has worked it out."""
    return (
        isinstance(value, Scalar) and isinstance(value.node, Num) and sum(map(_BARS.__contains__, signs)) > 1
    )


def _has_factor(reading: Reading) -> bool:
    """Whole numbers with a common factor: `4:6`, which may also be read as a time."""
    parts = reading.text.split(":")
    if len(parts) == 1 or not all(map(str.isdecimal, map(str.strip, parts))):
        return False
    return len(reading.text) <= _MAX_DIGITS and math.gcd(*map(int, parts)) > 1


def _has_sign_to_do(signs: Sequence[str]) -> bool:
    """`-(-7)`, and a number with a negative exponent: `5^{-1}`, but not `10^{-3}`."""
    if any(one == other == "-" for one, other in pairwise(signs)):
        return True
    return any(
        one.isdigit() and one != "10" and (other, last) == ("^", "-")
        for one, other, last in zip(signs, signs[1:], signs[2:], strict=False)
    )


def _has_fraction(signs: Sequence[str], reduced: bool, alone: bool) -> bool:
    """Is there a fraction that is a whole number or, where it is to be reduced, one that can be or has a decimal?"""
    fractions = [(top, bottom) for top, bottom in _fractions(signs) if bottom > 1]
    if any(top % bottom == 0 for top, bottom in fractions) and (alone or not _is_fraction_alone(signs)):
        return True
    return reduced and (
        any(math.gcd(top, bottom) > 1 for top, bottom in fractions) or _has_decimal_in_fraction(signs)
    )


def _has_decimal_in_fraction(signs: Sequence[str]) -> bool:
    return not _BARS.isdisjoint(signs) and any("." in sign for sign in signs)


def _is_fraction_alone(signs: Sequence[str]) -> bool:
    return len(signs) <= _LONGEST_FRACTION and (signs[:1] == ["frac"] or signs[1:2] == ["/"])


def _is_computed(signs: Sequence[str]) -> bool:
    """Several matrices, or one with an exponent."""
    raised = any(one.startswith("end ") and other == "^" for one, other in pairwise(signs))
    return raised or sum(sign.startswith("begin ") for sign in signs) > 1


def _nodes(value: Value) -> Iterator[Node]:
    """The expressions of a value and of its parts."""
    if isinstance(value, Scalar):
        yield value.node
        return
    for part in (*getattr(value, "items", ()), getattr(value, "value", None)):
        if part is not None:
            yield from _nodes(part)


def _has_sum(tokens: Sequence[tuple[str, str]]) -> bool:
    """`x > 1 + 3`: two plain numbers with a sign between them. The bounds of a set were worked out by the reader."""
    kinds = ["end", *(kind for kind, _ in tokens), "end", "end"]
    signs = [at for at, (kind, text) in enumerate(tokens, 1) if kind == "op" and text in "+-*"]
    return any(
        kinds[at - 1] == kinds[at + 1] == "num" and _ENDS.issuperset((kinds[at - 2], kinds[at + 2]))
        for at in signs
    )


def _fractions(signs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Numerators and denominators that are whole numbers as written."""
    for at in range(len(signs)):
        top, bottom = _parts(signs, at)
        if all(part.isdigit() and part.isascii() and len(part) <= _MAX_DIGITS for part in (top, bottom)):
            yield int(top), int(bottom)


def _parts(signs: Sequence[str], at: int) -> Sequence[str]:
    """What a fraction bar, or the command of a fraction, has above and below."""
    first, second = (*signs[at + 1 : at + 3], "", "")[:2]
    if signs[at] == "frac":
        return first if len(first) == 2 and not second.isdigit() else (first, second)  # `\frac68`
    if signs[at] == "/" and at and _ON_A_NUMBER.isdisjoint(signs[at - 2 : at - 1]):  # no `\sqrt{7}/7`
        return signs[at - 1], first
    return "", ""
