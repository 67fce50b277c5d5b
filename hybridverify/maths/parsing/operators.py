r"""Operators with bounds, as LaTeX and as programs write them: `\sum_{k=1}^n k`, `\lim_{x \to 0} x`, `\int_0^1 x dx`,
`\frac{d}{dx} x^2`, `summation(k, (k, 1, n))`. They become nodes that are kept, not evaluated (`algebra.operators`)."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.algebra.nodes import Call, Node, Num, Sym
from hybridverify.maths.algebra.operators import binding
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import depth_change
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.cursor import Cursor
from hybridverify.maths.parsing.series import with_index

NAMES = {"sum": "sum", "prod": "prod", "lim": "limit", "int": "integral"}
PROGRAMS = {
    "sum": "sum",
    "summation": "sum",
    "Sum": "sum",
    "prod": "prod",
    "product": "prod",
    "Product": "prod",
    "integrate": "integral",
    "Integral": "integral",
    "limit": "limit",
    "Limit": "limit",
    "diff": "derivative",
    "Derivative": "derivative",
}
_MARKS = ("d", "partial")
_SIDES = {"+": Num(1), "-": Num(-1)}


def read_operator(parser: Cursor, name: str) -> Node:
    """The operator whose command was just taken."""
    if name == "int":
        return _integral(parser)
    below, above = _scripts(parser)
    variable, start = _bound_letter(parser, below, "to" if name == "lim" else "=")
    if name == "lim":
        point, side = _one_sided(start)
        return _bound("limit", _body(parser, variable), variable, _part(parser, point), side)
    if not above:
        raise Unread("a sum without its end")
    low, high = _part(parser, start), _part(parser, above)
    return _bound(NAMES[name], _body(parser, variable), variable, low, high)


def _scripts(parser: Cursor) -> tuple[Sequence[Token], Sequence[Token]]:
    """The tokens of the index and of the exponent, in whichever order they stand."""
    found: dict[str, Sequence[Token]] = {}
    while parser.peek().text in ("_", "^") and parser.peek().kind == "op":
        mark = parser.take().text
        if mark in found:
            raise Unread("two indices")
        found[mark] = _script(parser)
    return found.get("_", ()), found.get("^", ())


def _script(parser: Cursor) -> Sequence[Token]:
    if parser.peek().text != "{":
        signed = parser.peek().text in ("+", "-")
        return [parser.take() for _ in range(1 + signed)]
    end = _closing(parser)
    inner = parser.tokens[parser.at + 1 : end]
    parser.at = end + 1
    return inner


def _closing(parser: Cursor) -> int:
    """The place of the bracket that closes the one at the parser's place."""
    depth = 0
    for place in range(parser.at, len(parser.tokens)):
        depth += depth_change(parser.tokens[place])
        if depth == 0:
            return place
    raise Unread("open bracket")


def _bound_letter(parser: Cursor, below: Sequence[Token], sign: str) -> tuple[str, Sequence[Token]]:
    """The letter of `k=1` or `x \\to 0`, and what stands behind the sign."""
    if len(below) < 3 or below[0].kind != "let" or below[1].text != sign:
        raise Unread("index of an operator")
    return below[0].text, below[2:]


def _one_sided(point: Sequence[Token]) -> tuple[Sequence[Token], Node]:
    """`3^+` as 3 and its side."""
    bare = [token for token in point if token.text not in ("{", "}")]
    if len(bare) > 2 and bare[-2].text == "^" and bare[-1].text in _SIDES:
        return bare[:-2], _SIDES[bare[-1].text]
    return point, Num(0)


def _part(parser: Cursor, tokens: Sequence[Token]) -> Node:
    """The expression that these tokens alone spell."""
    inner = type(parser)(tokens, parser.mixed)
    inner.depth = parser.depth
    node = inner.whole()
    if inner.at < len(inner.tokens):
        raise Unread("bound of an operator")
    return node


def _bound(name: str, body: Node, variable: str, *bounds: Node) -> Node:
    """The operator with its letter bound, also in the indices of other letters."""
    return binding(name, with_index(body, variable), variable, *bounds)


def _body(parser: Cursor, variable: str) -> Node:
    """The product behind the operator. A letter that comes back behind a plus may belong to it: nobody knows."""
    body = parser.product()
    depth = 0
    for token in parser.tokens[parser.at :]:
        depth += depth_change(token)
        if depth < 0 or (depth == 0 and token.kind in ("rel", "sep")):
            break
        if token.text == variable and token.kind == "let":
            raise Unread("where the body of an operator ends")
    return body


def _integral(parser: Cursor) -> Node:
    below, above = _scripts(parser)
    if bool(below) != bool(above):
        raise Unread("an integral with one bound")
    end, size = _differential(parser)
    variable = parser.tokens[end + size - 1].text[-1 if size == 1 else 0 :]
    tokens = parser.tokens[parser.at : end]
    body = _part(parser, tokens) if tokens else Num(1)
    parser.at = end + size
    if not below:
        return Call("integral", (body, Sym(variable)))
    return _bound("integral", body, variable, _part(parser, below), _part(parser, above))


def _differential(parser: Cursor) -> tuple[int, int]:
    """Where the `dx` of an integral stands, and how many tokens it has; inner integrals come first."""
    depth, wanted = 0, 1
    for place in range(parser.at, len(parser.tokens)):
        token = parser.tokens[place]
        depth += depth_change(token)
        if depth < 0 or (depth == 0 and token.kind in ("rel", "sep")):
            break
        if depth:
            continue
        wanted += token.text == "int" and token.kind == "cmd"
        size = _size_of_differential(parser.tokens, place)
        wanted -= bool(size)
        if size and not wanted:
            return place, size
    raise Unread("an integral without its differential")


def _size_of_differential(tokens: Sequence[Token], place: int) -> int:
    token = tokens[place]
    if token.kind == "word" and len(token.text) == 2 and token.text[0] == "d":
        return 1
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    lone = token.text == "d" and token.kind in ("let", "word")
    return 2 if lone and following is not None and following.kind == "let" else 0


def read_derivative(parser: Cursor) -> Node | None:
    r"""`\frac{d}{dx} f`, `\frac{df}{dx}`, `\frac{d^2}{dx^2} f` behind the command, None for any other fraction."""
    start = parser.at
    if parser.peek().text != "{" or parser.peek(1).text[:1] not in ("d", "p"):
        return None
    top = _script(parser)
    bottom = _script(parser) if parser.peek().text == "{" else ()
    below = _denominator(bottom)
    above = _numerator(top)
    if below is None or above is None or above[0] != below[1]:
        parser.at = start
        return None
    inner = above[1]
    body = _part(parser, inner) if inner else parser.product()
    return Call("derivative", (body, Sym(below[0]), Num(below[1])))


def _denominator(tokens: Sequence[Token]) -> tuple[str, int] | None:
    """The letter and the order of `dx`, `d x^2`, `\\partial x`."""
    texts = [token.text for token in tokens if token.text not in ("{", "}")]
    if texts and _is_differential(texts[0]):
        texts = ["d", texts[0][1], *texts[1:]]
    if len(texts) not in (2, 4) or texts[0] not in _MARKS:
        return None
    order = texts[3] if len(texts) == 4 and texts[2] == "^" else "1"
    return (texts[1], int(order)) if order in ("1", "2", "3", "4") else None


def _numerator(tokens: Sequence[Token]) -> tuple[int, Sequence[Token]] | None:
    """The order of `d`, `d^2 f`, `df`, and the tokens of what is derived."""
    if not tokens:
        return None
    first = tokens[0]
    if first.kind == "word" and _is_differential(first.text):
        return 1, [Token("let", first.text[1]), *tokens[1:]]
    if first.text not in _MARKS:
        return None
    rest = tokens[1:]
    return _with_order(rest) if rest and rest[0].text == "^" else (1, rest)


def _is_differential(text: str) -> bool:
    """`dx` in one word."""
    return len(text) == 2 and text[0] == "d"


def _with_order(tokens: Sequence[Token]) -> tuple[int, Sequence[Token]] | None:
    """The order behind a sign of powers, and the tokens behind it."""
    plain = [token.text for token in tokens[1:4] if token.text not in ("{", "}")]
    if not plain or plain[0] not in ("2", "3", "4"):
        return None
    size = 4 if tokens[1].text == "{" else 2
    return int(plain[0]), tokens[size:]


def read_program(parser: Cursor, name: str) -> Node:
    """`summation(2*k, (k, 1, n))`, `diff(f, x)`, behind the name."""
    parser.expect("(")
    body = parser.expression()
    parser.expect(",")
    if parser.peek().text == "(":
        parser.take()
        variable = _letter(parser)
        parser.expect(",")
        low = parser.expression()
        parser.expect(",")
        high = parser.expression()
        parser.expect(")")
        parser.expect(")")
        return _bound(PROGRAMS[name], body, variable, low, high)
    variable = _letter(parser)
    kind = PROGRAMS[name]
    if kind == "limit":
        parser.expect(",")
        point = parser.expression()
        parser.expect(")")
        return _bound("limit", body, variable, point, Num(0))
    if kind not in ("integral", "derivative"):
        raise Unread("a sum without its bounds")
    parser.expect(")")
    return Call(kind, (body, Sym(variable), *((Num(1),) if kind == "derivative" else ())))


def _letter(parser: Cursor) -> str:
    if parser.peek().kind != "let":
        raise Unread("index of an operator")
    return parser.take().text
