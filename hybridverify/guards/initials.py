"""Whether one of two names is made of the initials of the other: NYC for New York City."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.language.languages import FUNCTION_WORDS


def is_short_for(one: Sequence[str], other: Sequence[str]) -> bool:
    """Names in folded words, in either order.

    >>> is_short_for(("nyc",), ("new", "york", "city")), is_short_for(("ulm",), ("bonn",))
    (True, False)
    """
    return "".join(one) == _initials(other) or "".join(other) == _initials(one)


def _initials(words: Sequence[str]) -> str:
    """Of several words; one word has none."""
    return "".join(word[0] for word in words if word not in FUNCTION_WORDS) if len(words) > 1 else ""
