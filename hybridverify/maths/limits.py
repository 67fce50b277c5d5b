"""The bounds of the reader, kept in one place because they are what makes it safe to run in process.

What exceeds a bound is undecided (`limit`), never wrong: an honest answer may be long.
"""

from __future__ import annotations

MAX_CHARS = 2_000
MAX_DEPTH = 30
MAX_DIGITS = 2_000
MAX_BITS = 6_644  # 2,000 decimal digits
MAX_EXPONENT = 1_000
MAX_LETTER_EXPONENT = 10**12
"""Of a letter: such exponents are added and multiplied, the power itself is never written out."""
MAX_FACTORIAL = 1_000
MAX_ITEMS = 200
MAX_MATRIX = 20
MAX_TERMS = 2_000
MAX_WORK = 12_000
"""Products of terms one comparison may spend: about ten milliseconds."""
MAX_KEY = 4_000
"""Characters of the name under which a sub-expression is filed."""


class Unread(Exception):
    """The text is not fully understood. Internal: `read` turns it into an `Unreadable` value."""


class Limit(Unread):
    """A bound was exceeded."""


class Undefined(Unread):
    """The text denotes no value: a division by zero."""


def check_bits(bits: float) -> None:
    """Raise Limit before an integer of that many bits is computed."""
    if bits > MAX_BITS:
        raise Limit("limit")
