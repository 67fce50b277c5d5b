"""Comparing answers that carry a condition: bound integers, free constants, domains."""

from __future__ import annotations

import math
from dataclasses import replace

from hybridverify.language import expressions as re
from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import (
    Add,
    Mul,
    Node,
    Num,
    Sym,
    is_told_in_radians,
    negative,
    quotient,
    rename,
    symbols,
)
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import Case, Comparison, different, equal, undecided
from hybridverify.maths.parsing.conditions import repeats_question
from hybridverify.maths.parsing.index_values import COUNTED, LISTED
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import Listing, Named, Qualified, Scalar, Tuple, Value

_NEAR = 1e-6
_DEGREES = 180 / math.pi
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
    names = _other_names(left, right)
    if names and case.conventions.bound_names == "strict":
        return undecided("bound_names")
    moved = _called_as_in(left, right, names)
    if moved is None or (left.text != moved.text and not _are_alike(left, right)):
        return undecided("condition")
    if case.same(left.value, moved.value).equal:
        return equal("bound_names" if moved.value is not right.value else "condition")
    return _same_progression(left, moved, case) if _are_alike(left, right) else undecided("condition")


def _other_names(left: Qualified, right: Qualified) -> list[tuple[str, str]]:
    """What the right condition calls its one integer or its one constant, and what the left one calls it."""
    declared = ((right.integers, left.integers), (right.constants, left.constants))
    return [
        (next(iter(theirs)), next(iter(mine)))
        for theirs, mine in declared
        if len(theirs) == len(mine) == 1 and theirs != mine
    ]


def _called_as_in(left: Qualified, right: Qualified, names: list[tuple[str, str]]) -> Qualified | None:
    """The right one with the names of the left, None where one of them is declared and not used."""
    value, text = right.value, right.text
    for old, new in names:
        if old not in names_in(value) or new not in names_in(left.value):
            return None
        value = renamed(value, old, new)
        text = " ".join(new if word == old else word for word in text.split())
    return replace(right, value=value, text=text)


def _are_alike(left: Qualified, right: Qualified) -> bool:
    """Do both declare the same kind of letters over the same domain, and nothing else?"""
    bound = bool(left.integers and right.integers) or bool(left.constants and right.constants)
    return bound and left.harmless and right.harmless and left.domain == right.domain


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


def _same_progression(left: Qualified, right: Qualified, case: Case) -> Comparison:
    """`a + kT` and `b + kT` over all integers are the same set if b - a is a multiple of T."""
    if left.domain != {"Z"} or len(left.integers) != 1:
        return undecided("condition")
    lines = [_line(each.value, next(iter(left.integers))) for each in (left, right)]
    if lines[0] is None or lines[1] is None:
        return undecided("condition")
    (step, start), (other, begin) = lines[0], lines[1]
    if not any(same_expression(step, turned) is Same.EQUAL for turned in (other, negative(other))):
        return _by_steps(step, other)
    return _by_starts(step, start, begin)


def _by_starts(step: Node, start: Node, begin: Node) -> Comparison:
    """Of one step: starts that are no whole number of steps apart make two sets."""
    turns = numeric.constant(quotient(Add((start, negative(begin))), step)) or 0.0
    moved = Add((begin, Mul((Num(round(turns)), step))))
    if same_expression(start, moved) is Same.EQUAL:
        return equal("bound_names")
    return undecided("condition") if abs(turns - round(turns)) < _NEAR else different("progression")


def _by_steps(step: Node, other: Node) -> Comparison:
    """Steps of two lengths make two sets, unless one counts degrees without their sign."""
    first, second = numeric.constant(step), numeric.constant(other)
    if not first or not second:
        return undecided("condition")
    ratio = abs(first / second)
    degrees = any(abs(made - _DEGREES) < _NEAR * _DEGREES for made in (ratio, 1 / ratio))
    return undecided("condition") if degrees or abs(ratio - 1) < _NEAR else different("progression")


def _line(value: Value, name: str) -> tuple[Node, Node] | None:
    """Slope and shift of solutions that run over the integers called `name`; None for anything else.

    A bare `x + 1 for all integers x` is a function of x; only a period says that it lists solutions.
    """
    inner = value.value if isinstance(value, Named) and not value.parameters else value
    if not isinstance(inner, Scalar) or symbols(inner.node) != {name}:
        return None
    line = real_sets.linear(inner.node, Sym(name))
    solutions = isinstance(value, Named) and value.name != name
    return line if solutions or (line is not None and is_told_in_radians(line[0])) else None


def qualified_and_value(left: Qualified, right: Value, case: Case) -> Comparison:
    """A condition on the reference only."""
    return _one_condition(left, left.value, right, case)


def value_and_qualified(left: Value, right: Qualified, case: Case) -> Comparison:
    """A condition on the response only."""
    return _one_condition(right, left, right.value, case)


def _one_condition(condition: Qualified, left: Value, right: Value, case: Case) -> Comparison:
    """A condition beside a bare value: may it be dropped, and are the values the same?"""
    if not condition.harmless:
        said = _is_first_index(condition) or _is_said(condition.text, case)
        return equal("condition") if said and case.same(left, right).equal else undecided("condition")
    if condition.constants and condition.domain <= {"R"}:
        right = _constants_renamed(left, right, case)
        return equal("bound_names") if case.same(left, right).equal else undecided("condition")
    told = case.same(left, right).equal and _goes_without_saying(condition, case)
    return equal("condition") if told else undecided("condition")


_INTRODUCING = frozenset(("for", "where", "all", "every", "any"))
_SIGNS = (
    ("\\geqslant", ">="),
    ("\\leqslant", "<="),
    ("\\geq", ">="),
    ("\\leq", "<="),
    ("\\ge", ">="),
    ("\\le", "<="),
)
_MAX_QUESTION = 20_000
_MAX_CONDITION = 60


def _is_first_index(condition: Qualified) -> bool:
    """`a_n = 2^n for all n \\ge 1` says where a sequence begins."""
    *before, name, sign, least = ["", "", *condition.text.split()]
    named = condition.value
    if sign != ">=" or least not in ("0", "1") or not _INTRODUCING.issuperset(filter(None, before)):
        return False
    return isinstance(named, Named) and named.name.endswith("_" + name)


def _is_said(text: str, case: Case) -> bool:
    """Does the question itself set the restriction, sign by sign?"""
    question = case.question[:_MAX_QUESTION]
    for written, sign in _SIGNS:
        question = question.replace(written, sign)
    if not 3 <= len(text) <= _MAX_CONDITION or not any(sign in text for sign in "<>"):
        return False
    asked = "".join(" " if char in "$\\{}" else char for char in question)
    sought = r"\s*".join(map(re.escape, text.split()))
    return re.search(rf"(?<![\w.]){sought}(?!\w|\.\d|\s*\^)", asked) is not None


def _goes_without_saying(condition: Qualified, case: Case) -> bool:
    """Does it only declare integers, or repeat a domain that the question sets?"""
    if any(one.startswith(LISTED) for one in condition.domain):
        return _is_counted_on(condition)
    if _is_index(condition) or (condition.integers and condition.domain == {"Z"}):
        return True
    if not condition.domain and not condition.constants:  # `for all x`
        return True
    if not case.question:
        return condition.domain == {"R"} and _declares_constants(condition)
    if condition.domain == {"R"} and not case.asks(*_OTHER_DOMAINS):  # what a formula holds for by itself
        return True
    return repeats_question(condition.text, case.question)


def _is_counted_on(condition: Qualified) -> bool:
    r"""`n = 0, 1, 2, \dots` beside a formula; of solutions such as `2k\pi` it would leave out half."""
    if not any(one.startswith(COUNTED) for one in condition.domain):
        return False
    return _is_index(condition) or not any(_line(condition.value, name) for name in condition.integers)


def _declares_constants(condition: Qualified) -> bool:
    """`f(x) = ax + b where a, b are real`: letters of a family of functions, none of them their argument."""
    family = condition.value
    letters = {word for word in condition.text.split() if len(word) == 1 and word.isalpha()} - {"R"}
    if not isinstance(family, Named) or not family.parameters or not letters:
        return False
    return letters.isdisjoint(family.parameters) and letters <= names_in(family)


def _is_index(condition: Qualified) -> bool:
    """Does it declare the index of a sequence, the n of `a_n`?"""
    named = condition.value
    return isinstance(named, Named) and any(named.name.endswith("_" + name) for name in condition.integers)


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
