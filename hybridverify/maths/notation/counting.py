r"""Numbers of selections and of arrangements: `C_8^3`, `8C3`, `nCr(8, 3)`, `P(8, 2)`, `A_8^2`, `8 choose 3`.

Read only where both are plain numbers and the smaller is chosen from the larger: `C_1^2` may be the square of a
constant, `P(1, 2)` a point.
"""

from __future__ import annotations

from hybridverify.language import expressions as re

_N = r"\{?\s?(\d{1,4})\s?\}?"
_LETTER = r"(?:\\(?:text|mathrm|rm|operatorname)\s?\{\s?([CPA])\s?\}|([CPA]))"
_NAMES = (
    r"(?:\\(?:text|mathrm|rm|operatorname)\s?\{\s?(nCr|nPr|C|P)\s?\}"
    r"|(nCr|nPr|C|P|binomial|comb|math\.comb|perm|math\.perm))"
)
_INDICES = re.compile(rf"(?<![A-Za-z\\}}]){_LETTER}\s?(?:_\s?{_N}\s?\^\s?{_N}|\^\s?{_N}\s?_\s?{_N})(?!\d)")
_BEFORE = re.compile(rf"(?<![A-Za-z0-9)\]])(?:\{{\s?\}}\s?)?[_^]\s?{_N}\s?{_LETTER}\s?_\s?{_N}(?![\d^])")
_CALL = re.compile(rf"(?<![A-Za-z\\^_}}]){_NAMES}\s?\(\s?(\d{{1,4}})\s?[,;]\s?(\d{{1,4}})\s?\)")
_BETWEEN = re.compile(
    r"(\d{1,3})\s?(?:([CP])|(choose)|\\text\s?\{\s?(choose)\s?\}|\\mathrm\s?\{\s?([CP])\s?\})\s?(\d{1,3})"
)
_ARRANGED = frozenset(("P", "A", "nPr", "perm", "math.perm"))
_LEAST = 3
"""From fewer things nobody counts selections: `C_2^2` is the square of a constant."""


def counted(text: str) -> str:
    r"""The text with such numbers as binomials and quotients of factorials.

    >>> counted("C_8^3"), counted("P(8, 2)"), counted("P(1, 2)")
    ('\\binom{8}{3}', '(\\frac{8!}{6!})', 'P(1, 2)')
    """
    if not any(char in text for char in ("C", "P", "A", "choose", "comb", "perm", "binomial")):
        return text
    if "_" in text:
        if "^" in text:
            text = _INDICES.sub(_with_indices, text)
        text = _BEFORE.sub(lambda found: _number(found[2] or found[3], found[1], found[4], found[0]), text)
    if "(" in text:
        text = _CALL.sub(lambda found: _number(found[1] or found[2], found[3], found[4], found[0]), text)
    whole = _BETWEEN.fullmatch(text)
    if whole:
        kind = next(filter(None, whole.group(2, 3, 4, 5)))
        return _number(kind, whole[1], whole[6], text)
    return text


def _with_indices(found: re.Match[str]) -> str:
    below, above = (found[3], found[4]) if found[3] else (found[6], found[5])
    return _number(found[1] or found[2], below, above, found[0])


def _number(kind: str, of: str, taken: str, written: str) -> str:
    size, count = int(of), int(taken)
    if size < _LEAST or count > size:
        return written
    if kind in _ARRANGED:
        return rf"(\frac{{{size}!}}{{{size - count}!}})"
    return rf"\binom{{{size}}}{{{count}}}"
