r"""Whether an expression is written with another: as it stands, or as a part of it, its terms and factors in any order.

Separate from echo.py, which asks for values and for what the question wants.
"""

from __future__ import annotations

from collections import Counter

from hybridverify.language.text import place_of
from hybridverify.maths import Reading
from hybridverify.maths.algebra.nodes import Add, Call, Mul, Node, Num, Pow, walk
from hybridverify.maths.values.kinds import Named, Relation, Scalar, Value

_MAX_REPEATED = 9
_AMOUNT = 2
"""A number with its unit has so many signs."""
_INEQUALITIES = frozenset(("<", ">", "<=", ">="))
_OUTSIDE = frozenset("{}()$")


def is_written_so(reference: Reading, task: Reading) -> bool:
    """Whether a reference holds the task's expression, or its number."""
    return holds(reference, task) or _has_number(reference, task)


def repeats_relation(said: Reading, task: Reading) -> bool:
    """The same equation, its sides in either order, or within a longer text; `x<3` is no part of `1<x<3`."""
    asked, signs = written(task), written(said)
    at = place_of(asked, signs)
    if at >= 0 and _INEQUALITIES.isdisjoint((*signs[max(0, at - 1) : at], *signs[at + len(asked) :][:1])):
        return True
    return _sides(said.value) != Counter() and _sides(said.value) == _sides(task.value)


def _sides(value: Value) -> Counter[Node]:
    if isinstance(value, Relation):
        return Counter(value.sides)
    if isinstance(value, Named) and value.node is not None and isinstance(value.value, Scalar):
        return Counter((value.node, value.value.node))
    return Counter()


def holds(reading: Reading, task: Reading) -> bool:
    """Whether the task's expression stands in what was read, as written or as a part of the expression."""
    if place_of(written(task), written(reading)) >= 0:
        return True
    sought, within = task.value, reading.value
    if not isinstance(sought, Scalar) or type(sought.node) not in (Add, Mul, Pow, Call):
        return False
    nodes = [within.node] if isinstance(within, Scalar) else list(_sides(within))
    return any(_is_part(sought.node, part) for node in nodes for part in walk(node))


def _is_part(sought: Node, node: Node) -> bool:
    """The same node, or some of its terms or factors, in any order."""
    if node == sought:
        return True
    if isinstance(sought, Add) and isinstance(node, Add):
        return not _flat(sought) - _flat(node)
    if isinstance(sought, (Mul, Pow)) and isinstance(node, (Mul, Pow)):
        return not _flat(sought) - _flat(node)
    return False


def _flat(node: Add | Mul | Pow) -> Counter[Node]:
    """Terms of terms are terms, in any order; a small power is a product: `(x+1)^2` and `(x+1)(x+1)`."""
    found: Counter[Node] = Counter()
    if isinstance(node, Pow):
        count = node.exponent.value if isinstance(node.exponent, Num) else 0
        repeated = isinstance(count, int) and 1 < count <= _MAX_REPEATED
        return Counter({node.base: count}) if repeated else Counter((node,))
    for part in node.terms if isinstance(node, Add) else node.factors:
        found += (
            _flat(part)
            if type(part) is type(node) or (type(part) is Pow and type(node) is Mul)
            else Counter((part,))
        )
    return found


def _has_number(reference: Reading, task: Reading) -> bool:
    """A reference 5 is written like the "5 apples" of a story."""
    signs = written(task)
    return len(signs) <= _AMOUNT and signs[0][-1].isdigit() and signs[0] in written(reference)


def written(reading: Reading) -> tuple[str, ...]:
    """The signs without brackets and case: `2 (x + 1)` is written like `2 \\cdot (X + 1)`. Where case makes another
    value, the values differ as well."""
    signs = tuple(text.casefold() for _, text in reading.tokens if text not in _OUTSIDE and text != "*")
    return signs or ((reading.text.casefold(),) if reading.text else ())
