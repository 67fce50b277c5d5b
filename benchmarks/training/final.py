"""Where a response says its final answer."""

from __future__ import annotations

import re

_BRACES = re.compile(r"\\boxed\s*\{|\\[{}\\]|[{}]")
_STATED = re.compile(r"answer(?:\s+is\b|\s*:)[ \t*:]*", re.IGNORECASE)
_AFTER = re.compile(r"[\s$~]*(?:\\[,;: )\]]|\\(?:text|mathrm)\{|\s)*([a-z]+|\\?%)", re.IGNORECASE)


def final_answer(response: str) -> str:
    """What the last box holds; without one, what follows the last `answer is` or `answer:`; else the last line.

    >>> final_answer(r"\\boxed{1}, no: \\boxed{\\frac{1}{2}}")
    '\\\\frac{1}{2}'
    """
    box = _last_box(response)
    if box is not None:
        return response[slice(*box)].strip()
    stated = max(_STATED.finditer(response), key=re.Match.start, default=None)
    lines = (response[stated.end() :] if stated else response).strip().splitlines()
    return (lines[0] if stated else lines[-1]).strip(" *\t") if lines else ""


def unit_beside(response: str) -> str:
    """The word right after the last box, or the dollars right before it.

    >>> unit_beside(r"That is \\(\\boxed{1.5}\\text{ hours}\\)"), unit_beside(r"\\$\\boxed{2}")
    ('hours', 'dollars')
    >>> unit_beside(r"are \\(\\boxed{9}\\) meters long")
    'meters'
    """
    box = _last_box(response)
    if box is None:
        return ""
    if response[: box[0]].endswith(r"\$\boxed{"):
        return "dollars"
    after = _AFTER.match(response, box[1] + 1, box[1] + 40)
    return after[1] if after else ""


def _last_box(response: str) -> tuple[int, int] | None:
    """Where the content of the box that closes last begins and ends, found in one pass."""
    opened: list[int] = []
    box = None
    for brace in _BRACES.finditer(response):
        if brace[0].endswith("{") and brace[0] != "\\{":
            opened.append(brace.end() if len(brace[0]) > 1 else -1)
        elif brace[0] == "}" and opened and (start := opened.pop()) >= 0:
            box = start, brace.start()
    return box
