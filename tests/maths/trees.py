"""Random expressions with two spellings and an evaluation of their own, to hold the reader against."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

Tree = tuple[Any, ...]
POINTS = (
    {"x": 0.731, "y": 1.917},
    {"x": 2.219, "y": 0.583},
    {"x": -1.383, "y": 0.771},
    {"x": -0.417, "y": -2.131},
)


def trees(leaves: int = 8) -> st.SearchStrategy[Tree]:
    """Sums, products, quotients, powers, roots and sines over x, y and small integers."""
    leaf = st.one_of(
        st.tuples(st.just("num"), st.integers(0, 9)), st.tuples(st.just("sym"), st.sampled_from("xy"))
    )
    return st.recursive(leaf, _bigger, max_leaves=leaves)


def _bigger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    two = st.tuples(st.sampled_from(("add", "sub", "mul", "div")), inner, inner)
    power = st.tuples(st.just("pow"), inner, st.integers(1, 3))
    one = st.tuples(st.sampled_from(("sqrt", "sin", "neg")), inner)
    return st.one_of(two, power, one)


def latex(tree: Tree) -> str:
    kind = tree[0]
    if kind in ("num", "sym"):
        return str(tree[1])
    if kind == "pow":
        return rf"\left({latex(tree[1])}\right)^{{{tree[2]}}}"
    if kind == "sqrt":
        return rf"\sqrt{{{latex(tree[1])}}}"
    if kind == "sin":
        return rf"\sin\left({latex(tree[1])}\right)"
    if kind == "neg":
        return f"-({latex(tree[1])})"
    left, right = latex(tree[1]), latex(tree[2])
    if kind == "div":
        return rf"\frac{{{left}}}{{{right}}}"
    sign = {"add": "+", "sub": "-", "mul": r"\cdot "}[kind]
    return f"({left}){sign}({right})"


def program(tree: Tree) -> str:
    kind = tree[0]
    if kind in ("num", "sym"):
        return str(tree[1])
    if kind == "pow":
        return f"({program(tree[1])})**{tree[2]}"
    if kind in ("sqrt", "sin"):
        return f"{kind}({program(tree[1])})"
    if kind == "neg":
        return f"-({program(tree[1])})"
    sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[kind]
    return f"({program(tree[1])}){sign}({program(tree[2])})"


def value(tree: Tree, point: dict[str, float]) -> float | None:
    """The real value, None where it is undefined or its digits are not to be trusted."""
    try:
        found = _value(tree, point)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return found if math.isfinite(found) and abs(found) < 1e9 else None


def _value(tree: Tree, point: dict[str, float]) -> float:
    kind = tree[0]
    if kind == "num":
        return float(tree[1])
    if kind == "sym":
        return point[tree[1]]
    first = _value(tree[1], point)
    if kind == "pow":
        return float(first ** tree[2])
    if kind == "sqrt":
        return math.sqrt(first)
    if kind == "sin":
        return math.sin(first)
    if kind == "neg":
        return -first
    second = _value(tree[2], point)
    if kind == "div":
        if abs(second) < 1e-6:
            raise ZeroDivisionError
        return first / second
    if kind == "mul":
        return first * second
    return first + second if kind == "add" else first - second
