r"""A response as its reader sees it: without commands, tags, emphasis, quotation marks and odd forms of letters.

Separate from wrapping.py and text.py, which keep every sign that may have a value: among options only words, stops and
brackets matter.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from hybridverify.language import expressions as re
from hybridverify.language.patterns import TYPESETTING
from hybridverify.language.wrapping import visible

MAX_TEXT = 8_000
"""How much of a text is read, from its end."""
ANNOUNCED = "\u21db"
"""Stands for a box, a tag or hashes: what follows is marked as an answer."""
_MARKUP = re.compile(
    r"(?P<mark>\\(?:boxed|fbox|framebox)(?![A-Za-z])|\#{4}(?!\#)|<(?:final_)?answer>|\[(?:final[ _])?answer\])"
    r"|(?P<line>\\\\|(?-i:\\n(?![a-z]))|<(?:br|/?li|/?tr|/?td|/?p|/?div)\b[^<>\n]{0,60}>)"
    r"|\\(?:begin|end)\{[^{}\n]{1,20}\}(?:\{[^{}\n]{0,20}\})?|\\(?:[A-Za-z]+|.)|</?[A-Za-z][^<>\n]{0,60}>"
    r"|(?-i:(?<![a-z0-9)\]])_|_(?![a-z0-9{]))|(?<![A-Za-z\d])'(?=[^'\n]{1,80}'(?![A-Za-z]))|(?<=[\w.)])'(?![A-Za-z])"
    r"|[*~`$&{}|\"“”„«»]",
    re.IGNORECASE,
)
"""What sets type: marks of an answer, ends of lines, and the rest."""


_MAX_QUOTED = 80
_PARTS = tuple(
    f"</{name}>" for name in ("reasoning", "thinking", "thought", "analysis", "scratchpad", "work")
)
"""Ends of a part of its own before the answer, where no setting names it."""


@lru_cache(maxsize=512)  # the options of a question, and a response for each rule
def flat(text: str) -> str:
    r"""The text without what sets type, in lines.

    >>> flat(r"\textbf{(A)}\ 7 \\ **B**"), flat("<li>Ａ</li>")
    ('(A) 7\nB', 'A')
    """
    for end in _PARTS:
        text = text.rpartition(end)[2]
    plain = unicodedata.normalize("NFKC", visible(text[-MAX_TEXT:]))
    lines = (" ".join(line.split()) for line in _MARKUP.sub(_plain, plain).splitlines())
    return "\n".join(filter(None, lines))


def _plain(markup: re.Match[str]) -> str:
    if markup[0] == "'":
        return _quote(markup)
    if markup["mark"]:
        return f" {ANNOUNCED} "
    if markup["line"]:
        return "\n"
    command = markup[0]
    silent = len(command) < 3 or command[0] == "<" or "{" in command or TYPESETTING.fullmatch(command)
    return " " if silent else f" {command[1:]} "


def _quote(markup: re.Match[str]) -> str:
    """Nothing for a quotation mark; the sign itself where it closes no quotation: D' is no D."""
    at, text = markup.start(), markup.string
    opens = not text[at - 1 : at].isalnum() and text[at - 1 : at] not in (".", ")")
    return " " if opens or "'" in text[max(0, at - _MAX_QUOTED) : at] else "'"
