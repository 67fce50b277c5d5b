r"""A response that answers the parts of a question one by one: `(a) 3`, `(b) \boxed{5}` on lines of their own.

Separate from boxes.py, because the boxes of several parts are one answer together, in the spelling `(a) 3, (b) 5`.
"""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.language.wrapping import unwrap
from hybridverify.maths.notation.parts import LETTERS

_LINE = re.compile(r"[*_]{0,2}(?:[Pp]art )?\(?([a-h])\)[.:]?[*_]{0,2}\s{0,3}([^\n]{1,120})")
_BOXED = re.compile(
    r"(?:[A-Za-z]\s?=\s?)?\$?\\boxed\{([^{}]{1,100}|[^{}]{0,60}\{[^{}]{1,40}\}[^{}]{0,60})\}\$?\.?"
)
_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{3,}")
_MAX_TEXT = 1_000


def parts(body: str) -> str:
    r"""The parts in a line, "" for a response with anything else in it.

    >>> parts("(a) 3\n(b) \\boxed{5}"), parts("a) 3\nSo it is 4."), parts("(a) We add.\n(b) 5")
    ('(a) 3, (b) 5', '', '')
    """
    lines = [line.strip() for line in body[:_MAX_TEXT].splitlines() if line.strip()]
    if len(body) > _MAX_TEXT or not 2 <= len(lines) <= len(LETTERS):
        return ""
    found = [_LINE.fullmatch(line) for line in lines]
    told = [(match[1], _value(match[2])) for match in found if match]
    if "".join(letter for letter, _ in told) != LETTERS[: len(lines)] or not all(text for _, text in told):
        return ""
    return ", ".join(f"({letter}) {text}" for letter, text in told)


def _value(text: str) -> str:
    """What one part says; "" for a sentence."""
    boxed = _BOXED.fullmatch(text.strip())
    value = unwrap(boxed[1] if boxed else text)
    return "" if _WORD.search(value) or "boxed" in value else value
