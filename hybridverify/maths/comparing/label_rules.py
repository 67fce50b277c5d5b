"""Comparing lists whose items carry labels: `a = 4, b = 1`, `least 2, greatest 6`, `x = 1 or x = 2`."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.algebra.numeric import constant
from hybridverify.maths.comparing.name_order import usual_order
from hybridverify.maths.comparing.renaming import letters_in
from hybridverify.maths.comparing.rules import (
    Case,
    Comparison,
    all_of,
    equal,
    in_any_order,
    in_order,
    undecided,
)
from hybridverify.maths.notation.vocabulary import GREATEST, LEAST
from hybridverify.maths.units.measures import changes_meaning, plain_label
from hybridverify.maths.values.kinds import Listing, Named, Qualified, Scalar, Value

_WORDS, _OPENING = "aAI", "$(,"
"""Letters that may be words of a question, and the signs after one of which they are none."""


def by_label(left: Listing, right: Listing, case: Case) -> Comparison:
    """Lists of which one or both have labels."""
    if _are_roots(left, right) or _are_roots(right, left):
        return _as_collections(left, right, case)
    if len(left.items) != len(right.items) or half_labelled(left) or half_labelled(right):
        return undecided("list_order")
    if labelled(left) and labelled(right):
        return _label_by_label(left, right, case)
    if all(label_of(item).split()[0] in LEAST | GREATEST for item in _labelled_one(left, right).items):
        return _extremes(left, right, case)
    return _without_labels(left, right, case)


def _as_collections(left: Listing, right: Listing, case: Case) -> Comparison:
    """The values alone, in whatever order."""
    items = [bare(item) for item in left.items], [bare(item) for item in right.items]
    return equal("list_order") if in_any_order(*items, case) else undecided("list_order")


def _label_by_label(left: Listing, right: Listing, case: Case) -> Comparison:
    """Both have labels: each value beside the one of the same label."""
    theirs = {label_of(item): item for item in right.items}
    if set(theirs) != {label_of(item) for item in left.items}:
        return undecided("variable_name")
    return all_of((case.same(item, theirs[label_of(item)]) for item in left.items), "same value")


def _without_labels(left: Listing, right: Listing, case: Case) -> Comparison:
    """One has labels: they may be dropped where they only repeat what was asked."""
    if any(map(changes_meaning, _worded_labels(left))):
        return undecided("variable_name")
    if not all(plain_label(name, case.question) for name in _worded_labels(right)):
        return undecided("variable_name")
    result = ordered(by_name(left, case), by_name(right, case), case)
    return equal("variable_name") if result.equal else undecided("list_order")


def _worded_labels(listing: Listing) -> list[str]:
    return [item.name for item in listing.items if isinstance(item, Named) and item.word]


def _labelled_one(left: Listing, right: Listing) -> Listing:
    """Of two lists of which one has labels, that one."""
    return left if labelled(left) else right


def labelled(listing: Listing) -> bool:
    """Every item carries its own label."""
    names = [label_of(item) for item in listing.items]
    return all(names) and len(set(names)) == len(names)


def half_labelled(listing: Listing) -> bool:
    """`x = 0, 1` lists the values of one name."""
    return any(label_of(item) for item in listing.items) and not labelled(listing)


def leaves_choice(listing: Listing) -> bool:
    """Whether one of several unknowns has its value, and it is not said which: `x = 1 or y = 2`."""
    return "or" in listing.separators and labelled(listing)


def names_another(listing: Listing, case: Case) -> bool:
    """Whether the question has as many letters as there are values, and one of the values has another: z beside x,
    where x and y are asked for."""
    names = {label_of(item) for item in listing.items} - {""}
    asked = _letters_of(case.question) if names else names
    return len(asked) == len(names) and bool(asked & names) and asked != names


def _letters_of(question: str) -> frozenset[str]:
    """The letters of a question that are no words: `$a$`, `(a, b)`, but not "a point"."""
    words = (word for word in _WORDS if not any(sign + word in question for sign in _OPENING))
    return letters_in(question).difference(words)


def label_of(value: Value) -> str:
    """The name of a value, "" where it has none."""
    if isinstance(value, Qualified):
        return label_of(value.value)
    if not isinstance(value, Named):
        return ""
    return "".join(value.parameters) if value.name == "(" else value.name


def _are_roots(numbered: Listing, plain: Listing) -> bool:
    """`x_1 = 1, x_2 = 2` beside `x = 1 or x = 2`: the indices only number the values of x."""
    names = {label_of(item) for item in plain.items}
    if label_of(plain.items[0]):  # `x = 0, 1` has one name for all
        names -= {""}
    name = next(iter(names)) if len(names) == 1 else ""
    bases = {label_of(item).partition("_")[0] for item in numbered.items}
    return bool(name) and labelled(numbered) and bases == {name}


def bare(value: Value) -> Value:
    """The value without its label."""
    return value.value if isinstance(value, Named) and not isinstance(value.value, Listing) else value


def by_name(listing: Listing, case: Case) -> list[Value]:
    """The values without their labels; `y = 4, x = 1` in the usual order of x and y, words in the order of the
    question."""
    named = [item for item in listing.items if isinstance(item, Named)]
    kinds = {item.word for item in named}
    if not labelled(listing) or len(named) < len(listing.items) or len(kinds) > 1:
        return [*map(bare, listing.items)]
    items = {label_of(item): item for item in named}
    order = (
        _in_question(list(items), case.question) if True in kinds else usual_order(list(items), case.question)
    )
    return [bare(items[name]) for name in order]


def _in_question(words: list[str], question: str) -> list[str]:
    """The words in the order in which the question has them last, if it has all."""
    places = [question.casefold().rfind(word) for word in words]
    known = min(places) >= 0 and len(set(places)) == len(places)
    return [word for _, word in sorted(zip(places, words, strict=True))] if known else words


def _extremes(left: Listing, right: Listing, case: Case) -> Comparison:
    """`least 2, greatest 6` names its order itself, if the numbers bear it out."""
    ends = _least_and_greatest(_labelled_one(left, right))
    if ends is None or not ends[0] < ends[1]:
        return undecided("list_order")
    return _as_collections(left, right, case)


def _least_and_greatest(listing: Listing) -> tuple[float, float] | None:
    """The two numbers of a list that is one least and one greatest value, None for any other list."""
    if len(listing.items) != 2:
        return None
    lows, highs = (
        [_number(item) for item in listing.items if label_of(item).split()[0] in names]
        for names in (LEAST, GREATEST)
    )
    return (lows[0], highs[0]) if len(lows) == len(highs) == 1 else None


def _number(value: Value) -> float:
    inner = bare(value)
    found = constant(inner.node) if isinstance(inner, Scalar) else None
    return float("nan") if found is None else found


def ordered(left: Sequence[Value], right: Sequence[Value], case: Case) -> Comparison:
    """Part by part, in the order given."""
    if len(left) != len(right):
        return undecided("list_order")
    result = in_order(left, right, case, "list_order")
    return result if result.equal else undecided("list_order")
