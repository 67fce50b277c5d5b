"""Formulas of substances without subscripts: `H2SO4` is `H_2SO_4`."""

from __future__ import annotations

from hybridverify.language import expressions as re

_PART = re.compile(r"([A-Z][a-z]?|[()])([1-9]\d?)?")
_MAX_FORMULA = 60


def with_counts(text: str) -> str:
    """The counts of a formula as subscripts; the text itself where it is no formula, or of one symbol alone.

    >>> with_counts("H2SO4"), with_counts("C6H12O6"), with_counts("K2")
    ('H_2SO_4', 'C_6H_{12}O_6', 'K2')
    """
    if not text[:1].isupper() or len(text) > _MAX_FORMULA or (not text.isalnum() and "(" not in text):
        return text
    parts = _PART.findall(text)
    symbols = [name for name, _ in parts if name not in "()"]
    if len(symbols) < 2 or "".join(map("".join, parts)) != text:
        return text
    return "".join(name + _subscript(count) for name, count in parts)


def _subscript(count: str) -> str:
    if not count:
        return ""
    return f"_{count}" if len(count) == 1 else f"_{{{count}}}"
