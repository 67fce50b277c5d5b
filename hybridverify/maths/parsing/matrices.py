"""Reading matrices, their products with numbers and with one another, and systems in braces."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Mul, Node
from hybridverify.maths.limits import MAX_MATRIX, Limit, Unread
from hybridverify.maths.notation.tokenlists import (
    Tokens,
    depth_change,
    is_comma,
    kinds_of,
    split,
    whole_bracket,
)
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing import matrix_algebra
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.parsing.pieces import read_piece
from hybridverify.maths.parsing.relations import Reader
from hybridverify.maths.values.kinds import Cases, Listing, Matrix, Scalar, Value


def read_matrix(tokens: Tokens, read: Reader) -> Value | None:
    """A matrix, or what several of them make; None where no environment stands outside sets and lists."""
    if "env" not in kinds_of(tokens):
        return _written(tokens, read)
    try:
        found = _written(tokens, read)
    except Unread:
        if not matrix_algebra.is_computed(tokens):
            raise
        found = None
    if found is not None or not matrix_algebra.is_computed(tokens):
        return found
    term = matrix_algebra.computed(tokens)
    if not isinstance(term, tuple):
        return Scalar(term)
    return Matrix(tuple(tuple(map(Scalar, row)) for row in term))


def _written(tokens: Tokens, read: Reader) -> Value | None:
    """One matrix, perhaps in brackets or behind factors."""
    while whole_bracket(tokens) and tokens[0].text != "\\{":
        listed = _listed(tokens)
        if listed is not None:
            return listed
        tokens = tokens[1:-1]
    if _is_transposed(tokens):
        return _transposed(tokens, read)
    start = _first_environment(tokens)
    if start < 0 or not tokens[-1].text.startswith("end"):
        return None
    factor = parse(tokens[:start]) if start else None
    return _environments(tokens[start:], factor, read)


def _first_environment(tokens: Tokens) -> int:
    """The place where it begins; -1 for none."""
    return next((i for i, t in enumerate(tokens) if t.kind == "env" and t.text.startswith("begin")), -1)


def _environments(tokens: Tokens, factor: Node | None, read: Reader) -> Value:
    """What an environment is, times the factor before it and the matrices behind it."""
    end = _end(tokens)
    name, body = tokens[0].text.removeprefix("begin "), tokens[1:end]
    if end < len(tokens) - 1:
        rest = _written(tokens[end + 1 :], read)
        if name not in matrix_algebra.MATRICES or not isinstance(rest, Matrix) or rest.determinant:
            raise Unread("several environments")
        return _product(Matrix(_rows(body, factor)), rest)
    if name == "cases" and factor is None:
        return _cases(body, read)
    if name == "vmatrix" and factor is None:
        return Matrix(_rows(body, None), determinant=True)
    if name not in matrix_algebra.MATRICES:
        raise Unread("environment")
    return Matrix(_rows(body, factor))


def _listed(tokens: Tokens) -> Matrix | None:
    """`[[1, 2], [3, 4]]`, as programs write a matrix."""
    if tokens[0].text != "[" or tokens[1].text != "[":
        return None
    lines, _ = split(tokens[1:-1], is_comma)
    if not all(len(line) > 2 and whole_bracket(line) and line[0].text == "[" for line in lines):
        return None
    return Matrix(_of_cells([split(line[1:-1], is_comma)[0] for line in lines], None))


def _is_transposed(tokens: Tokens) -> bool:
    """Does it end in `^T`?"""
    if not tokens or tokens[-1].text not in ("T", "}"):
        return False
    tail = "".join(token.text for token in tokens[-4:])
    return any(t.kind == "env" or t.text in "[(" for t in tokens[:3]) and tail.endswith(("^T", "^{T}"))


def _transposed(tokens: Tokens, read: Reader) -> Value:
    body = tokens[: -2 if tokens[-1].text == "T" else -4]
    flat = body[0].text == "(" or (body[0].text == "[" and body[1].text != "[")
    if whole_bracket(body) and flat and body[1].kind != "env":
        return Matrix(_of_cells([[cell] for cell in split(body[1:-1], is_comma)[0]], None))
    inner = _written(body, read)
    if not isinstance(inner, Matrix) or inner.determinant:
        raise Unread("transpose")
    return Matrix(tuple(zip(*inner.rows, strict=True)))


def _end(tokens: Tokens) -> int:
    """The place of the token that closes the environment at the start."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += depth_change(token)
        if depth == 0:
            return place
    raise Unread("open environment")


def _product(left: Matrix, right: Matrix) -> Matrix:
    pair = [tuple(tuple(cell.node for cell in row) for row in each.rows) for each in (left, right)]
    return Matrix(tuple(tuple(map(Scalar, row)) for row in matrix_algebra.product(*pair)))


def _rows(body: Tokens, factor: Node | None) -> tuple[tuple[Scalar, ...], ...]:
    return _of_cells(matrix_algebra.cells_of(body), factor)


def _of_cells(lines: list[list[list[Token]]], factor: Node | None) -> tuple[tuple[Scalar, ...], ...]:
    if len(lines) > MAX_MATRIX:
        raise Limit("limit")
    rows = []
    for cells in lines:
        if len(cells) > MAX_MATRIX:
            raise Limit("limit")
        nodes = [parse(cell) for cell in cells]
        rows.append(tuple(Scalar(node if factor is None else Mul((factor, node))) for node in nodes))
    if not rows or len({len(row) for row in rows}) > 1:
        raise Unread("ragged matrix")
    return tuple(rows)


def _cases(body: Tokens, read: Reader) -> Value:
    """A system of equations, or a function in pieces."""
    lines, _ = split(body, lambda token: token.text == "\\\\")
    filled = [line for line in lines if line]
    if not any(token.text == "&" for token in body):
        return Listing(tuple(read(line) for line in filled), frozenset(("cases",)))
    return Cases(tuple(read_piece(line, read) for line in filled))
