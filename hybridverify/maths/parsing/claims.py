r"""Equations that state the value of something that is not read: `\lim_{x \to 0} f(x) = 1`, `P(X > 2) = \frac13`.

The left side is one term that names a quantity, so that the equation cannot be one that is still to be solved. What
stands on the right is the value; sides in between must agree with it where both are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hybridverify.language import claims
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Call, Mul, Node, Sym, symbols
from hybridverify.maths.algebra.operators import OPERATORS, has_operator
from hybridverify.maths.limits import Unread
from hybridverify.maths.notation.tokenlists import Tokens, depth_change, spelled, whole_bracket
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.parsing import matrix_algebra
from hybridverify.maths.parsing.expressions import parse
from hybridverify.maths.values.kinds import Scalar, Value

_COMMANDS = frozenset(("lim", "sum", "prod", "int", "iint", "oint", "det"))
_QUANTITIES = words("tr trace rank Var Cov deg dim arg Re Im sgn ord nullity det")
"""Functions whose value is asked for, unlike those that stand in equations for an unknown."""
_TURNING = claims.kinds("not no apart")
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
    if tokens[0].text == "[":
        return _is_area(tokens) or _is_commutator(tokens) or _is_between_bounds(tokens)
    return _is_operator(tokens) or _is_applied(tokens) or _is_at_point(tokens)


def _is_operator(tokens: Tokens) -> bool:
    """A limit, sum, integral, derivative or determinant, and nothing else."""
    try:
        node = parse(tokens)
    except Unread:
        return (_is_extreme(tokens) or _is_command(tokens[0])) and not _is_sum(tokens)
    return type(node) is Call and _is_quantity(node)


def _is_quantity(node: Call) -> bool:
    if node.name in ("max", "min") and len(node.args) == 1:
        return True
    if node.name == "abs" and _is_segment(node.args[0]):
        return True
    return node.name in OPERATORS or node.name in _QUANTITIES


def _is_extreme(tokens: Tokens) -> bool:
    """`\\max_{x > 0} f(x)`, from its start."""
    return tokens[0].text in ("max", "min") and len(tokens) > 1 and tokens[1].text == "_"


def _is_command(token: Token) -> bool:
    return token.text in _COMMANDS and token.kind == "cmd"


def _is_segment(node: Node) -> bool:
    """`AB` in `|AB|`, or a letter with an arrow."""
    if type(node) is Sym:
        return node.name.startswith("vec ")
    return type(node) is Mul and all(type(part) is Sym and part.name.isupper() for part in node.factors)


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
    return any(map(_is_no_maths, tokens))


def _is_no_maths(token: Token) -> bool:
    """Words and separators; `dx` is no word."""
    differential = token.kind == "word" and len(token.text) == 2 and token.text[0] == "d"
    return token.kind in _NO_MATHS and not differential


def _is_applied(tokens: Tokens) -> bool:
    """`P(X > 2)`, `n(A \\cup B)`, `E[X]`, `\\text{Var}(X)`, `(f \\circ g)(2)`."""
    opening = _first_bracket(tokens)
    if not opening:
        return _is_composed(tokens)
    if tokens[0].kind not in ("let", "fun", "word") or not whole_bracket(tokens[opening:]):
        return False
    if opening > 1 and tokens[1].text != "_":
        return False
    name, inner = tokens[0], tokens[opening + 1 : -1]
    if claims.holds(spelled((name, *inner)), _TURNING):
        return False
    if name.kind == "word":
        return name.note == "text"
    return tokens[opening].text == "[" or _is_no_factor(inner)


def _first_bracket(tokens: Tokens) -> int:
    """The place of the first bracket; 0 for none."""
    return next((i for i, token in enumerate(tokens) if token.text in ("(", "[")), 0)


def _is_no_factor(inner: Tokens) -> bool:
    """Words, a relation or a sign of sets in brackets: the letter before them is a function."""
    if any(token.kind == "word" and token.note for token in inner):
        return True
    if any(token.kind == "open" and token.text == "\\{" for token in inner):
        return False
    return any(token.kind in ("rel", "bar") or token.text in _INSIDE for token in inner)


def _is_composed(tokens: Tokens) -> bool:
    """`(f \\circ g)(2)`."""
    end = _closing(tokens, 0)
    first = [token.text for token in tokens[:end]]
    return tokens[0].text == "(" and "circ" in first and end < len(tokens) and whole_bracket(tokens[end:])


def _is_at_point(tokens: Tokens) -> bool:
    """`\\frac{dy}{dx}|_{x=1}`: the value at a point."""
    bars = [place for place, token in enumerate(tokens) if token.kind == "bar"]
    place = bars[-1] if bars else 0
    return (
        place > 0
        and len(tokens) > place + 2
        and tokens[place + 1].text == "_"
        and whole_bracket(tokens[place + 2 :])
    )


def _is_area(tokens: Tokens) -> bool:
    """`[ABC]`."""
    capitals = len(tokens) == 3 and tokens[1].text.isupper() and len(tokens[1].text) > 2
    return capitals and (tokens[0].text, tokens[2].text) == ("[", "]")


def _is_commutator(tokens: Tokens) -> bool:
    r"""`[x, p]`, `[\hat{x}, \hat{p}]`: two letters, neither of them a number as in an interval."""
    if not whole_bracket(tokens) or tokens[-1].text != "]":
        return False
    letters = [
        token.kind for token in tokens[1:-1] if token.kind != "cmd" and token.text not in ("{", "}", "_")
    ]
    return letters == ["let", "sep", "let"]


def _is_between_bounds(tokens: Tokens) -> bool:
    r"""`[\frac{x^3}{3}]_0^1`: an antiderivative and nothing else."""
    bounds = [token.text for token in tokens[_closing(tokens, 0) :]]
    return bounds[:1] == ["_"] and "^" in bounds and not _is_sum(tokens)


def check_between(middle: Sequence[Tokens], value: Value) -> None:
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
    if any(map(_is_no_maths, side)):
        return False
    if any(map(_is_command, side)):
        return True
    if any(one.text in ("]", "|") and other.text == "_" for one, other in pairwise(side)):
        return True  # an antiderivative between its bounds
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
