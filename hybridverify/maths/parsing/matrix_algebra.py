r"""Small matrices that are still to be added, multiplied or inverted: `A + B`, `2A^{-1}`, `(A + B)^T`, `\det A`.

Everything is computed entry by entry on nodes, with a bound on the size; what is no such term is Unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TypeAlias

from hybridverify.maths.algebra.nodes import Add, Mul, Node, Num, Pow, negative, rational_value, walk
from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.tokenlists import Tokens, depth_change, split
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.expressions import parse

Rows: TypeAlias = "tuple[tuple[Node, ...], ...]"
Term: TypeAlias = "Node | Rows"
MAX_SIZE = 6
_MAX_INVERTED = 4
_MAX_POWER = 4
_MAX_NODES = 400
"""Of one entry: products of products grow with every factor."""
_FUNCTIONS = frozenset(("det", "adjugate", "adj", "tr", "trace"))
_TRANSPOSED = frozenset(("T", "top"))
MATRICES = frozenset(("matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array"))


def is_computed(tokens: Tokens) -> bool:
    """Does a matrix stand in the tokens outside sets, with nothing that separates items?"""
    depth = 0
    for token in tokens:
        depth += depth_change(token)
        if token.text == "\\{" or (depth == 0 and token.kind in ("sep", "rel")):
            return False
    return any(token.kind == "env" and token.text[6:] in MATRICES | {"vmatrix"} for token in tokens)


def computed(tokens: Tokens) -> Term:
    """The value of a sum of products: rows, or a node where a number comes out."""
    parts, signs = split(tokens, lambda token: token.kind == "op" and token.text in "+-")
    if not parts[0] and signs:
        parts = parts[1:]
    else:
        signs = ["+", *signs]
    if not all(parts):
        raise Unread("a sum of matrices")
    terms = [
        _scaled(_product(part), Num(-1)) if sign == "-" else _product(part)
        for part, sign in zip(parts, signs, strict=True)
    ]
    total = terms[0]
    for term in terms[1:]:
        total = _sum(total, term)
    return total


def _product(tokens: Tokens) -> Term:
    """Factors from left to right."""
    if tokens[-1].text in ("*", "/"):
        raise Unread("an unfinished product")
    total: Term | None = None
    at, divided = 0, False
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "op" and token.text in "*/":
            divided = token.text == "/"
            at += 1
            continue
        factor, at = _factor(tokens, at)
        if divided:
            if isinstance(factor, tuple):
                raise Unread("division by a matrix")
            factor = Pow(factor, Num(-1))
        total = factor if total is None else _times(total, factor)
        divided = False
    if total is None or divided:
        raise Unread("a product of matrices")
    return total


def _factor(tokens: Tokens, at: int) -> tuple[Term, int]:
    """The factor that begins there, and the place behind it."""
    if tokens[at].text in _FUNCTIONS:
        inner, end = _factor(tokens, at + 1) if at + 1 < len(tokens) else (Num(0), at)
        return _applied(tokens[at].text, inner), end
    if tokens[at].kind == "bar":
        return _between_bars(tokens, at)
    end = _end(tokens, at)
    if _holds_matrix(tokens[at:end]):
        return _raised(_block(tokens[at:end]), tokens, end)
    while end < len(tokens) and not _begins_matrix(tokens, end):
        end = _end(tokens, end)
    run = tokens[at:end]
    while run and run[-1].text == "*":
        run = run[:-1]
    return parse(run), at + len(run)


def _between_bars(tokens: Tokens, at: int) -> tuple[Term, int]:
    """The determinant between the bar there and the next one, and the place behind it."""
    end = _end(tokens, at + 1)
    if end < len(tokens) and tokens[end].kind == "bar":
        return determinant(_as_rows(computed(tokens[at + 1 : end]))), end + 1
    raise Unread("bars")


def _end(tokens: Tokens, at: int) -> int:
    """The place behind the token there, or behind the bracket that it opens."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += depth_change(tokens[place])
        if depth == 0:
            return place + 1
    raise Unread("open bracket")


def _holds_matrix(tokens: Tokens) -> bool:
    return any(token.kind == "env" for token in tokens)


def _begins_matrix(tokens: Tokens, at: int) -> bool:
    return (
        tokens[at].text in _FUNCTIONS
        or tokens[at].kind == "bar"
        or _holds_matrix(tokens[at : _end(tokens, at)])
    )


def _block(tokens: Tokens) -> Term:
    """An environment, or what stands in brackets."""
    if tokens[0].kind != "env":
        return computed(tokens[1:-1])
    rows = read_rows(tokens[1:-1])
    name = tokens[0].text[6:]
    if name == "vmatrix":
        return determinant(rows)
    if name not in MATRICES:
        raise Unread("environment")
    return rows


def read_rows(body: Tokens) -> Rows:
    """What stands in the cells of an environment."""
    rows = tuple(tuple(map(parse, line)) for line in cells_of(body))
    if not rows or len({len(row) for row in rows}) > 1 or max(len(rows), len(rows[0])) > MAX_SIZE:
        raise Unread("size of a matrix")
    return rows


def cells_of(body: Tokens) -> list[list[list[Token]]]:
    """The cells of an environment, line by line."""
    lines, _ = split(body, lambda token: token.text == "\\\\")
    if lines and not lines[-1]:
        lines.pop()
    return [split(line, lambda token: token.text == "&")[0] for line in lines]


def _raised(term: Term, tokens: Tokens, at: int) -> tuple[Term, int]:
    """With the exponent behind it: transposed, inverted, or to a small power."""
    if at >= len(tokens) or tokens[at].text != "^" or not isinstance(term, tuple):
        return term, at
    end = _end(tokens, at + 1) if at + 1 < len(tokens) else at
    inner = [token.text for token in tokens[at + 1 : end] if token.text not in "{}"]
    return _to_exponent(term, inner), end


def _to_exponent(rows: Rows, exponent: list[str]) -> Term:
    if exponent == ["-", "1"]:
        return _inverse(rows)
    sign = exponent[0] if len(exponent) == 1 else ""
    if sign in _TRANSPOSED:
        return tuple(zip(*rows, strict=True))
    if not sign.isdigit() or not 0 < int(sign[:3]) <= _MAX_POWER:
        raise Unread("power of a matrix")
    total: Term = rows
    for _ in range(int(sign) - 1):
        total = _times(total, rows)
    return total


def _applied(name: str, inner: Term) -> Term:
    rows = _as_rows(inner)
    if name == "det":
        return determinant(rows)
    if name in ("tr", "trace"):
        _check_square(rows)
        return Add(tuple(row[place] for place, row in enumerate(rows)))
    return adjugate(rows)


def _as_rows(term: Term) -> Rows:
    if not isinstance(term, tuple):
        raise Unread("no matrix")
    return term


def _check_square(rows: Rows) -> None:
    if len(rows) != len(rows[0]):
        raise Unread("no square matrix")


def determinant(rows: Rows) -> Node:
    """By the first row."""
    _check_square(rows)
    if len(rows) > _MAX_INVERTED:
        raise Unread("size of a matrix")
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for place, cell in enumerate(rows[0]):
        term = Mul((cell, determinant(_without(rows, 0, place))))
        terms.append(negative(term) if place % 2 else term)
    return Add(tuple(terms))


def adjugate(rows: Rows) -> Rows:
    """The transposed matrix of cofactors."""
    _check_square(rows)
    if len(rows) > _MAX_INVERTED or len(rows) < 2:
        raise Unread("size of a matrix")
    size = range(len(rows))
    return tuple(tuple(_cofactor(rows, column, row) for column in size) for row in size)


def _cofactor(rows: Rows, row: int, column: int) -> Node:
    minor = determinant(_without(rows, row, column))
    return negative(minor) if (row + column) % 2 else minor


def _without(rows: Rows, row: int, column: int) -> Rows:
    return tuple(line[:column] + line[column + 1 :] for place, line in enumerate(rows) if place != row)


def _inverse(rows: Rows) -> Term:
    return _scaled(adjugate(rows), Pow(determinant(rows), Num(-1)))


def _scaled(term: Term, factor: Node) -> Term:
    if isinstance(term, tuple):
        return tuple(tuple(_folded(Mul((factor, cell))) for cell in row) for row in term)
    return Mul((factor, term))


def _sum(left: Term, right: Term) -> Term:
    if isinstance(left, tuple) and isinstance(right, tuple):
        if (len(left), len(left[0])) != (len(right), len(right[0])):
            raise Unread("a sum of matrices")
        return tuple(
            tuple(_folded(Add(pair)) for pair in zip(one, other, strict=True))
            for one, other in zip(left, right, strict=True)
        )
    if isinstance(left, tuple) or isinstance(right, tuple):
        raise Unread("a matrix and a number")
    return Add((left, right))


def _times(left: Term, right: Term) -> Term:
    if not isinstance(left, tuple):
        return _scaled(right, left)
    if not isinstance(right, tuple):
        return _scaled(left, right)
    return product(left, right)


def product(left: Rows, right: Rows) -> Rows:
    """Rows times columns."""
    if len(left[0]) != len(right) or max(len(left), len(right), len(right[0])) > MAX_SIZE:
        raise Unread("product of matrices")
    return tuple(
        tuple(_dot(row, [line[column] for line in right]) for column in range(len(right[0]))) for row in left
    )


def _dot(row: Sequence[Node], column: Sequence[Node]) -> Node:
    return _folded(Add(tuple(Mul(pair) for pair in zip(row, column, strict=True))))


def _folded(cell: Node) -> Node:
    """A number where it is one; raises Limit for an entry that grows without end."""
    value = rational_value(cell)
    if value is not None:
        return Num(value)
    if sum(1 for _ in islice(walk(cell), _MAX_NODES)) == _MAX_NODES:
        raise Limit("limit")
    return cell
