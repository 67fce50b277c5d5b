r"""A response that answers the parts of a question one by one: `(a) 3`, `(b) \boxed{5}` on lines of their own.

Separate from boxes.py, because the boxes of several parts are one answer together, in the spelling `(a) 3, (b) 5`.
"""

from __future__ import annotations

from hybridverify.answers.marks import boxes_from_end
from hybridverify.language import expressions as re
from hybridverify.language.names import before_name
from hybridverify.language.patterns import TELLING_WORD
from hybridverify.language.wrapping import unwrap
from hybridverify.maths.notation.parts import LETTERS

_LINE = re.compile(r"[*_]{0,2}(?:[Pp]art )?\(?([a-h])\)[.:]?[*_]{0,2}\s{0,3}([^\n]{1,120})")
_MAX_TEXT = 1_000


def parts(body: str) -> str:
    r"""The parts in a line, "" for a response with anything else in it.

    >>> parts("(a) 3\n(b) \\boxed{5}"), parts("a) 3\nSo it is 4."), parts("(a) We add.\n(b) 5")
    ('(a) 3, (b) 5', '', '')
    """
    lines = list(filter(None, map(str.strip, body.splitlines()))) if len(body) <= _MAX_TEXT else []
    if not 2 <= len(lines) <= len(LETTERS):
        return ""
    found = [_LINE.fullmatch(line) for line in lines]
    told = [(match[1], value) for match in found if match and (value := _value(match[2]))]
    if "".join(letter for letter, _ in told) != LETTERS[: len(lines)]:
        return ""
    return ", ".join(f"({letter}) {text}" for letter, text in told)


def _value(text: str) -> str:
    """What one part says; "" for a sentence."""
    box = next(boxes_from_end(text), None)
    around = before_name(text[: box.start]) + text[box.end :] if box else text
    value = unwrap(box.content if box and not around.strip("$. ") else text)
    return "" if TELLING_WORD.search(value) or "boxed" in value else value
