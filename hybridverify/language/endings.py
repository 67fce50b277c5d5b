"""Copulas after a value, as verb-final languages have them: "42입니다", "42 है", "42です".

Separate from languages.py, which holds the words, because what stands before such a copula decides whether it is one.
"""

from __future__ import annotations

from hybridverify.language.languages import ENDINGS, ENDINGS_JOINED
from hybridverify.language.scripts import is_in_word

_ENDINGS = tuple(sorted((*ENDINGS, *ENDINGS_JOINED), key=len, reverse=True))
_SPACED = frozenset(ENDINGS)
_SIGNS = frozenset(")]}$`\"'")
"""On these a value ends."""
_LOOK = 24
_AROUND = " .。।۔!$*\n"
_LAST = frozenset(word[-1] for word in (*ENDINGS, *ENDINGS_JOINED))
MAY_END = _LAST.union(_AROUND)
"""A text that ends on no such character ends on no copula."""


def without_ending(text: str) -> str:
    """The text without the copula on which it ends; a text of nothing else stays.

    >>> without_ending("42입니다."), without_ending("x = 5 है।"), without_ending("42 です"), without_ending("42ではない")
    ('42', 'x = 5', '42', '42ではない')
    """
    tail = text[-_LOOK:].rstrip(_AROUND)
    if not tail or tail[-1] not in _LAST:
        return text
    told = text[: len(text) - min(_LOOK, len(text)) + len(tail)]
    for ending in _ENDINGS:
        before = told[: -len(ending)] if told.endswith(ending) else ""
        if before and _may_end(before, ending):
            return before.rstrip(" '’" if ending in _SPACED else " ")
    return text


def _may_end(before: str, ending: str) -> bool:
    """Whether what stands before a copula lets it be one: a blank, a value, or for a long one a word."""
    last = before[-1]
    if ending in _SPACED:
        return last.isspace() or before.rstrip("'’")[-1:].isdecimal() or last in "%$"
    end = before.rstrip()[-1:]
    if _is_of_value(end) or (last.isspace() and end.isascii() and end.isalpha()):  # `48 です`, `2 hours です`
        return True
    return len(ending) > 1 and (is_in_word(last) or last in "%°")


def _is_of_value(last: str) -> bool:
    return last.isdecimal() or last in _SIGNS
