"""Copulas after a value, as verb-final languages have them: "42입니다", "42 है", "42です".

Separate from languages.py, which holds the words, because what stands before such a copula decides whether it is one.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.languages import ENDINGS, ENDINGS_JOINED

_JOINED_AFTER_ANYTHING = tuple(entry for entry in ENDINGS_JOINED if len(entry) > 1)


def _longest(words: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_ENDING = re.compile(
    rf"(?:(?<=[\w)\]}}%$°])(?:{_longest(_JOINED_AFTER_ANYTHING)})|(?<=[\d)\]}}%$])(?:{_longest(ENDINGS_JOINED)})"
    rf"|(?:\s|(?<=[\d%$])['’]?)(?:{_longest(ENDINGS)}))[\s.。।۔!$*]*\Z"
)
_LOOK = 24
_LAST = frozenset(word[-1] for word in (*ENDINGS, *ENDINGS_JOINED))


def without_ending(text: str) -> str:
    """The text without the copula on which it ends; a text of nothing else stays.

    >>> without_ending("42입니다."), without_ending("x = 5 है।"), without_ending("Tadpole"), without_ending("42ではない")
    ('42', 'x = 5', 'Tadpole', '42ではない')
    """
    tail = text[-_LOOK:].rstrip(" .。।۔!$*\n")
    if not tail or tail[-1] not in _LAST:
        return text
    found = _ENDING.search(text, max(0, len(text) - _LOOK))
    return text[: found.start()].rstrip() if found and found.start() > 0 else text
