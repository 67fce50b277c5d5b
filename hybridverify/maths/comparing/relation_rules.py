"""Comparing named values, sets of numbers and congruences."""

from __future__ import annotations

from hybridverify.language.asked import read_question
from hybridverify.maths.algebra.equality import Same
from hybridverify.maths.algebra.nodes import (
    Node,
    Sym,
    is_infinite,
    rational_value,
    rename,
    symbols,
)
from hybridverify.maths.comparing import equation_rules as equations
from hybridverify.maths.comparing.given_letters import names_given_letter
from hybridverify.maths.comparing.name_order import in_usual_order
from hybridverify.maths.comparing.renaming import mentions
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    different,
    equal,
    in_order,
    softened,
    undecided,
)
from hybridverify.maths.comparing.set_difference import POINT_WORDS
from hybridverify.maths.limits import Unread
from hybridverify.maths.units.measures import changes_meaning, plain_label
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.conversion import to_real_set
from hybridverify.maths.values.kinds import (
    Listing,
    Named,
    NumberSet,
    RealSet,
    Scalar,
    SetExpression,
    Tuple,
    Value,
)

_SETS = frozenset("RZQC")


def named(left: Named, right: Named, case: Case) -> Comparison:
    """Two names: by value where they agree, or where the question names neither."""
    if left.word != right.word:
        return undecided("variable_name")
    if _is_graph(left, right) or _is_graph(right, left):
        return _function_and_graph(left, right, case)
    value = with_parameters(left, right)
    if value is None:
        return undecided("variable_name")
    if left.name == right.name:
        return _same_value(left, value, case)
    if _names_matter(left, right, value, case):
        return undecided("variable_name")
    return softened(_same_value(left, value, case), "variable_name")


def _function_and_graph(left: Named, right: Named, case: Case) -> Comparison:
    """`f(x) = 2x` and `y = 2x` are one answer where the question speaks of no y."""
    if left.word or case.conventions.variable_name == "strict" or mentions(case.question, "y"):
        return undecided("variable_name")
    return softened(case.same(left.value, right.value), "variable_name")


def _names_matter(left: Named, right: Named, value: Value, case: Case) -> bool:
    """May two names stand for two things? `value` is the right one, its parameters called as on the left."""
    names = left.name, right.name
    if "(" in names or left.word or case.conventions.variable_name == "strict":
        return True
    if _same_letters(*names) or any(map(_of_figures, names)):
        return True
    return _is_law(left) or any(  # `y = 2x` and `x = 2y` are two lines
        _refers_to(left.value, name) or _refers_to(value, name) or mentions(case.question, name)
        for name in names
    )


def _same_value(left: Named, value: Value, case: Case) -> Comparison:
    """The two values, while the parameters on the left are those of the function at hand."""
    outer, case.parameters = case.parameters, case.parameters | set(left.parameters)
    result = case.same(left.value, value)
    case.parameters = outer
    return result


def _same_letters(one: str, other: str) -> bool:
    """`a : b` and `b : a`, `a_n` and `a_{n+1}`, `x_1` and `x_2`, `f` and `f^{-1}` are told apart on purpose."""
    if sorted(one.casefold()) == sorted(other.casefold()) or one.partition("_")[0] == other.partition("_")[0]:
        return True
    return one.rstrip("'").partition("^")[0] == other.rstrip("'").partition("^")[0]


def _is_law(named: Named) -> bool:
    """`E = mc^2`: a formula in several letters is about the quantity that it names."""
    value = named.value
    return not named.parameters and isinstance(value, Scalar) and len(symbols(value.node)) > 1


def _is_graph(function: Named, graph: Named) -> bool:
    """`f(x) = 2x` and `y = 2x`, `f^{-1}(x) = 2x` as well."""
    name = function.name.removesuffix("^{-1}")
    applied = len(function.parameters) == 1 and function.parameters[0].isalpha() and name in "fgh"
    return applied and graph.name == "y" and not graph.parameters


def _of_figures(name: str) -> bool:
    """Angles, segments and the like stand for one part of a figure."""
    return " " in name or sum(char.isupper() for char in name) > 1


def _refers_to(value: Value, name: str) -> bool:
    """`a_n = 2a_{n-1}`: the name is part of the value."""
    base = name.partition("_")[0]
    inner = symbols(value.node) if isinstance(value, Scalar) else frozenset()
    return any(other.partition("_")[0] == base for other in inner)


def with_parameters(left: Named, right: Named) -> Value | None:
    """The right value with its parameters called as on the left."""
    if left.parameters == right.parameters:
        return right.value
    if left.name == "(":
        return None
    if _tells_argument(left, right):
        return right.value
    if len(left.parameters) != len(right.parameters) or not isinstance(right.value, Scalar):
        return None
    if any(name.isdigit() for name in left.parameters + right.parameters):
        return None
    if symbols(right.value.node) & (set(left.parameters) - set(right.parameters)):
        return None
    names: dict[str, Node] = {
        old: Sym(new) for old, new in zip(right.parameters, left.parameters, strict=True)
    }
    return Scalar(rename(right.value.node, names))


def _tells_argument(left: Named, right: Named) -> bool:
    """`N(t) = 2^t` and `N = 2^t`: the one name with and without the letter that both values hold."""
    told = set(left.parameters or right.parameters)
    if left.name != right.name or (left.parameters and right.parameters):
        return False
    return all(isinstance(one.value, Scalar) and told <= symbols(one.value.node) for one in (left, right))


def number_and_range(left: Scalar, right: RealSet, case: Case) -> Comparison:
    """3 answered by `x > 0`: no number, unless the range ends there and means it."""
    ends = [end for piece in right.pieces for end in (piece.low, piece.high) if not is_infinite(end)]
    if not ends or symbols(left.node) or any(map(symbols, ends)):
        return undecided()
    apart = all(case.same(left, Scalar(end)).outcome == "different" for end in ends)
    return different("a range for a number") if apart else undecided()


def named_and_value(left: Named, right: Value, case: Case) -> Comparison:
    """`x = 5` answered by 5."""
    if case.conventions.variable_name == "strict" or (left.word and changes_meaning(left.name)):
        return undecided("variable_name")
    value = in_usual_order(left, case.question)
    return _through(case.same(value, right), moved=value is not left.value)


def value_and_named(left: Value, right: Named, case: Case) -> Comparison:
    """5 answered by `x = 5`."""
    if case.conventions.variable_name == "strict" or (
        right.word and not plain_label(right.name, case.question)
    ):
        return undecided("variable_name")
    if names_given_letter(right, case.question):
        return undecided("variable_name")
    value = in_usual_order(right, case.question)
    return _through(case.same(left, value), moved=value is not right.value)


def _through(result: Comparison, moved: bool) -> Comparison:
    if moved and not result.equal:
        return undecided("variable_name")
    return equal("variable_name") if result.equal and result.reason == "same value" else result


def named_pair(left: Named, right: Named, case: Case) -> Comparison:
    """Two named values, by name or as equations (`y = x/2`, `x = 2y`)."""
    result = named(left, right, case)
    if result.outcome != "undecided" or left.name == right.name:
        return result
    mine, theirs = equations.as_equation(left), equations.as_equation(right)
    if mine is None or theirs is None or not symbols(mine.sides[1]):
        return result
    scaled = equations.relations(mine, theirs, case)
    return scaled if scaled.equal else result


def real_set_pair(left: RealSet, right: RealSet, case: Case) -> Comparison:
    """Sets of numbers, however written; where the question has something to solve, a solved inequality is not matched
    by one that is still to be solved."""
    if left.solved and not right.solved and (right.polynomial or read_question(case.question).formulas):
        return undecided("unsolved")
    if _are_asked_apart(left.name, right.name, case.question):
        return undecided("variable_name")
    if real_sets.same_pieces(left.pieces, right.pieces) is Same.EQUAL:
        return equal("relation_form" if left.name != right.name else "same value")
    return undecided("relation_form")


def _are_asked_apart(one: str, other: str, question: str) -> bool:
    """Two names, of which the question mentions at least one."""
    if not one or not other or one == other:
        return False
    return mentions(question, one) or mentions(question, other)


def sets(left: Value, right: Value, case: Case) -> Comparison:
    """Interval, inequality, set-builder and the like, compared as sets of real numbers."""
    if case.conventions.relation_form == "strict":
        return undecided("relation_form")
    pair = isinstance(left, Tuple) and left.round
    if pair and case.asks(*POINT_WORDS, "vertex", "midpoint", "centroid"):  # a point is no interval
        return undecided("relation_form")
    try:
        mine, theirs = to_real_set(left), to_real_set(right)
    except Unread as error:
        return undecided(str(error))
    result = real_set_pair(mine, theirs, case)
    return equal("relation_form") if result.equal else result


def set_and_intervals(left: RealSet, right: Listing, case: Case) -> Comparison:
    """`(-oo, 1) or (3, oo)`: a list of intervals is their union where brackets or infinity show that they are some."""
    union = _union_of(right)
    return undecided("relation_form") if union is None else sets(left, union, case)


def intervals_and_set(left: Listing, right: RealSet, case: Case) -> Comparison:
    """As above, the reference a list."""
    union = _union_of(left)
    return undecided("relation_form") if union is None else sets(union, right, case)


def _union_of(listing: Listing) -> RealSet | None:
    if {"and", "or"} <= set(listing.separators) or not _has_one_name(listing):
        return None
    items = [item.value if isinstance(item, Named) else item for item in listing.items]
    if not all(map(_is_pair, items)):
        return None
    try:
        return RealSet(real_sets.union(tuple(p for item in items for p in to_real_set(item).pieces)))
    except Unread:
        return None


def _is_pair(value: Value) -> bool:
    return isinstance(value, Tuple) and len(value.items) == 2


def _has_one_name(listing: Listing) -> bool:
    """Have all items the same name, or none of them any?"""
    return len({item.name if isinstance(item, Named) else "" for item in listing.items}) <= 1


def number_and_set(left: Value, right: Value, _case: Case) -> Comparison:
    """A number is no infinite set: nobody answers 391 by all complex numbers."""
    number = left if isinstance(left, Scalar) else right
    plain = isinstance(number, Scalar) and rational_value(number.node) is not None
    return different("a number and a set") if plain else undecided("a number and a set")


def number_sets(left: NumberSet, right: NumberSet, case: Case) -> Comparison:
    """R, Z and so on by name."""
    if left.name == right.name:
        return equal()
    return different("number set") if {left.name, right.name} <= _SETS else undecided("number set")


def set_expressions(left: SetExpression, right: SetExpression, case: Case) -> Comparison:
    """`A cup B` is `B cup A`: the operands are sorted."""
    if left.operation != right.operation or len(left.operands) != len(right.operands):
        return undecided("set expression")
    result = in_order(left.operands, right.operands, case, "same value")
    return result if result.equal else undecided("set expression")
