"""Number literals: digits, decimals, e-notation and recurring decimals, all exact."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.algebra.nodes import Num, coarse, whole
from hybridverify.maths.limits import MAX_EXPONENT, Limit
from hybridverify.maths.notation.tokens import Token


def number(token: Token) -> Num:
    """The literal of a `num` token, exact, with the digits after its point.

    >>> number(Token("num", "1.50"))
    Num(value=Fraction(3, 2), digits=2)
    """
    text = token.text
    if text.isdigit():
        return Num(int(text))
    if token.note.startswith("cycle"):
        return Num(_recurring(text, token.note[5:]))
    mantissa, _, power = text.replace("E", "e").partition("e")
    if power and abs(int(power[:6])) > MAX_EXPONENT:
        raise Limit("limit")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    value = Fraction(mantissa if mantissa[0] != "." else "0" + mantissa) * Fraction(10) ** int(power or 0)
    return Num(whole(value), coarse(places) if power else places or -1)


def _recurring(head: str, cycle: str) -> Fraction:
    fixed = head.partition(".")[2]
    return Fraction(head.rstrip(".")) + Fraction(int(cycle), (10 ** len(cycle) - 1) * 10 ** len(fixed))
