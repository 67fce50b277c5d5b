"""Rules that rewrite notation, each looked for only where its trigger stands in the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hybridverify.language import expressions as re

Rules: TypeAlias = "tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]"
"""Trigger, pattern, replacement, in the order in which they are tried."""


def rewritten(text: str, rules: Rules) -> str:
    """The text after all rules.

    >>> rewritten("5 +/- 2", (("+/-", re.compile(r"[+]/-"), "or"),))
    '5 or 2'
    """
    for trigger, pattern, replacement in rules:
        if trigger in text:
            text = pattern.sub(replacement, text)
    return text
