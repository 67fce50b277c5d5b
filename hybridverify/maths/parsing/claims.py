r"""Equations that state the value of something that is not read: `\lim_{x \to 0} f(x) = 1`, `P(X > 2) = \frac13`.

The left side is one term that names a quantity, so that the equation cannot be one that is still to be solved. What
stands on the right is the value; sides in between must agree with it where both are numbers.
"""

from __future__ import annotations

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Call, Node, symbols
from hybridverify.maths.algebra.operators import OPERATORS, has_operator
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, depth_change, whole_bracket
from hybridverify.maths.parsing import matrix_algebra
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.values.kinds import Scalar, Value

_COMMANDS = frozenset(("lim", "sum", "prod", "int", "det"))
_INSIDE = frozenset(("cup", "cap", "setminus", "mid"))
"""Signs that no product in brackets holds: behind a letter they make it a function."""
_NO_MATHS = frozenset(("word", "sep", "stop", "money", "dots"))


def side_of(tokens: Tokens) -> Node:
    """A side as an expression; a determinant is one."""
    if not matrix_algebra.is_computed(tokens):
        return parse(tokens)
    term = matrix_algebra.computed(tokens)
    if isinstance(term, tuple):
        raise Unread("a matrix as a side")
    return term


def is_claim(tokens: Tokens) -> bool:
    """Is the side one term whose value can only be stated?"""
    return _is_operator(tokens) or _is_applied(tokens)


def _is_operator(tokens: Tokens) -> bool:
    """A limit, sum, integral, derivative or determinant, and nothing else."""
    try:
        node = parse(tokens)
    except Unread:
        return tokens[0].text in _COMMANDS and tokens[0].kind == "cmd" and not _is_sum(tokens)
    return type(node) is Call and node.name in OPERATORS


def _is_sum(tokens: Tokens) -> bool:
    depth = 0
    for place, token in enumerate(tokens):
        depth += depth_change(token)
        if (
            depth == 0
            and place
            and token.kind == "op"
            and token.text in "+-"
            and tokens[place - 1].text not in "^_"
        ):
            return True
    return any(token.kind in ("word", "sep") for token in tokens)


def _is_applied(tokens: Tokens) -> bool:
    """`P(X > 2)`, `n(A \\cup B)`, `P(A | B)`."""
    opening = next((i for i, token in enumerate(tokens) if token.text in ("(", "[")), 0)
    if not opening or tokens[0].kind not in ("let", "fun") or not whole_bracket(tokens[opening:]):
        return False
    if opening > 1 and tokens[1].text != "_":
        return False
    inner = tokens[opening + 1 : -1]
    return any(token.kind in ("rel", "bar") or token.text in _INSIDE for token in inner) and not any(
        token.kind == "open" and token.text == "\\{" for token in inner
    )


def check_between(middle: list[Tokens], value: Value) -> None:
    """The sides between the first and the last must not contradict the last. Raises Unread."""
    if not isinstance(value, Scalar):
        raise Unread("chain of equations")
    for side in middle:
        if not _agrees(side, value.node):
            raise Unread("chain of equations")


def _agrees(side: Tokens, last: Node) -> bool:
    try:
        node = side_of(side)
    except Unread:
        return _holds_claim(side)
    same = same_expression(node, last)
    if same is Same.EQUAL:
        return True
    if same is Same.UNKNOWN:
        return has_operator(node)
    return bool(symbols(node)) and not symbols(last)  # a formula in letters, then its number


def _holds_claim(side: Tokens) -> bool:
    """Mathematics that is not read for a limit, a probability or the like in it."""
    if any(token.kind in _NO_MATHS for token in side):
        return False
    if any(token.text in _COMMANDS and token.kind == "cmd" for token in side):
        return True
    return any(
        token.kind == "let" and _is_applied(side[place : _closing(side, place + 1)])
        for place, token in enumerate(side[:-1])
    )


def _closing(tokens: Tokens, at: int) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        depth += depth_change(tokens[place])
        if depth == 0 and tokens[place].kind == "close":
            return place + 1
    return len(tokens)
