"""How many lists and objects a body may hold.

Python's garbage collector looks through all of them in one go, and holds the event loop for a tenth of a microsecond
each: for most of a second, where 16 MB of brackets are let in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hybridverify.service.rows import Malformed

MOST_LISTS, CHARACTERS_A_LIST = 500_000, 32
"""At most so many; in a longer body at most one for so many characters."""


class Lists:
    """Those of one body of this size."""

    def __init__(self, size: int) -> None:
        self._most = self._left = max(MOST_LISTS, size // CHARACTERS_A_LIST)

    def count(self, values: Iterable[Any], text: str, begin: int, end: int) -> None:
        """These values were read from here to there. They are looked at only where brackets stand close. Raises
        Malformed."""
        brackets = text.count("[", begin, end) + text.count("{", begin, end)
        if brackets * CHARACTERS_A_LIST > end - begin:
            self._left -= lists_in(values)
        if self._left < 0:
            raise Malformed(f"body: more than {self._most:,} lists and objects; send it in parts", 413)


def lists_in(values: Iterable[Any]) -> int:
    """How many lists and objects these values are and hold.

    >>> lists_in([[], {"a": [1]}, "[["])
    3
    """
    found, open_ones = 0, list(values)
    while open_ones:
        one = open_ones.pop()
        if isinstance(one, list):
            found += 1
            open_ones += one
        elif isinstance(one, dict):
            found += 1
            open_ones += one.values()
    return found
