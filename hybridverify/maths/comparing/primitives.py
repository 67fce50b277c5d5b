"""Functions of one variable up to a constant: two antiderivatives are one only if they are a constant apart.

So a difference that changes within every stretch where both have a value proves that they are none of one function,
whatever is added to them. A jump between two points (a branch of an inverse function) proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hybridverify.language.asked import read_question
from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, is_bare_log, same_expression
from hybridverify.maths.algebra.nodes import Add, Node, Num, Sym, negative, rename, symbols, walk
from hybridverify.maths.comparing.renaming import may_be_constant, mentions
from hybridverify.maths.comparing.rules import Case
from hybridverify.maths.limits import Unread

_STARTS = (0.13, 0.42, 0.83, 1.7, 2.9, 5.3, -0.17, -0.61, -1.9, -3.7)
_STEP = 0.01
_CHANGES = 1e-6
_LEAST = 2


@lru_cache(maxsize=256)
def asks_primitive(question: str) -> bool:
    """Does the question ask for what may be answered up to a constant?"""
    if read_question(question).speaks_of("primitive"):
        return True
    _, *behind = question.replace("∫", "\\int ").split("\\int")
    return not all(after[:1].islower() or after[:2].lstrip()[:1] == "_" for after in behind)


def primitives_alike(left: Node, right: Node, case: Case) -> bool:
    """Are two antiderivatives, each with a free constant, proved to be a constant apart?"""
    told = has_free_term(left, case.question) and has_free_term(right, case.question)
    if not told or case.conventions.bound_names == "strict" or not asks_primitive(case.question):
        return False
    one, other = _without_constant(left), _without_constant(right)
    if one is None or other is None or not _one_variable(one, other, case):
        return False
    name = next(iter(symbols(one)))
    return any(_are_shifted(one, other, name, place, case) for place in (0, 1))


def _are_shifted(one: Node, other: Node, name: str, place: int, case: Case) -> bool:
    """Are they one function, moved by what they are apart at a place?"""
    first, second = (rename(node, {name: Num(place)}) for node in (one, other))
    try:
        moved = Add((other, first, negative(second)))
        return same_expression(one, moved, case.setting) is Same.EQUAL
    except (Unread, OverflowError):
        return False


def primitives_apart(left: Node, right: Node, case: Case) -> bool:
    """Do two functions of one variable differ by more than a constant?"""
    one, other = _without_constant(left), _without_constant(right)
    if one is None or other is None or not _one_variable(one, other, case):
        return False
    if _has_constant(left) != _has_constant(right) and _are_meant(left, right, case):
        return False
    factors = (1.0, 2.302585092994046) if is_bare_log(one) or is_bare_log(other) else (1.0,)
    return all(_change_apart(one, other, 1 / factor) for factor in factors)


def has_free_term(node: Node, question: str) -> bool:
    """Is one of the terms a free constant, of which the question does not speak?"""
    if not _has_constant(node) or _without_constant(node) is None:
        return False
    return not any(mentions(question, name) for name in _constants(node))


def _has_constant(node: Node) -> bool:
    return bool(_constants(node))


def _constants(node: Node) -> set[str]:
    return set(filter(may_be_constant, symbols(node)))


def _are_meant(left: Node, right: Node, case: Case) -> bool:
    """Does the question speak of the constant?"""
    return any(mentions(case.question, name) for name in _constants(left) | _constants(right))


def _without_constant(node: Node) -> Node | None:
    """The node with its one free constant as zero; None where the constant is no term of its own."""
    names = _constants(node)
    if not names:
        return node
    name = next(iter(names))
    if len(names) > 1 or type(node) is not Add or Sym(name) not in node.terms:
        return None
    if sum(part == Sym(name) for part in walk(node)) != 1:
        return None
    return rename(node, {name: Num(0)})


def _one_variable(left: Node, right: Node, case: Case) -> bool:
    """The same letter in both, one that the question has; `i` is none."""
    names = symbols(left) | symbols(right)
    name = next(iter(names), "i")
    if len(names) != 1 or symbols(left) != symbols(right) or name[0] in "iIEknm":
        return False
    return not case.question or mentions(case.question, name) or name in case.parameters


def _change_apart(left: Node, right: Node, log_factor: float) -> bool:
    name = next(iter(symbols(left)))
    told = [
        found for start in _STARTS if (found := _changes(left, right, name, start, log_factor)) is not None
    ]
    return len(told) >= _LEAST and all(told)


def _changes(left: Node, right: Node, name: str, start: float, log_factor: float) -> bool | None:
    """Does the difference change from a start on, as it does without a jump? None where there is no telling."""
    gaps = []
    size = 1.0
    for number in range(3):
        point = {name: start + number * _STEP}
        try:
            one = numeric.evaluate(left, point, log_factor=log_factor)
            other = numeric.evaluate(right, point, log_factor=log_factor)
        except numeric.NoValue:
            return None
        if not isinstance(one, float) or not isinstance(other, float):
            return None
        size = max(size, abs(one), abs(other))
        gaps.append(one - other)
    return moves(gaps, size)


def moves(values: Sequence[float], size: float) -> bool | None:
    """Do three values in a row change evenly? None where they jump. `size`: of what they were computed from."""
    first, second = values[1] - values[0], values[2] - values[1]
    if max(abs(first), abs(second)) <= _CHANGES * size:
        return False
    return True if abs(first - second) <= max(abs(first), abs(second)) / 2 else None
