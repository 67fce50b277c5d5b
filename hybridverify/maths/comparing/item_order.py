"""The order of items: which lists have one, and equal items in another order, wrong only where one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hybridverify.language.asked import read_question
from hybridverify.maths.algebra.nodes import Sym, rational_value
from hybridverify.maths.comparing.label_rules import ordered
from hybridverify.maths.comparing.rules import Case, Comparison, different, undecided
from hybridverify.maths.values.kinds import Letter, Listing, Quantity, Scalar, Text, Tuple, Value

_VERDICTS = frozenset(("T", "F", "true", "false", "yes", "no"))


def have_places(listing: Listing) -> bool:
    """Whether each item stands for something of its own: `5 boys, 3 girls`, and the truth of statements, `T, F, T`."""
    units = {item.unit for item in listing.items if isinstance(item, Quantity)}
    return len(units) > 1 or all(_verdict(item) in _VERDICTS for item in listing.items)


def _verdict(item: Value) -> str:
    if isinstance(item, Letter):
        return item.letter
    if isinstance(item, Scalar):
        return item.node.name if type(item.node) is Sym else ""
    return item.words.casefold() if isinstance(item, Text) else ""


def placed(left: Sequence[Value], right: Sequence[Value], case: Case) -> Comparison | None:
    """Equal items in another order where the question asks for one: a sure no where it sorts and the reference is
    sorted; None where they stand as in the reference, or no order is asked for."""
    asked = read_question(case.question)
    if not asked.ordered or len(left) != len(right) or any(isinstance(item, Tuple) for item in left):
        return None  # the places of x and y are within each pair
    if ordered(left, right, case).equal:
        return None
    return different("order") if _is_sorted(left, asked.direction) else undecided("order")


def _is_sorted(items: Sequence[Value], direction: int) -> bool:
    """Whether exact numbers rise (1) or fall (-1) from one to the next."""
    values = [rational_value(item.node) for item in items if isinstance(item, Scalar)]
    if not direction or len(values) < len(items):
        return False
    pairs = pairwise(values)
    return all(
        one is not None and other is not None and (other - one) * direction > 0 for one, other in pairs
    )
