"""Python's own values of what NumPy, torch, Decimal and Fraction hold, without importing NumPy or torch."""

from __future__ import annotations

import math
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

_NARROW = {"float32": "f", "float16": "e"}
"""The formats of `struct` for floats of fewer bits than Python's."""
_NARROW_DIGITS = 9
"""As many are enough to tell any two float32 apart."""
_LONGEST = 400
"""Digits of a Decimal that is written out: it may have an exponent of millions."""


def plain(value: Any) -> Any:
    """An array or a scalar of NumPy or torch as lists and numbers of Python; any other value as it is. A narrow float
    is the shortest decimal that it stands for.

    >>> import numpy
    >>> plain(numpy.array([0.1, 42], dtype=numpy.float32)), plain(numpy.int64(7)), plain("7")
    ([0.1, 42.0], 7, '7')
    """
    if not hasattr(value, "tolist"):
        return value
    told = value.tolist()
    narrow = _NARROW.get(str(getattr(value, "dtype", "")).rpartition(".")[2])
    return told if narrow is None else _shortened(told, narrow)


def _shortened(told: Any, narrow: str) -> Any:
    if isinstance(told, list):
        return [_shortened(item, narrow) for item in told]
    shorter = (float(f"{told:.{digits}g}") for digits in range(1, _NARROW_DIGITS))
    return next((short for short in shorter if _kept(short, narrow) == told), told)


def _kept(number: float, narrow: str) -> float:
    """The number as the narrow format holds it."""
    try:
        return float(struct.unpack(narrow, struct.pack(narrow, number))[0])
    except OverflowError:  # rounded up beyond its largest
        return math.inf


def exact_text(value: Decimal | Fraction) -> str:
    """An exact number in digits; "" for one that is no number, or has more digits than are read.

    >>> exact_text(Decimal("1E+3")), exact_text(Fraction(3, 7)), exact_text(Decimal("NaN"))
    ('1000', '3/7', '')
    """
    if isinstance(value, Fraction):
        return int_text(value.numerator) and int_text(value.denominator) and str(value)
    if not value.is_finite() or len(value.as_tuple().digits) + abs(value.adjusted()) > _LONGEST:
        return ""
    return format(value, "f")


def int_text(value: int) -> str:
    """A whole number in digits; "" for one with more digits than Python writes.

    >>> int_text(42), int_text(10**9999)
    ('42', '')
    """
    try:
        return str(value)
    except ValueError:
        return ""
