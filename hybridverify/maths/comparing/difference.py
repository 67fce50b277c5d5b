"""Proof of difference: two values that were read whole differ under every convention that could make them one.

One mechanism for all that holds several values. Whatever the brackets, the order, the labels or the repeats mean, two
such values are one only if every item of each has a partner in the other. So an item that surely differs from all
items of the other value proves the difference; where both have places, so does one place. What differs is decided item
by item, and at the bottom by the rules for single values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hybridverify.maths.algebra.nodes import symbols
from hybridverify.maths.comparing import equation_rules as equations
from hybridverify.maths.comparing.coordinates import is_told_otherwise
from hybridverify.maths.comparing.equation_difference import equations_apart
from hybridverify.maths.comparing.items import SINGLES, items_of, proves, without_name
from hybridverify.maths.comparing.label_rules import by_name, label_of, labelled
from hybridverify.maths.comparing.orders import orders_apart
from hybridverify.maths.comparing.other_letters import in_other_letter
from hybridverify.maths.comparing.progressions import progressions_apart
from hybridverify.maths.comparing.put_together import may_be_put_together
from hybridverify.maths.comparing.relation_rules import with_parameters
from hybridverify.maths.comparing.rules import Case, Comparison, different, undecided
from hybridverify.maths.comparing.set_difference import holds_interval, sets_apart
from hybridverify.maths.limits import Unread
from hybridverify.maths.units.measures import changes_meaning
from hybridverify.maths.values.kinds import (
    Listing,
    Matrix,
    Named,
    Qualified,
    RealSet,
    Relation,
    Scalar,
    Tuple,
    Value,
)

_ALONE = "an item without a partner"


def proved_difference(left: Value, right: Value, case: Case) -> Comparison:
    """`different` where no convention makes the two one, else `undecided`."""
    try:
        reason = _apart_as_a_whole(left, right, case) or _apart(left, right, case, known=True)
    except (Unread, RecursionError, OverflowError):
        return undecided()
    return different(reason) if reason else undecided()


def _apart_as_a_whole(left: Value, right: Value, case: Case) -> str:
    """What proves nothing of an item: two progressions may be a third one together, and points of a line may be told
    with any parameter."""
    if progressions_apart(left, right, case):
        return "other progression"
    if (
        isinstance(left, Scalar)
        and isinstance(right, Scalar)
        and in_other_letter(left.node, right.node, case)
    ):
        return "a letter that the question does not have"
    return ""


def _apart(left: Value, right: Value, case: Case, known: bool = False) -> str:
    """Why the two surely differ, "" where they may not. `known`: the rules for single values say nothing of them."""
    if isinstance(left, SINGLES) and isinstance(right, SINGLES):
        return "" if known else _told_apart(case.same(left, right))
    given = (left, right)
    opened = _opened(left, right, case)
    if opened is None:
        return ""
    left, right, outer = *opened, case.parameters
    if isinstance(left, Named) and left.parameters:
        case.parameters = outer | set(left.parameters)
    try:
        mine, theirs = without_name(left), without_name(right)
        result = undecided() if known and (mine, theirs) == given else case.same(mine, theirs)
        if result.outcome != "undecided":
            return _told_apart(result)
        return _values_apart(mine, theirs, left, right, case)
    finally:
        case.parameters = outer


def _told_apart(result: Comparison) -> str:
    return result.reason if result.outcome == "different" else ""


def _values_apart(mine: Value, theirs: Value, left: Value, right: Value, case: Case) -> str:
    if _have_one_name(left, right) and sets_apart(mine, theirs, case):
        return "other set"
    if holds_interval(mine, theirs, case):
        return "other set" if sets_apart(mine, theirs, case) else ""
    one, other = _equation(left), _equation(right)
    if one is not None and other is not None:
        return _equations_apart(one, other, case)
    if one is not None and isinstance(left, Relation) and isinstance(theirs, Scalar):
        solved = equations.solved_for_the_other(one, theirs, case)
        return "other equation" if solved is not None and equations_apart(one, solved, case) else ""
    return _items_apart(mine, theirs, case)


def _equations_apart(one: Relation, other: Relation, case: Case) -> str:
    if orders_apart(one, other, case):
        return "opposite order"
    return "other equation" if equations_apart(one, other, case) else ""


def _have_one_name(left: Value, right: Value) -> bool:
    """`x > 3` and `x = 3` speak of the same letter."""
    names = [value.name if isinstance(value, (RealSet, Named)) else "" for value in (left, right)]
    return names[0] == names[1] != "" and isinstance(left, RealSet) != isinstance(right, RealSet)


def _equation(value: Value) -> Relation | None:
    if isinstance(value, Relation):
        return value
    return equations.as_equation(value) if isinstance(value, Named) and not value.parameters else None


def _opened(left: Value, right: Value, case: Case) -> tuple[Value, Value] | None:
    """The two without conditions that say nothing, parameters called as on the left; None where a name or a
    condition may be all the difference."""
    one, other = _unqualified(left), _unqualified(right)
    if one is None or other is None:
        return None
    if _has_telling_name(one) or _has_telling_name(other):
        return None
    if not isinstance(one, Named) or not isinstance(other, Named):
        return one, other
    return _called_alike(one, other)


def _called_alike(one: Named, other: Named) -> tuple[Value, Value] | None:
    if _is_graph_of(one, other) or _is_graph_of(other, one):
        parameters = one.parameters or other.parameters
        return Named("y", parameters, one.value), Named("y", parameters, other.value)
    if one.name != other.name and (_has_letters(one) or _has_letters(other)):
        return None
    value = with_parameters(one, other)
    if value is None:
        return None
    return one, Named(other.name, one.parameters, value, other.node, other.word)


def _is_graph_of(one: Named, function: Named) -> bool:
    """`y = 2x + 1` of `f(x) = 2x - 3`, both in x alone."""
    graph, term = one.value, function.value
    if one.name != "y" or one.parameters or not isinstance(graph, Scalar) or not isinstance(term, Scalar):
        return False
    letters = frozenset(function.parameters)
    return len(letters) == 1 and symbols(graph.node) == symbols(term.node) == letters


def _has_telling_name(value: Value) -> bool:
    """A word before the value that changes what it means."""
    return isinstance(value, Named) and bool(value.word) and changes_meaning(value.name)


def _unqualified(value: Value) -> Value | None:
    if not isinstance(value, Qualified):
        return value
    bound = value.value.parameters if isinstance(value.value, Named) else ()  # `f(x) = x for all x`
    free = (value.integers or value.constants).difference(bound)
    return value.value if value.harmless and not (free and _has_letters(value.value, free)) else None


def _has_letters(value: Value, names: frozenset[str] = frozenset()) -> bool:
    inner = without_name(value)
    if isinstance(inner, Scalar):
        found = symbols(inner.node)
        return bool(found & names) if names else bool(found)
    items = items_of(inner)
    return items is None or (len(items) > 1 and any(_has_letters(item, names) for item in items))


def _items_apart(left: Value, right: Value, case: Case) -> str:
    """By places where both have the same ones, by labels, and by items without a partner."""
    if isinstance(left, SINGLES) and isinstance(right, SINGLES):
        return ""
    mine, theirs = items_of(left), items_of(right)
    if not mine or not theirs:
        return ""
    if _is_one_of(right, mine):
        theirs = [right]
    if _has_places_of_a_form(left, right, case) or (
        _have_rows(left, right) and is_told_otherwise(mine, theirs, case)
    ):
        return ""
    if _have_places(left, right):
        return _first_apart(zip(mine, theirs, strict=True), case)
    if case.question and isinstance(right, Listing) and _are_coordinates(left, right):
        return _first_apart(zip(mine, by_name(right, case), strict=True), case)
    return _labels_apart(left, right, case) or _partners_apart(left, right, mine, theirs, case)


def _is_one_of(right: Value, mine: Sequence[Value]) -> bool:
    """One point beside a list of points is one item, however many coordinates it has."""
    if not isinstance(right, Tuple) or not right.round:  # intervals make others together
        return False
    return all(
        isinstance(item, Tuple) and item.round and len(item.items) == len(right.items) for item in mine
    )


def _has_places_of_a_form(left: Value, right: Value, case: Case) -> bool:
    """`a = 3, b = -4` beside 3 - 4i: the values of letters in a form that the question gives."""
    if not isinstance(left, SINGLES) or not isinstance(right, Listing) or not labelled(right):
        return False
    return all(
        isinstance(item, Named) and any(item.name in text for text in case.question.split("form")[1:])
        for item in right.items
    )


def _partners_apart(
    left: Value, right: Value, mine: Sequence[Value], theirs: Sequence[Value], case: Case
) -> str:
    if _may_be_parts(left, right, mine, theirs):
        return ""
    lost, added = _without_partner(mine, theirs, case)
    return _ALONE if proves(left, right, lost, added, case) else ""


def _may_be_parts(left: Value, right: Value, mine: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """One item on one side, that the others may make together?"""
    lists = not isinstance(left, Tuple) and not isinstance(right, Tuple)
    return 1 in (len(mine), len(theirs)) and may_be_put_together(mine, theirs, lists)


def _have_rows(left: Value, right: Value) -> bool:
    rows = (Tuple, Matrix)
    return isinstance(left, rows) and isinstance(right, rows)


def _without_partner(
    mine: Sequence[Value], theirs: Sequence[Value], case: Case
) -> tuple[list[bool], list[bool]]:
    """Which items of each side surely differ from all of the other side? No pair is compared twice, and what has its
    equal on the other side is compared with nothing."""
    apart: dict[tuple[int, int], bool] = {}

    def differ(place: int, other: int) -> bool:
        if (place, other) not in apart:
            apart[place, other] = bool(_apart(mine[place], theirs[other], case))
        return apart[place, other]

    places, others = range(len(mine)), range(len(theirs))
    lost = [mine[one] not in theirs and all(differ(one, other) for other in others) for one in places]
    added = [theirs[other] not in mine and all(differ(one, other) for one in places) for other in others]
    return lost, added


def _have_places(left: Value, right: Value) -> bool:
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return len(left.items) == len(right.items)
    if not isinstance(left, Matrix) or not isinstance(right, Matrix):
        return False
    return len(left.rows) == len(right.rows) and len(left.rows[0]) == len(right.rows[0])


def _are_coordinates(point: Value, told: Listing) -> bool:
    """`x = 2, y = 5` beside a point: each coordinate under its own name."""
    if not isinstance(point, Tuple) or not point.round:
        return False
    names = [label_of(item) for item in told.items]
    return len(names) == len(point.items) and sorted(names) in (["x", "y"], ["x", "y", "z"])


def _first_apart(pairs: Iterable[tuple[Value, Value]], case: Case) -> str:
    """Why the first of the pairs that surely differs does so, "" where none does."""
    return next((reason for one, other in pairs if (reason := _apart(one, other, case))), "")


def _labels_apart(left: Value, right: Value, case: Case) -> str:
    """The values of one label."""
    if not isinstance(left, Listing) or not isinstance(right, Listing):
        return ""
    if not (labelled(left) and labelled(right)):
        return ""
    places = {label_of(item): item for item in right.items}
    pairs = [(item, places[label_of(item)]) for item in left.items if label_of(item) in places]
    return "" if len(pairs) < len(left.items) else _first_apart(pairs, case)
