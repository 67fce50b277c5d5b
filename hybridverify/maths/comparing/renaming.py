"""Letters that stand for nothing of their own and may have any name: integer parameters and free constants."""

from __future__ import annotations

import re

from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Add, Call, Const, Mul, Node, Pow, Sym, rename, symbols, walk
from hybridverify.maths.comparing.rules import Case, Comparison, equal, undecided
from hybridverify.maths.values.kinds import Scalar

_PARAMETERS = frozenset("knmljpq")
_KNOWN = frozenset("ied")
"""Letters that may be constants or differentials are no names of anything."""
_VARIABLES = frozenset("xyztns")
_CONSTANTS = frozenset("ABCDKabck")
_FREE_CONSTANTS = frozenset(("C", "K", "c", "C_1", "C_2", "C_0", "c_1", "c_2"))


def mentions(question: str, name: str) -> bool:
    """Does the question use this name as a variable?"""
    pattern = r"(?<![A-Za-z\\])" + re.escape(name.partition("_")[0]) + r"(?![A-Za-z])"
    return re.search(pattern, question) is not None


def renamed_scalars(left: Scalar, right: Scalar, case: Case) -> Comparison:
    """Integer parameters (`k pi` and `n pi`) and free constants (`+ C`) may be renamed one to one."""
    if case.conventions.bound_names == "strict":
        return undecided("bound_names")
    mine, theirs = symbols(left.node) - symbols(right.node), symbols(right.node) - symbols(left.node)
    if len(mine) != 1 or len(theirs) != 1:
        return undecided("variable_name")
    old, new = next(iter(theirs)), next(iter(mine))
    both = {old, new}
    periodic = both <= _PARAMETERS and _times_period(left.node, new) and _times_period(right.node, old)
    free = both <= _FREE_CONSTANTS and _is_term(left.node, new) and _is_term(right.node, old)
    unasked = case.question and not mentions(case.question, old) and not mentions(case.question, new)
    unasked = unasked and (
        _is_lone(left.node, right.node) or _is_factor(left.node, right.node, new, old, case)
    )
    if not (periodic or free or unasked):  # in `F = ma` and `40 mA` each letter means its own quantity
        return undecided("variable_name")
    moved = rename(right.node, {old: Sym(new)})
    if same_expression(left.node, moved, case.setting) is not Same.EQUAL:
        return undecided("bound_names")
    kept = {name: name for name in symbols(right.node) - {old}} | {old: new}
    return equal("bound_names") if case.keeps(kept) else undecided("bound_names")


def _is_lone(left: Node, right: Node) -> bool:
    """`x^2 + 1` and `t^2 + 1`: sums in one small letter, which is any number's name."""
    return all(
        all(len(name) == 1 and name.islower() and name not in _KNOWN for name in symbols(node))
        and len(symbols(node)) == 1
        and any(type(part) is Add for part in walk(node))
        and not any(type(part) is Call for part in walk(node))
        for node in (left, right)
    )


def _is_factor(left: Node, right: Node, new: str, old: str, case: Case) -> bool:
    """`c(x^2 - 1)` and `a(x^2 - 1)`, `Ce^x` and `Ae^x`: a constant before a function of one variable."""
    others = symbols(left) - {new}
    variable = len(others) == 1 and (others <= case.parameters or others <= _VARIABLES)
    return (
        variable
        and _letter_of(new) in _CONSTANTS
        and _letter_of(old) in _CONSTANTS
        and _is_linear(left, new)
        and _is_linear(right, old)
        and any(
            type(part) in (Add, Call) or (type(part) is Pow and symbols(part.exponent)) for part in walk(left)
        )
    )


def _letter_of(name: str) -> str:
    return name.partition("_")[0]


def _is_linear(node: Node, name: str) -> bool:
    """Does the name stand once, and in no power or function?"""
    if type(node) is Sym:
        return node.name == name
    if type(node) not in (Add, Mul):
        return False
    parts = node.terms if type(node) is Add else node.factors if type(node) is Mul else ()
    holding = [part for part in parts if name in symbols(part)]
    return len(holding) == 1 and _is_linear(holding[0], name)


def _times_period(node: Node, name: str) -> bool:
    """The parameter occurs only in a product with pi or a degree sign."""
    found = 0
    for part in walk(node):
        if type(part) is not Mul or Sym(name) not in part.factors:
            continue
        if not any(type(f) is Const and f.name in ("pi", "deg") for f in walk(part)):
            return False
        found += 1
    return found > 0


def _is_term(node: Node, name: str) -> bool:
    if type(node) is not Add or Sym(name) not in node.terms:
        return False
    return sum(1 for part in walk(node) if part == Sym(name)) == 1
