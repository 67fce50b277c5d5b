"""Comparing answers that carry a condition: bound integers, free constants, domains."""

from __future__ import annotations

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import (
    Add,
    Const,
    Mul,
    Node,
    Num,
    Sym,
    negative,
    quotient,
    rename,
    symbols,
    walk,
)
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.parsing.conditions import repeats_question
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Listing, Named, Qualified, Scalar, Tuple, Value

_OTHER_DOMAINS = (
    "integer",
    "mathbb{z}",
    "mathbb{n}",
    "mathbb{q}",
    "positive",
    "rational",
    "natural",
    "complex",
)


def qualified(left: Qualified, right: Qualified, case: Case) -> Comparison:
    """Two conditions over the same domain; integers and constants may have other names."""
    other, text = right.value, right.text
    for mine, theirs in ((left.integers, right.integers), (left.constants, right.constants)):
        if len(mine) == len(theirs) == 1 and mine != theirs:
            if case.conventions.bound_names == "strict":
                return undecided("bound_names")
            old, new = next(iter(theirs)), next(iter(mine))
            if old not in names_in(other) or new not in names_in(left.value):
                return undecided("condition")
            other = renamed(other, old, new)
            text = " ".join(new if word == old else word for word in text.split())
    bound = bool(left.integers and right.integers) or bool(left.constants and right.constants)
    alike = bound and left.harmless and right.harmless and left.domain == right.domain
    if left.text != text and not alike:
        return undecided("condition")
    if case.same(left.value, other).equal:
        return equal("bound_names" if other is not right.value else "condition")
    if alike and left.domain == {"Z"} and len(left.integers) == 1:
        return _same_progression(left.value, other, next(iter(left.integers)), case)
    return undecided("condition")


def renamed(value: Value, old: str, new: str) -> Value:
    """The value with a variable renamed, unchanged where the new name is taken."""
    if isinstance(value, Scalar) and new not in symbols(value.node):
        return Scalar(rename(value.node, {old: Sym(new)}))
    if isinstance(value, Named):
        return Named(value.name, value.parameters, renamed(value.value, old, new), value.node, value.word)
    if isinstance(value, Listing) and new not in names_in(value):
        return Listing(tuple(renamed(item, old, new) for item in value.items), value.separators)
    if isinstance(value, Tuple) and new not in names_in(value):
        return Tuple(tuple(renamed(item, old, new) for item in value.items), value.opening, value.closing)
    return value


def _same_progression(left: Value, right: Value, name: str, case: Case) -> Comparison:
    """`a + kT` and `b + kT` over all integers are the same set if b - a is a multiple of T."""
    lines = [_line(value, name) for value in (left, right)]
    if lines[0] is None or lines[1] is None:
        return undecided("condition")
    (step, start), (other, begin) = lines[0], lines[1]
    if not any(same_expression(step, turned) is Same.EQUAL for turned in (other, negative(other))):
        return undecided("condition")
    turns = numeric.constant(quotient(Add((start, negative(begin))), step))
    if turns is None:
        turns = 0.0
    moved = Add((begin, Mul((Num(round(turns)), step))))
    return equal("bound_names") if same_expression(start, moved) is Same.EQUAL else undecided("condition")


def _line(value: Value, name: str) -> tuple[Node, Node] | None:
    inner = value.value if isinstance(value, Named) and not value.parameters else value
    if not isinstance(inner, Scalar) or symbols(inner.node) != {name}:
        return None
    line = real_sets.linear(inner.node, Sym(name))
    # A bare `x + 1 for all integers x` is a function of x; only a period says that it lists solutions.
    periodic = line is not None and any(type(p) is Const and p.name in ("pi", "deg") for p in walk(line[0]))
    return line if periodic or (isinstance(value, Named) and value.name != name) else None


def qualified_and_value(left: Qualified, right: Value, case: Case) -> Comparison:
    """A condition on the reference only."""
    return _one_condition(left, left.value, right, case)


def value_and_qualified(left: Value, right: Qualified, case: Case) -> Comparison:
    """A condition on the response only."""
    return _one_condition(right, left, right.value, case)


def _one_condition(condition: Qualified, left: Value, right: Value, case: Case) -> Comparison:
    """Dropped if it declares integers or constants, or repeats the domain that the question sets."""
    if not condition.harmless:
        return undecided("condition")
    if condition.constants and condition.domain <= {"R"}:
        right = _constants_renamed(left, right, case)
        return equal("bound_names") if case.same(left, right).equal else undecided("condition")
    if not case.same(left, right).equal:
        return undecided("condition")
    named = condition.value
    if isinstance(named, Named) and any(named.name.endswith("_" + index) for index in condition.integers):
        return equal("condition")  # the index of a sequence
    if condition.integers and condition.domain == {"Z"}:
        return equal("condition")
    if not condition.domain and not condition.constants:  # `for all x`
        return equal("condition")
    if (
        condition.domain == {"R"} and case.question and not case.asks(*_OTHER_DOMAINS)
    ):  # what a formula holds for by itself
        return equal("condition")
    said = bool(case.question) and repeats_question(condition.text, case.question)
    return equal("condition") if said else undecided("condition")


def _constants_renamed(left: Value, right: Value, case: Case) -> Value:
    """The right value with its one free constant called as on the left, where the question names neither."""
    mine, theirs = names_in(left) - names_in(right), names_in(right) - names_in(left)
    if len(mine) != 1 or len(theirs) != 1 or any(mentions(case.question, n) for n in mine | theirs):
        return right
    return renamed(right, next(iter(theirs)), next(iter(mine)))


def names_in(value: Value) -> frozenset[str]:
    """The variables of a number, or of a named one."""
    inner = value.value if isinstance(value, Named) else value
    if isinstance(inner, (Tuple, Listing)):
        return frozenset().union(*map(names_in, inner.items))
    return symbols(inner.node) if isinstance(inner, Scalar) else frozenset()
