r"""Values that a question lets one put in: `3^2+1` for "Find f(3) for f(x) = x^2+1", `a+b` for a = 3 and b = 5."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hybridverify.conventions import Conventions
from hybridverify.maths import Reading, reference_reading
from hybridverify.maths.algebra.nodes import Call, Node, Num, rename, symbols, walk
from hybridverify.maths.values.kinds import Named, Scalar

_MAX_NODES = 200


@lru_cache(maxsize=512)  # every response to a question asks the same
def put_in(formulas: tuple[str, ...], conventions: Conventions) -> tuple[Reading, ...]:
    """The formulas of a question with the values that it gives for all their letters.

    >>> from hybridverify.conventions import DEFAULT
    >>> [str(one.value.exact) for one in put_in(("a=3", "a^2+1"), DEFAULT)]
    ['10']
    >>> [str(one.value.exact) for one in put_in(("f(x)=2x", "f(5)"), DEFAULT)]
    ['10']
    """
    readings = [reference_reading(formula, conventions) for formula in formulas]
    values = dict(_given(readings))
    functions = _functions(readings)
    nodes = [one.value.node for one in readings if isinstance(one.value, Scalar)]
    found = [_called(node, functions) for node in nodes] + [_replaced(node, values) for node in nodes]
    return tuple(Reading(Scalar(node), "") for node in found if node is not None)


def _functions(readings: list[Reading]) -> dict[str, Named]:
    """What is told of functions, by their names."""
    named = [one.value for one in readings if isinstance(one.value, Named)]
    return {value.name: value for value in named if value.parameters}


def _given(readings: list[Reading]) -> Iterator[tuple[str, Node]]:
    """The letters that are told to be numbers."""
    for value in (reading.value for reading in readings):
        if not isinstance(value, Named) or value.parameters or not isinstance(value.value, Scalar):
            continue
        if isinstance(value.value.node, Num):
            yield value.name, value.value.node


def _replaced(node: Node, values: dict[str, Node]) -> Node | None:
    """The node with numbers for all of its letters, None where some letter has none."""
    names = symbols(node)
    if not names or not names <= values.keys() or sum(1 for _ in walk(node)) > _MAX_NODES:
        return None
    return rename(node, values)


def _called(node: Node, functions: dict[str, Named]) -> Node | None:
    """`f(3)`: what the function is there, None for any other node."""
    if not isinstance(node, Call) or node.name not in functions or symbols(node):
        return None
    told = functions[node.name]
    if not isinstance(told.value, Scalar) or len(told.parameters) != len(node.args):
        return None
    return _replaced(told.value.node, dict(zip(told.parameters, node.args, strict=True)))
