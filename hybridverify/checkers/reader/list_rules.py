"""Comparing what holds several values: tuples, lists, sets, matrices, labelled lists."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.checkers.reader.name_order import usual_order
from hybridverify.checkers.reader.nodes import rational_value
from hybridverify.checkers.reader.numeric import constant
from hybridverify.checkers.reader.rules import (
    Case,
    Comparison,
    all_of,
    different,
    equal,
    in_any_order,
    in_order,
    undecided,
)
from hybridverify.checkers.reader.units import changes_meaning, plain_label
from hybridverify.checkers.reader.values import (
    Dots,
    FiniteSet,
    Listing,
    Matrix,
    Named,
    Qualified,
    Quantity,
    Scalar,
    Text,
    Tuple,
    Value,
)
from hybridverify.checkers.reader.vocabulary import words

_INTERVAL_WORDS = ("interval", "inequalit", "domain", "range of")
_SET_WORDS = ("subset", "power set", "cardinal", "how many", "number of", "interval", "singleton")
_EXTREMES = words("least greatest minimum maximum min max smallest largest lowest highest")


def tuples(left: Tuple, right: Tuple, case: Case) -> Comparison:
    """Same length, same brackets, part by part. A sure reject needs round brackets and exact parts."""
    if len(left.items) != len(right.items):
        both = left.round and right.round and _exact(left.items) and _exact(right.items)
        return different("length") if both else undecided("length")
    agree = (left.opening, left.closing) == (right.opening, right.closing)
    if not agree and case.conventions.brackets == "strict":
        return undecided("brackets")
    result = in_order(left.items, right.items, case, "same value")
    sure = left.round and right.round and _exact(left.items) and _exact(right.items)
    return result if result.outcome != "different" or sure else undecided()


def _exact(items: Sequence[Value]) -> bool:
    return all(
        isinstance(item, Scalar) and item.digits < 0 and rational_value(item.node) is not None
        for item in items
    )


def listings(left: Listing, right: Listing, case: Case) -> Comparison:
    """Bare lists: unordered, repeats count; labelled lists by label."""
    if any(isinstance(item, Dots) for item in (*left.items, *right.items)):
        return _ordered(left.items, right.items, case)
    if labelled(left) or labelled(right):
        return _by_label(left, right, case)
    if case.conventions.list_order == "ordered" or _units_tell_apart(left) or _units_tell_apart(right):
        return _ordered(left.items, right.items, case)
    if len(left.items) != len(right.items):
        return undecided("list_order")
    return equal("list_order") if in_any_order(left.items, right.items, case) else undecided("list_order")


def _units_tell_apart(listing: Listing) -> bool:
    """`5 boys, 3 girls`: the nouns are labels."""
    units = {item.unit for item in listing.items if isinstance(item, Quantity)}
    return len(units) > 1


def _ordered(left: Sequence[Value], right: Sequence[Value], case: Case) -> Comparison:
    if len(left) != len(right):
        return undecided("list_order")
    result = in_order(left, right, case, "list_order")
    return result if result.equal else undecided("list_order")


def labelled(listing: Listing) -> bool:
    """Every item carries its own label."""
    names = [_name(item) for item in listing.items]
    return all(names) and len(set(names)) == len(names)


def _half_labelled(listing: Listing) -> bool:
    """`x = 0, 1` lists the values of one name."""
    return any(_name(item) for item in listing.items) and not labelled(listing)


def _name(value: Value) -> str:
    if isinstance(value, Qualified):
        return _name(value.value)
    if not isinstance(value, Named):
        return ""
    return "".join(value.parameters) if value.name == "(" else value.name


def _by_label(left: Listing, right: Listing, case: Case) -> Comparison:
    if len(left.items) != len(right.items) or _half_labelled(left) or _half_labelled(right):
        return undecided("list_order")
    if labelled(left) and labelled(right):
        theirs = {_name(item): item for item in right.items}
        if set(theirs) == {_name(item) for item in left.items}:
            return all_of((case.same(item, theirs[_name(item)]) for item in left.items), "same value")
        return undecided("variable_name")
    names = [_name(item).split()[0] for item in (left if labelled(left) else right).items]
    if all(name in _EXTREMES for name in names):
        return _extremes(left, right, case)
    mine = [item.name for item in left.items if isinstance(item, Named) and item.word]
    spoken = [item.name for item in right.items if isinstance(item, Named) and item.word]
    if any(map(changes_meaning, mine)) or not all(plain_label(name, case.question) for name in spoken):
        return undecided("variable_name")
    result = _ordered(_by_name(left, case), _by_name(right, case), case)
    return equal("variable_name") if result.equal else undecided("list_order")


def bare(value: Value) -> Value:
    """The value without its label."""
    return value.value if isinstance(value, Named) and not isinstance(value.value, Listing) else value


def _by_name(listing: Listing, case: Case) -> list[Value]:
    """The values without their labels; `y = 4, x = 1` in the usual order of x and y."""
    items = listing.items
    if labelled(listing) and all(isinstance(item, Named) and not item.word for item in items):
        places = {_name(item): item for item in items}
        items = tuple(places[name] for name in usual_order(list(places), case.question))
    return [bare(item) for item in items]


def _extremes(left: Listing, right: Listing, case: Case) -> Comparison:
    """`least 2, greatest 6` names its order itself, if the numbers bear it out."""
    named = left if labelled(left) else right
    for low, high in (("min", "max"), ("least", "greatest"), ("smallest", "largest"), ("lowest", "highest")):
        lows = [_number(i) for i in named.items if _name(i).startswith(low)]
        highs = [_number(i) for i in named.items if _name(i).startswith(high)]
        if len(lows) == len(highs) == 1 and len(named.items) == 2:
            if not lows[0] < highs[0]:
                return undecided("list_order")
            items = [bare(item) for item in left.items], [bare(item) for item in right.items]
            return equal("list_order") if in_any_order(*items, case) else undecided("list_order")
    return undecided("list_order")


def _number(value: Value) -> float:
    inner = bare(value)
    found = constant(inner.node) if isinstance(inner, Scalar) else None
    return float("nan") if found is None else found


def finite_sets(left: FiniteSet, right: FiniteSet, case: Case) -> Comparison:
    """Sets: order and repeats do not count; equations in braces are a labelled list."""
    lists = Listing(left.items), Listing(right.items)
    if any(len({_name(item) for item in each.items} - {""}) > 1 for each in lists):
        return _by_label(*lists, case)
    if case.conventions.set_repeats == "keep":
        return (
            equal("set_repeats") if in_any_order(left.items, right.items, case) else undecided("set_repeats")
        )
    if _covers(left.items, right.items, case) and _covers(right.items, left.items, case):
        return equal("list_order")
    return undecided("list_order")


def _covers(left: Sequence[Value], right: Sequence[Value], case: Case) -> bool:
    return all(any(case.same(one, other).equal for other in right) for one in left)


def set_and_listing(left: FiniteSet, right: Listing, case: Case) -> Comparison:
    """A set written as a bare list."""
    if not left.items:
        return undecided("list_order")
    return finite_sets(left, FiniteSet(tuple(unnamed(right))), case)


def listing_and_set(left: Listing, right: FiniteSet, case: Case) -> Comparison:
    """A bare list answered as a set."""
    if not right.items:
        return undecided("list_order")
    return finite_sets(FiniteSet(tuple(unnamed(left))), right, case)


def unnamed(listing: Listing) -> list[Value]:
    """The items of a list that says `x = 1 or x = 2`, without the one name."""
    names = {_name(item) for item in listing.items} - {""}
    return [bare(item) for item in listing.items] if len(names) == 1 else [*listing.items]


def set_and_text(left: FiniteSet, right: Text, case: Case) -> Comparison:
    """The empty set is no solution."""
    return equal("text") if not left.items and right.words == "no solution" else undecided("text")


def text_and_set(left: Text, right: FiniteSet, case: Case) -> Comparison:
    """As above."""
    return set_and_text(right, left, case)


def single_elements(left: Value, right: Value, case: Case) -> Comparison:
    """`{7}` lists the one solution 7, unless the question is about sets as such."""
    pair = [value.items if isinstance(value, FiniteSet) else (value,) for value in (left, right)]
    if any(len(items) != 1 for items in pair) or case.asks(*_SET_WORDS):
        return undecided("set_repeats")
    if isinstance(pair[0][0], FiniteSet) or isinstance(pair[1][0], FiniteSet):
        return undecided("set_repeats")
    result = case.same(pair[0][0], pair[1][0])
    return equal("list_order") if result.equal else undecided("list_order")


def tuple_and_listing(left: Tuple, right: Listing, case: Case) -> Comparison:
    """`(a, b)` answered as `a, b` or `x=a, y=b`."""
    if _half_labelled(right):
        return undecided("tuple_form")
    return _tuple_form(left, left.items, _by_name(right, case), case)


def listing_and_tuple(left: Listing, right: Tuple, case: Case) -> Comparison:
    """A bare list answered as a tuple: in its order."""
    if _half_labelled(left):
        return undecided("tuple_form")
    return _tuple_form(right, _by_name(left, case), right.items, case)


def _tuple_form(written: Tuple, left: Sequence[Value], right: Sequence[Value], case: Case) -> Comparison:
    if case.conventions.tuple_form == "strict" or not written.round or len(left) != len(right):
        return undecided("tuple_form")
    if len(left) == 2 and case.asks(*_INTERVAL_WORDS):
        return undecided("tuple_form")  # the brackets may be those of an interval
    result = in_order(left, right, case, "tuple_form")
    return equal("tuple_form") if result.equal else undecided("tuple_form")


def matrices(left: Matrix, right: Matrix, case: Case) -> Comparison:
    """Same shape, entry by entry; a determinant is no matrix."""
    if left.determinant != right.determinant or len(left.rows) != len(right.rows):
        return undecided("matrix")
    if len(left.rows[0]) != len(right.rows[0]):
        return undecided("matrix")
    mine = [cell for row in left.rows for cell in row]
    theirs = [cell for row in right.rows for cell in row]
    result = in_order(mine, theirs, case, "same value")
    sure = _exact(mine) and _exact(theirs) and not left.determinant
    return result if result.outcome != "different" or sure else undecided()


def matrix_and_tuple(left: Matrix, right: Tuple, case: Case) -> Comparison:
    """A column is the tuple of its entries."""
    return _tuple_form(right, column(left), right.items, case)


def tuple_and_matrix(left: Tuple, right: Matrix, case: Case) -> Comparison:
    """As above."""
    return _tuple_form(left, left.items, column(right), case)


def column(matrix: Matrix) -> Sequence[Value]:
    """The entries of a column, nothing for any other matrix."""
    if matrix.determinant or any(len(row) != 1 for row in matrix.rows):
        return ()
    return [row[0] for row in matrix.rows]
