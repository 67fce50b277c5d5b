"""Orders of growth: `O(log n)` is `O(log_2 n)` and may be `O(log n + 5)`: factors and slower terms do not count."""

from __future__ import annotations

from hybridverify.maths.algebra import numeric
from hybridverify.maths.algebra.equality import Same, same_expression
from hybridverify.maths.algebra.nodes import Mul, Node, Num, Sym, rename, symbols
from hybridverify.maths.comparing.rules import Case

_ORDERS = frozenset(("O", "o", "Theta", "Omega"))
"""Letters before a bracket that holds an order of growth; the reader takes them for factors."""
_EARLY, _LATE = 10, 500
"""Where growth is measured: far apart, and with a value for powers of two."""
_GROWN = 2.2
"""By how much a quotient changes between them that grows as a logarithm does, or faster."""
_ASKED = ("complexity", "asymptotic", "big-o", "big o", "running time", "runtime", "order of growth")


def are_one_order(left: Node, right: Node, case: Case) -> bool:
    """Is one a constant multiple of the other, where an order of growth is asked for?"""
    letter = _order_of(left)
    if not letter or letter != _order_of(right) or not case.asks(*_ASKED):
        return False
    letters = symbols(left) | symbols(right)
    if len(letters) != 2 or symbols(left) != symbols(right):
        return False
    start: dict[str, Node] = {name: Num(_EARLY) for name in letters - _ORDERS}
    first, second = rename(left, start), rename(right, start)
    ratio = _ratio(left, right, _EARLY)
    if ratio is None or ratio <= 0:
        return False
    return same_expression(Mul((left, second)), Mul((right, first)), case.setting) is Same.EQUAL


def may_be_one_order(left: Node, right: Node) -> bool:
    """May factors and slower terms alone tell two orders of growth apart?"""
    if (symbols(left) | symbols(right)).isdisjoint(_ORDERS) or not (_order_of(left) or _order_of(right)):
        return False
    early, late = _ratio(left, right, _EARLY), _ratio(left, right, _LATE)
    return not early or late is None or 1 / _GROWN < abs(late / early) < _GROWN


def _order_of(node: Node) -> str:
    """The letter before the bracket of an order of growth, "" for any other formula."""
    first = node.factors[0] if type(node) is Mul else None
    return first.name if type(first) is Sym and first.name in _ORDERS else ""


def _ratio(left: Node, right: Node, start: int) -> float | None:
    """The quotient of the two where their letters are large, each by a size of its own; None where there is none."""
    names = sorted((symbols(left) | symbols(right)) - _ORDERS)
    point = {name: start ** (1 + place / 3) for place, name in enumerate(names)} | dict.fromkeys(_ORDERS, 1.0)
    try:
        quotient = numeric.evaluate(left, point) / numeric.evaluate(right, point)
    except (numeric.NoValue, ZeroDivisionError):
        return None
    return quotient if isinstance(quotient, float) else None
