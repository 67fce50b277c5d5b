r"""Comments, which no reader of the rendered text sees: `<!-- .. -->` and what stands after `%` on a TeX line.

A box in one is no answer. Separate from extract.py because a percent sign opens a comment only in places where it
cannot mean a percentage or a remainder.
"""

from __future__ import annotations

_LINE = 400
"""How far back on its line a box looks for a percent sign."""


def without_comments(text: str) -> str:
    """The text without HTML comments; one that nobody closes goes to the end where something stands before it.

    >>> without_comments(r"\\boxed{7} <!-- \\boxed{8} -->")
    '\\\\boxed{7} '
    """
    if "<" not in text or "<!--" not in text:
        return text
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        kept.append(text[at:start])
        end = text.find("-->", start + 4)
        if end < 0:
            before = "".join(kept)
            return before if before.strip() else text
        at = end + 3
    return "".join([*kept, text[at:]])


def without_tex_comments(text: str) -> str:
    """The text without what stands after a percent sign that follows a blank or begins a line.

    >>> without_tex_comments("5 % of them"), without_tex_comments("5% of them")
    ('5 ', '5% of them')
    """
    if "%" not in text:
        return text
    return "\n".join(map(_uncommented, text.split("\n")))


def _uncommented(line: str) -> str:
    at = line.find("%")
    while at > 0 and not line[at - 1].isspace():
        at = line.find("%", at + 1)
    return line[:at] if at >= 0 else line


def in_tex_comment(text: str, place: int) -> bool:
    """Whether a percent sign at the line's beginning, or after a box of the same line, comments this place out."""
    line = text[max(text.rfind("\n", 0, place) + 1, place - _LINE) : place]
    at = line.find("%")
    while at >= 0:
        before = line[:at]
        if not before.strip():
            return True
        if "boxed" in before and before[-1:] in (" ", "\t") and not line[at + 1 :].strip(" $\\("):
            return True
        at = line.find("%", at + 1)
    return False
