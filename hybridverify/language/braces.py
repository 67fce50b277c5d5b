"""Where a brace closes, within bounds."""

from __future__ import annotations

from hybridverify.language import expressions as re

MAX_ANSWER = 2_000
"""Longest answer that is read; longer ones give the problem `limit`."""
MAX_BOX = 2 * MAX_ANSWER
"""How far a closing brace is looked for: room for markup around the longest answer."""
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def closing_brace(text: str, brace: int, limit: int = MAX_BOX) -> int:
    r"""Where the brace at `brace` closes, or -1; `\{` and `\}` are no braces.

    >>> closing_brace(r"{a\}{b}}", 0)
    7
    """
    end = text.find("}", brace, brace + limit)
    if end >= 0 and "\\" not in text[brace:end] and "{" not in text[brace + 1 : end]:
        return end
    depth = 0
    for match in _BRACE.finditer(text, brace, min(len(text), brace + limit)):
        if match.group() == "{":
            depth += 1
        elif match.group() == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return -1
