"""Several values in a line under names: parts of a question, `(a) 3, (b) 5` and `(1) 3, (2) 5`, and points,
`A(1,2), B(3,4)`."""

from __future__ import annotations

from hybridverify.language import expressions as re

LETTERS = "abcdefgh"
"""The labels, in the one order in which they count."""
_FIGURES = "12345678"
_LABEL = re.compile(
    r"(?:(?<=[\s,;.\d}])|^)(?:[Pp]art )?(?:\(?([a-h])\)|\(([1-8])\))(?:[.:]\s?|\s|(?=[-\d$\\]))"
)
_OWN_NAME = re.compile(r"[A-Za-z]\s?=\s?(?=[^=]+$)")
_SEVERAL = re.compile(r"[,;=<>]|\band\b|\bor\b")
_BRACKETS = re.compile(r"\([^()]{0,80}\)|\[[^\[\]]{0,80}\]|\\\{[^{}]{0,80}\\\}")

_COORDINATE = r"-?(?:\d[\d./]{0,12}|\\[dt]?frac\{-?\d{1,6}\}\{\d{1,6}\}|[a-z]|\d{0,4}\\sqrt\{\d{1,6}\})"
_POINT_NAME = r"[A-Z](?:'|\^\{?\\prime\}?){0,2}"
_POINT = rf"{_POINT_NAME}\s?=?\s?\(\s?{_COORDINATE}(?:\s?[,;]\s?{_COORDINATE}){{1,2}}\s?\)"
_NEXT = r"(?:\s?[,;]?\s?(?:and|\\text\s?\{\s?and\s?\})\s?|\s?[,;]\s?)"
_POINTS = re.compile(rf"{_POINT}(?:{_NEXT}{_POINT}){{1,7}}")
_NAMED = re.compile(rf"({_POINT_NAME})\s?=?\s?\(")


def named_points(text: str) -> str:
    """Two points or more with an equals sign each: beside another, `P(3,1)` counts no permutations.

    >>> named_points("P(3,1), Q'(2,5)"), named_points("P(3,1)")
    ("P=(3,1), Q'=(2,5)", 'P(3,1)')
    """
    if text[:1].isupper() and text.count("(") > 1 and _POINTS.fullmatch(text):
        return _NAMED.sub(r"\1=(", text)
    return text


def named_parts(text: str) -> str:
    """The parts under names; the text itself where it has not several, or a part is a list of its own.

    >>> named_parts("(a) 3, (b) x = 5"), named_parts("a) 3; b) (1, 2)"), named_parts("(a) 3 or 4 (b) 5")
    ('a=3, b=5', 'a=3, b=(1, 2)', '(a) 3 or 4 (b) 5')
    """
    labels = _labels(text)
    if len(labels) < 2:
        return text
    ends = [label.start() for label in labels[1:]] + [len(text)]
    told = [text[label.end() : end].strip(" ,;.") for label, end in zip(labels, ends, strict=True)]
    values = [_OWN_NAME.sub("", part, count=1) if _OWN_NAME.match(part) else part for part in told]
    if not all(values) or any(_SEVERAL.search(_BRACKETS.sub("", value)) for value in values):
        return text
    return ", ".join(f"{letter}={value}" for letter, value in zip(LETTERS, values, strict=False))


def _labels(text: str) -> list[re.Match[str]]:
    """The labels (a), (b) and so on, or (1), (2), in their order; none where another one stands between."""
    labels = list(_LABEL.finditer(text)) if ")" in text[:12] and _LABEL.match(text) else []
    told = "".join(label[1] or label[2] for label in labels)
    return labels if LETTERS.startswith(told) or _FIGURES.startswith(told) else []
