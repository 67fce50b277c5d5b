r"""Vectors over i, j, k as tuples: `2\mathbf{i} - 3\mathbf{j} + \mathbf{k}` is (2, -3, 1)."""

from __future__ import annotations

from hybridverify.language import expressions as re

_MARKED = re.compile(
    r"\\(?:vec|hat|mathbf|boldsymbol|bm|textbf|overrightarrow)\s?\{?\s?(?:\\hat\s?\{?\s?)?\\?([ijk])(?:math)?\s?\}{0,2}"
)
_FACTOR = (
    r"(?:\d{1,9}(?:\.\d{1,9})?|\d{0,4}\\sqrt\{\d{1,6}\}|\\[dt]?frac(?:\{-?\d{1,6}\}\{\d{1,6}\}|\d\d)"
    r"|\(-?\d{1,6}(?:/\d{1,6})?\))"
)
_TERM = re.compile(rf"\s*([+-]?)\s*({_FACTOR}?)\s*(?:\*|\\cdot)?\s*([ijk])\s*")
_LAST = frozenset("jk")
_MAX, _LONGEST_NAME = 200, 24


def as_tuple(text: str) -> str:
    r"""The text as a tuple where it is a sum over at least two of i, j, k in their order.

    >>> as_tuple(r"2\mathbf{i}-\mathbf{k}"), as_tuple("3i+4j"), as_tuple("3+4i")
    ('(2,0,-1)', '(3,4)', '3+4i')
    >>> as_tuple(r"\vec{F}=2\hat{i}-3\hat{j}"), as_tuple("n=2i+3j")
    ('\\vec{F}=(2,-3)', 'n=2i+3j')
    """
    if _LAST.isdisjoint(text) or len(text) > _MAX:
        return text
    name, sign, rest = text.partition("=")
    if sign and "=" not in rest and len(name) <= _LONGEST_NAME and _MARKED.search(rest):
        return name + sign + as_tuple(rest.strip())
    parts = _parts(_MARKED.sub(r"\1", text).replace("\\,", " "))
    if len(parts) < 2:
        return text
    return "(" + ",".join(parts.get(letter, "0") for letter in ("ijk" if "k" in parts else "ij")) + ")"


def _parts(plain: str) -> dict[str, str]:
    """The number before each of i, j, k; nothing where the text is no sum over them in their order."""
    parts: dict[str, str] = {}
    at = 0
    while at < len(plain):
        term = _TERM.match(plain, at)
        if term is None or (at and not term[1]) or term[3] <= max(parts, default=""):
            return {}
        parts[term[3]] = ("-" if term[1] == "-" else "") + (term[2] or "1")
        at = term.end()
    return parts
