"""Tables of rules that rewrite notation, each looked for only where its trigger stands in the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hybridverify.language import expressions as re

_New: TypeAlias = "str | Callable[[re.Match[str]], str]"
Rules: TypeAlias = "tuple[tuple[str, re.Pattern[str], _New, bool], ...]"
_FROM_THE_START = ("^", "(?i)^", "(?s)^")


def rules(*rows: tuple[str, str, _New]) -> Rules:
    """Rows of a trigger, an expression and what takes its place, in the order in which they are tried."""
    return tuple(
        (trigger, re.compile(expression), new, expression.startswith(_FROM_THE_START))
        for trigger, expression, new in rows
    )


def rewritten(text: str, table: Rules) -> str:
    """The text after all rules.

    >>> rewritten("5 +/- 2", rules(("+/-", r"[+]/-", "or")))
    '5 or 2'
    """
    for trigger, expression, new, at_start in table:
        # `sub` would try an expression that begins at the start of the text at every other place too
        if trigger in text and (not at_start or expression.match(text)):
            text = expression.sub(new, text)
    return text
