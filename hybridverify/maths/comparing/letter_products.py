"""A letter before a bracket that is a factor: `g(x - y)` beside `gx - gy`, where g is a number on the other side."""

from __future__ import annotations

from hybridverify.maths.algebra.nodes import Call, Mul, Node, Sym, has_call, symbols, with_parts
from hybridverify.maths.values.kinds import Scalar

_LETTERS = frozenset("fgh")
"""What is read as a function before a bracket."""


def as_factors(left: Scalar, right: Scalar) -> tuple[Node, Node] | None:
    """The two with a letter as a factor that only one of them has as a function; None where there is no such letter."""
    factors = (symbols(left.node) ^ symbols(right.node)) & _LETTERS
    if not factors:
        return None
    mine, theirs = (_with_factors(node, factors) for node in (left.node, right.node))
    if (mine, theirs) == (left.node, right.node) or has_call(mine, _LETTERS) or has_call(theirs, _LETTERS):
        return None
    return mine, theirs


def _with_factors(node: Node, names: frozenset[str]) -> Node:
    node = with_parts(node, lambda part: _with_factors(part, names))
    if type(node) is Call and node.name in names and len(node.args) == 1:
        return Mul((Sym(node.name), node.args[0]))
    return node
