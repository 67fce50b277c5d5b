r"""Regular expressions that are compiled when they are first used: imported in the place of `re`.

    from hybridverify.language import expressions as re

The package has some 280 expressions, and one answer uses a tenth of them. To compile them all takes longer than to
import everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import (
    DOTALL,
    IGNORECASE,
    MULTILINE,
    I,
    Match,
    Pattern,
    escape,
    findall,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from typing import Any, cast

__all__ = [
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "I",
    "Match",
    "Pattern",
    "built",
    "compile",
    "escape",
    "findall",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
]
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


def compile(pattern: str, flags: int = 0) -> Pattern[str]:
    """`re.compile`, put off. A fault in the expression is raised where it is first used.

    >>> compile("[0-9]+").sub("n", "12 of 30")
    'n of n'
    """
    return cast("Pattern[str]", _Expression(pattern, flags))


def built(make: Callable[[], str], flags: int = 0) -> Pattern[str]:
    """The same for an expression whose text is made when it is first used."""
    return cast("Pattern[str]", _Expression(make, flags))


class _Expression:
    """Stands for an expression. Its methods become those of the compiled one, so that later calls take one look."""

    def __init__(self, pattern: str | Callable[[], str], flags: int) -> None:
        self._told = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        pattern, flags = self._told
        compiled = re.compile(pattern if isinstance(pattern, str) else pattern(), flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Expression, self._told
