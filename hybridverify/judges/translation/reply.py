"""A model's reply, read strictly: one line with one value, or no translation."""

from __future__ import annotations

from hybridverify.judges.parse import final_part
from hybridverify.judges.translation.prompt import NONE
from hybridverify.language import expressions as re
from hybridverify.language.wrapping import unwrap

MAX_REPLY = 200
"""A longer line is a text and no value."""
_SENTENCE = re.compile(r"(?:\d|[^\W\d_]{4,})[.!?;]\s+[^\W\d_]{2,}")


def read_translation(text: str, cut: bool = False) -> str:
    r"""The translation that a reply holds, or "".

    >>> read_translation("$-42$"), read_translation("none."), read_translation("It is 4. So 4")
    ('-42', '', '')
    """
    said = final_part(text)
    if cut or said is None or "\n" in said.strip() or len(said.strip()) > MAX_REPLY:
        return ""
    line = unwrap(said.strip())
    if not line or line.rstrip(".").lower() == NONE or _SENTENCE.search(line) or not _balanced(line):
        return ""
    return line


def _balanced(text: str) -> bool:
    """Whether brackets close in order. Those of an interval may be of two kinds."""
    depth = 0
    for sign in text.replace("\\{", "").replace("\\}", ""):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0
