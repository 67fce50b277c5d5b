"""Answers to the parts of one question in a line, as values under names: `(a) 3, (b) 5` is `a=3, b=5`."""

from __future__ import annotations

from hybridverify.language import expressions as re

LETTERS = "abcdefgh"
"""The labels, in the one order in which they count."""
_LABEL = re.compile(r"(?:(?<=[\s,;.])|^)(?:[Pp]art )?\(?([a-h])\)(?:[.:]\s?|\s|(?=[-\d$\\]))")
_OWN_NAME = re.compile(r"[A-Za-z]\s?=\s?(?=[^=]+$)")
_SEVERAL = re.compile(r"[,;=<>]|\band\b|\bor\b")
_BRACKETS = re.compile(r"\([^()]{0,80}\)|\[[^\[\]]{0,80}\]|\\\{[^{}]{0,80}\\\}")


def named_parts(text: str) -> str:
    """The parts under names; the text itself where it has not several, or a part is a list of its own.

    >>> named_parts("(a) 3, (b) x = 5"), named_parts("a) 3; b) (1, 2)"), named_parts("(a) 3 or 4 (b) 5"), named_parts("(a)")
    ('a=3, b=5', 'a=3, b=(1, 2)', '(a) 3 or 4 (b) 5', '(a)')
    """
    labels = list(_LABEL.finditer(text)) if ")" in text[:12] and _LABEL.match(text) else []
    if not 2 <= len(labels) <= len(LETTERS) or "".join(label[1] for label in labels) != LETTERS[: len(labels)]:
        return text
    ends = [label.start() for label in labels[1:]] + [len(text)]
    told = [text[label.end() : end].strip(" ,;.") for label, end in zip(labels, ends, strict=True)]
    values = [_OWN_NAME.sub("", part, count=1) if _OWN_NAME.match(part) else part for part in told]
    if not all(values) or any(_SEVERAL.search(_BRACKETS.sub("", value)) for value in values):
        return text
    return ", ".join(f"{label[1]}={value}" for label, value in zip(labels, values, strict=True))
