"""Comparing what holds several values: tuples, lists, sets, matrices, labelled lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hybridverify.maths.algebra.nodes import Sym, rational_value
from hybridverify.maths.comparing.coordinates import is_told_otherwise
from hybridverify.maths.comparing.item_order import have_places, placed
from hybridverify.maths.comparing.label_rules import (
    bare,
    by_label,
    by_name,
    half_labelled,
    label_of,
    labelled,
    leaves_choice,
    names_another,
    ordered,
)
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    different,
    equal,
    in_any_order,
    in_order,
    undecided,
)
from hybridverify.maths.values.kinds import (
    Dots,
    FiniteSet,
    Letter,
    Listing,
    Named,
    Proportion,
    RealSet,
    Relation,
    Scalar,
    Text,
    Tuple,
    Value,
)

_INTERVAL_WORDS = ("interval", "inequalit", "domain", "range of")
_VECTORS = ("vector", "cross product", "gradient", "curl ")
_CONFIDENCE = ("confidence interval", "confidence limits")
_MONOTONE = (
    "increasing interval",
    "decreasing interval",
    "intervals of increase",
    "intervals of decrease",
    "interval of increase",
    "interval of decrease",
    "monoton",
)
_TOO_LONG = 3
"""So many values are no end points of an interval, whatever brackets they have."""
_JOINING = frozenset(("and", "or"))
_SET_WORDS = ("subset", "power set", "cardinal", "how many", "number of", "interval", "singleton")


def tuples(left: Tuple, right: Tuple, case: Case) -> Comparison:
    """Same length, same brackets, part by part. A sure reject needs round brackets and exact parts."""
    if len(left.items) != len(right.items):
        sure = _are_points(left, right) or _are_lists(left, right)
        return different("length") if sure else undecided("length")
    agree = (left.opening, left.closing) == (right.opening, right.closing)
    if not agree and case.conventions.brackets == "strict" and not _may_be_open(left, right, case):
        return undecided("brackets")
    result = in_order(left.items, right.items, case, "same value")
    sure = _are_points(left, right) and not is_told_otherwise(left.items, right.items, case)
    return result if result.outcome != "different" or sure else undecided()


def _may_be_open(left: Tuple, right: Tuple, case: Case) -> bool:
    """A function that rises on [a, b] rises on (a, b): people write either where they are asked where it does, and
    around the limits of confidence. A vector has either."""
    vectors = min(len(left.items), len(right.items)) >= _TOO_LONG and case.asks(*_VECTORS)
    if vectors or case.asks(*_CONFIDENCE):
        return True
    closed, opened = (left.opening, left.closing), (right.opening, right.closing)
    return closed == ("[", "]") and opened == ("(", ")") and case.asks(*_MONOTONE)


def _are_points(left: Tuple, right: Tuple) -> bool:
    """Round brackets around exact numbers: no interval, and nothing that rounding explains."""
    return left.round and right.round and are_exact(left.items) and are_exact(right.items)


def _are_lists(left: Tuple, right: Tuple) -> bool:
    """Exact numbers in brackets of one kind, in one of the two too many for an interval, and none of them twice."""
    alike = (left.opening, left.closing) == (right.opening, right.closing)
    items = left.items, right.items
    if not alike or max(map(len, items)) < _TOO_LONG or not all(map(are_exact, items)):
        return False
    return all(first != second for one in items for first, second in combinations(one, 2))


def dots(_left: Dots, _right: Dots, _case: Case) -> Comparison:
    """An ellipsis stands for an ellipsis: the items around it tell lists apart."""
    return equal()


def are_exact(items: Sequence[Value]) -> bool:
    return all(
        isinstance(item, Scalar) and item.digits == -1 and rational_value(item.node) is not None
        for item in items
    )


def listings(left: Listing, right: Listing, case: Case) -> Comparison:
    """Bare lists: unordered, repeats count; labelled lists by label."""
    if any(isinstance(item, Dots) for item in (*left.items, *right.items)):
        return ordered(left.items, right.items, case)
    if _otherwise_joined(left, right):
        return undecided("logic")
    if labelled(left) or labelled(right):
        return by_label(left, right, case)
    if _is_undecided_choice(left, right):
        return undecided("choice")
    if case.conventions.list_order == "ordered" or have_places(left) or have_places(right):
        return ordered(left.items, right.items, case)
    return _unordered(left, right, case)


def _unordered(left: Listing, right: Listing, case: Case) -> Comparison:
    if len(left.items) != len(right.items):
        return undecided("list_order")
    if not in_any_order(left.items, right.items, case):
        return undecided("list_order")
    return placed(left.items, right.items, case) or equal("list_order")


def _is_undecided_choice(left: Listing, right: Listing) -> bool:
    """Letters of options, and only one side says "B or C", which decides for none."""
    open_choice = ("or" in left.separators) != ("or" in right.separators)
    return open_choice and _letters(left) and _letters(right)


def _otherwise_joined(left: Listing, right: Listing) -> bool:
    """`p and q` is not `p or q`, though roots are listed with either word."""
    mine, theirs = left.separators & _JOINING, right.separators & _JOINING
    logical = any(name.startswith("logical") for name in left.separators | right.separators)
    if logical and len(mine | theirs) > 1:
        return True
    if leaves_choice(left) != leaves_choice(right):
        return True
    if mine == theirs or not (mine and theirs):
        return False
    return all(_states(side) for side in (left, right))


def _states(listing: Listing) -> bool:
    """Statements, or the values of several unknowns: no list of the roots of one."""
    names = {label_of(item) for item in listing.items} - {""}
    return len(names) == len(listing.items) > 1 or all(map(_is_statement, listing.items))


def _is_statement(value: Value) -> bool:
    """A letter, an inequality or the like: not the value of an unknown."""
    return isinstance(value, (RealSet, Relation)) or (isinstance(value, Scalar) and type(value.node) is Sym)


def _letters(listing: Listing) -> bool:
    return all(
        isinstance(item, Letter)
        or (isinstance(item, Scalar) and type(item.node) is Sym and item.node.name.isupper())
        for item in listing.items
    )


def finite_sets(left: FiniteSet, right: FiniteSet, case: Case) -> Comparison:
    """Sets: order and repeats do not count; equations in braces are a labelled list."""
    if bool(left.items) != bool(right.items) and not _holds_nothing(left, right):
        return different("no solution")
    lists = Listing(left.items), Listing(right.items)
    if any(len({label_of(item) for item in each.items} - {""}) > 1 for each in lists):
        return by_label(*lists, case)
    if case.conventions.set_repeats == "keep":
        return (
            equal("set_repeats") if in_any_order(left.items, right.items, case) else undecided("set_repeats")
        )
    if _covers(left.items, right.items, case) and _covers(right.items, left.items, case):
        return equal("list_order")
    return undecided("list_order")


def _holds_nothing(left: FiniteSet, right: FiniteSet) -> bool:
    """Braces around the sign of the empty set, which may say no more than the sign."""
    return any(isinstance(item, FiniteSet) and not item.items for item in (*left.items, *right.items))


def _covers(left: Sequence[Value], right: Sequence[Value], case: Case) -> bool:
    return all(any(case.same(one, other).equal for other in right) for one in left)


def set_and_listing(left: FiniteSet, right: Listing, case: Case) -> Comparison:
    """A set written as a bare list."""
    if not left.items or ("or" in right.separators and _letters(right)):
        return undecided("list_order")
    only = left.items[0]
    if len(left.items) == 1 and isinstance(only, Tuple) and labelled(right):  # one pair: `x = 1, y = 2`
        return tuple_and_listing(only, right, case)
    return finite_sets(left, FiniteSet(tuple(unnamed(right))), case)


def listing_and_set(left: Listing, right: FiniteSet, case: Case) -> Comparison:
    """A bare list answered as a set."""
    if not right.items or ("or" in left.separators and _letters(left)):
        return undecided("list_order")
    result = finite_sets(FiniteSet(tuple(unnamed(left))), right, case)
    return (placed(left.items, right.items, case) or result) if result.equal else result


def unnamed(listing: Listing) -> list[Value]:
    """The items of a list that says `x = 1 or x = 2`, without the one name."""
    names = {label_of(item) for item in listing.items} - {""}
    return [bare(item) for item in listing.items] if len(names) == 1 else [*listing.items]


def set_and_text(left: FiniteSet, right: Text, case: Case) -> Comparison:
    """The empty set is no solution."""
    none = right.words == "no solution" or (right.words == "no real solution" and case.asks("real"))
    if not left.items:
        return equal("text") if none else undecided("text")
    return different("no solution") if none and not case.asks("how many", "number of") else undecided("text")


def single_elements(left: Value, right: Value, case: Case) -> Comparison:
    """`{7}` lists the one solution 7, unless the question is about sets as such."""
    mine, theirs = _elements(left), _elements(right)
    if not (mine and theirs) and _is_some_number(left, right):
        return different("no solution")
    if not _is_lone(mine) or not _is_lone(theirs) or case.asks(*_SET_WORDS):
        return undecided("set_repeats")
    result = case.same(mine[0], theirs[0])
    return equal("list_order") if result.equal else undecided("list_order")


def _elements(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, FiniteSet) else (value,)


def _is_lone(items: tuple[Value, ...]) -> bool:
    """One element that is no set itself?"""
    return len(items) == 1 and not isinstance(items[0], FiniteSet)


def _is_some_number(left: Value, right: Value) -> bool:
    """Beside the empty set: a number that cannot be a count of none, or several."""
    other = right if isinstance(left, FiniteSet) else left
    if isinstance(other, Named):
        other = other.value
    if isinstance(other, (Tuple, Listing, RealSet)):
        return True
    return isinstance(other, Scalar) and bool(other.exact)


def limits_and_range(left: Tuple, right: Proportion, case: Case) -> Comparison:
    """`(4.2, 5.8)` and `4.2 to 5.8`, where limits of confidence are asked for."""
    if not right.spoken or not case.asks(*_CONFIDENCE) or len(left.items) != len(right.parts):
        return undecided("range")
    return in_order(left.items, right.parts, case, "range")


def tuple_and_listing(left: Tuple, right: Listing, case: Case) -> Comparison:
    """`(a, b)` answered as `a, b` or `x=a, y=b`, limits of confidence also as `m ± d`."""
    if "pm" in right.separators and len(right.items) == 2 and case.asks(*_CONFIDENCE):
        return in_order(left.items, right.items[::-1], case, "range") if len(left.items) == 2 else undecided()
    if half_labelled(right) or leaves_choice(right) or names_another(right, case):
        return undecided("tuple_form")
    return tuple_form(left, left.items, by_name(right, case), case)


def listing_and_tuple(left: Listing, right: Tuple, case: Case) -> Comparison:
    """A bare list answered as a tuple: in its order."""
    if half_labelled(left) or leaves_choice(left) or names_another(left, case):
        return undecided("tuple_form")
    return tuple_form(right, by_name(left, case), right.items, case)


def tuple_form(written: Tuple, left: Sequence[Value], right: Sequence[Value], case: Case) -> Comparison:
    interval = not written.round and len(left) < _TOO_LONG
    if case.conventions.tuple_form == "strict" or interval or len(left) != len(right):
        return undecided("tuple_form")
    if len(left) == 2 and case.asks(*_INTERVAL_WORDS):
        return undecided("tuple_form")  # the brackets may be those of an interval
    result = in_order(left, right, case, "tuple_form")
    return equal("tuple_form") if result.equal else undecided("tuple_form")


def set_and_tuple(left: FiniteSet, right: Tuple, case: Case) -> Comparison:
    """`{1, 2, 4}` answered as `[4, 1, 2]`, as programs write lists."""
    brackets = (right.opening, right.closing)
    if brackets != ("[", "]") or len(right.items) < _TOO_LONG or case.conventions.tuple_form == "strict":
        return single_elements(left, right, case)
    return finite_sets(left, FiniteSet(right.items), case)
