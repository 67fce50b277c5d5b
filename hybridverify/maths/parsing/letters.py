"""Atoms around letters: indices, marks such as a bar over two points, and absolute values."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Call, Const, Node, Sym
from hybridverify.maths.limits import MAX_ITEMS, Limit, Unread
from hybridverify.maths.parsing.cursor import Cursor

MARKS = frozenset(("overline", "vec", "hat", "angle", "triangle", "dot", "ddot", "tilde"))
"""Commands that set a mark on letters."""
_FUNCTION_LETTERS = frozenset("fgh")
_ACCENTS = frozenset(("dot", "ddot", "tilde"))


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


def letter(parser: Cursor) -> Node:
    """A letter with its index and primes, or a function applied to arguments."""
    token = parser.take()
    below, primes = index(parser), ""
    while parser.peek().text in ("'", "prime"):
        parser.take()
        primes += "'"
    name = token.text + (below or index(parser)) + primes
    if token.text in _FUNCTION_LETTERS and parser.peek().text in ("(", "{"):
        applied = _applied(parser, name)
        if applied is not None:
            return applied
    if name == "C" and parser.peek().text == "(" and _holds_two(parser):
        parser.take()
        return Call("binom", arguments(parser, ")"))
    if name == "e":
        return Const("e")
    return Sym(name)


def _applied(parser: Cursor, name: str) -> Node | None:
    r"""`f(x)` behind the letter, with or without braces around its bracket: `f{\left(x \right)}`."""
    braces = parser.peek().text == "{"
    if braces and parser.peek(1).text != "(":
        return None
    start = parser.at
    parser.at += 1 + braces
    args = arguments(parser, ")")
    if braces and parser.peek().text != "}":
        parser.at = start
        return None
    parser.at += braces
    return Call(name, args)


def _holds_two(parser: Cursor) -> bool:
    """Does the bracket at the parser's place hold two numbers, as in `C(5, 2)`?"""
    inner: list[str] = []
    for ahead in range(1, 12):
        token = parser.peek(ahead)
        if token.text == ")":
            return inner.count(",") == 1 and "," not in (inner[0], inner[-1])
        if token.kind not in ("num", "let") and token.text not in (",", "+", "-"):
            return False
        inner.append(token.text)
    return False


def arguments(parser: Cursor, closing: str) -> tuple[Node, ...]:
    """Expressions separated by commas, up to the closing bracket."""
    found = [parser.expression()]
    while parser.peek().text in (",", ";") and parser.peek().kind == "sep":
        parser.take()
        found.append(parser.expression())
        if len(found) > MAX_ITEMS:
            raise Limit("limit")
    parser.expect(closing)
    return tuple(found)


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
    if name in _ACCENTS and not any("_" in letter for letter in letters):
        letters[-1] += index(parser)  # `\\dot{x}_0` and `\\dot{x_0}`
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
