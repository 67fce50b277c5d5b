"""Atoms around letters: indices, marks such as a bar over two points, and absolute values."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Call, Node, Sym
from hybridverify.maths.limits import Unread
from hybridverify.maths.parsing.cursor import Cursor


def index(parser: Cursor) -> str:
    """The subscript at the parser's place as canonical text, `""` where there is none."""
    if parser.peek().text != "_":
        return ""
    parser.take()
    token = parser.take()
    if token.kind in ("num", "let", "const", "word", "fun"):
        return "_" + token.text
    if token.text != "{":
        raise Unread("index")
    parts: list[str] = []
    depth = 1
    while True:
        token = parser.take()
        depth += (token.text == "{") - (token.text == "}")
        if token.kind == "end" or len(parts) > 20:
            raise Unread("index")
        if depth == 0:
            return "_" + "".join(parts)
        parts.append(token.text)


def marked_letters(parser: Cursor, name: str) -> Node:
    """`\\overline{AB}`, `\\angle ABC`: one symbol."""
    braces = parser.peek().text == "{"
    if braces:
        parser.take()
    letters = []
    while parser.peek().kind in ("let", "word"):
        letters.append(parser.take().text + index(parser))
    if braces:
        parser.expect("}")
    if not letters:
        raise Unread("no letters")
    return Sym(f"{name} {''.join(letters)}")


def absolute(parser: Cursor) -> Node:
    """`|x|`; bars do not nest without brackets."""
    parser.take()
    parser.bars += 1
    node = parser.expression()
    parser.bars -= 1
    if parser.peek().kind != "bar":
        raise Unread("open bar")
    parser.take()
    return Call("abs", (node,))
