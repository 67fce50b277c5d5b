"""Proof of difference: what surely differs, and what some convention makes one; tests/cases/difference.jsonl."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.conventions import DEFAULT
from hybridverify.maths import compare
from hybridverify.maths.algebra.equality import Setting
from hybridverify.maths.algebra.nodes import Add, Mul, Node, Num, Pow, Sym
from hybridverify.maths.comparing.formula_difference import expressions_apart
from hybridverify.maths.comparing.kind_rules import compare_values
from hybridverify.maths.comparing.rules import Case
from tests.maths.test_cases import name_of, rows

NUMBERS = st.integers(-60, 60)
SMALL = st.lists(NUMBERS, min_size=2, max_size=5, unique=True)


@pytest.mark.parametrize("row", rows("difference.jsonl"), ids=name_of)
def test_what_surely_differs_and_what_may_not(row: dict[str, Any]) -> None:
    found = compare(row["reference"], row["answer"], row["question"], DEFAULT)
    if row["outcome"] == "different":
        assert found.outcome == "different", (row["why"], found.reason)
    else:
        assert found.outcome != "different", (row["why"], found.reason)


@given(SMALL, st.randoms(use_true_random=False))
def test_a_list_in_another_order_and_other_clothes_never_differs(numbers: list[int], random: Any) -> None:
    shuffled = [*numbers]
    random.shuffle(shuffled)
    told = ", ".join(map(str, numbers))
    for other in (", ".join(map(str, shuffled)), " or ".join(f"x = {n}" for n in shuffled), rf"\{{{told}\}}"):
        assert compare(told, other, "Find all x.", DEFAULT).outcome != "different"


@given(SMALL, NUMBERS)
def test_one_changed_item_differs_in_a_list_a_set_and_a_tuple(numbers: list[int], other: int) -> None:
    if other in numbers:
        return
    changed = [other, *numbers[1:]]
    for opening, closing in (("", ""), (r"\{", r"\}"), ("(", ")")):
        one, two = (opening + ", ".join(map(str, each)) + closing for each in (numbers, changed))
        if len(numbers) > 2 or opening != "(":
            assert compare(one, two, "", DEFAULT).outcome == "different"


def expressions() -> st.SearchStrategy[Node]:
    leaves: st.SearchStrategy[Node] = st.sampled_from(
        [Sym("x"), Sym("y"), Num(2), Num(3), Num(-1), Num(Fraction(1, 2))]
    )
    return st.recursive(
        leaves,
        lambda parts: st.one_of(
            st.builds(lambda a, b: Add((a, b)), parts, parts),
            st.builds(lambda a, b: Mul((a, b)), parts, parts),
            st.builds(lambda a: Pow(a, Num(2)), parts),
        ),
        max_leaves=8,
    )


@given(expressions(), expressions(), expressions())
def test_laws_of_algebra_never_prove_a_difference(a: Node, b: Node, c: Node) -> None:
    case = Case("", DEFAULT, Setting(), compare_values)
    pairs = (
        (Mul((a, Add((b, c)))), Add((Mul((a, b)), Mul((a, c))))),
        (Pow(Add((a, b)), Num(2)), Add((Pow(a, Num(2)), Mul((Num(2), a, b)), Pow(b, Num(2))))),
        (Pow(Pow(a, Num(2)), Num(Fraction(1, 2))), a),
    )
    for one, other in pairs[:2]:
        assert not expressions_apart(one, other, case)
    square, root = pairs[2][0], pairs[2][1]
    assert not expressions_apart(square, root, case) or not _is_positive(root)


def _is_positive(node: Node) -> bool:
    """A letter or a sum, product or square of such: the root of its square is itself where letters are positive."""
    if isinstance(node, Num):
        return node.value > 0
    parts = node.terms if isinstance(node, Add) else node.factors if isinstance(node, Mul) else ()
    return isinstance(node, (Sym, Pow)) if not parts else all(map(_is_positive, parts))
