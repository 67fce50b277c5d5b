"""Numbers within expressions, alone or mixed: two and a third is a sum, and no product."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.algebra.literals import number
from hybridverify.maths.algebra.nodes import Node, Num
from hybridverify.maths.limits import Unread
from hybridverify.maths.parsing.atoms import fraction_argument
from hybridverify.maths.parsing.cursor import Cursor


def read_number(parser: Cursor) -> Node:
    """The number at the parser's place, with a fraction behind it that belongs to it."""
    node = number(parser.take())
    if not parser.mixed or node.digits >= 0 or node.value.denominator != 1:
        return node
    fraction = _fraction_part(parser)
    return node if fraction is None else Num(node.value + fraction)


def _fraction_part(parser: Cursor) -> Fraction | None:
    """The fraction of a mixed number: `2\\frac13`, `2 1/3`."""
    top = parser.peek()
    if top.kind == "cmd" and top.text == "frac":
        return _set_fraction(parser)
    if top.kind != "num" or not top.gap:
        return None
    slash, bottom = parser.peek(1), parser.peek(2)
    if slash.text != "/" or bottom.kind != "num":
        return None
    if not (top.text.isdigit() and bottom.text.isdigit()) or int(top.text) >= int(bottom.text):
        raise Unread("number after number")
    parser.at += 3
    return Fraction(int(top.text), int(bottom.text))


def _set_fraction(parser: Cursor) -> Fraction | None:
    start = parser.at
    parser.take()
    parts = [fraction_argument(parser, first=True), fraction_argument(parser)]
    literal = all(type(p) is Num and p.digits < 0 and p.value.denominator == 1 for p in parts)
    if not literal or parser.peek().text == "^":
        parser.at = start
        return None
    top, bottom = (int(p.value) for p in parts if type(p) is Num)
    if not 0 < top < bottom:
        raise Unread("an improper fraction after a number")
    return Fraction(top, bottom)
