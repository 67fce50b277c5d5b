r"""Losses as accountants write them, in brackets: `(1,250)`, `\$(42.50)`."""

from __future__ import annotations

_SIGNS = "$€£¥₹"
_MAX = 40
_GROUP = 3


def as_loss(text: str) -> str:
    r"""The amount in brackets as a negative one, "" where the text is no amount in brackets.

    >>> as_loss("(1,250)"), as_loss(r"(\$42.50)"), as_loss("(2,3)"), as_loss("(x)")
    ('-1,250', '-\\$42.50', '', '')
    """
    plain = text.replace("\\$", "$").replace(" ", "")
    if len(plain) > _MAX or not plain.endswith(")") or "(" not in plain[:2]:
        return ""
    before, _, inside = plain[:-1].partition("(")
    sign = before or (inside[:1] if inside[:1] in _SIGNS else "")
    digits = inside.removeprefix(sign)
    if (sign and sign not in _SIGNS) or not _is_amount(digits):
        return ""
    return "-" + ("\\$" if sign == "$" else sign) + digits


def _is_amount(digits: str) -> bool:
    """`1,250.50`: every comma sets three digits apart."""
    whole, _, cents = digits.partition(".")
    first, *groups = whole.split(",")
    plain = all(part.isdigit() for part in (first, *groups)) and (not cents or cents.isdigit())
    return plain and all(len(group) == _GROUP for group in groups)
