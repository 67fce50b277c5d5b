"""Are two expressions equal? A number at a point says no, algebra says yes, and the rest is unknown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from hybridverify.maths.algebra.algebraic import same_number
from hybridverify.maths.algebra.angles import same_angle
from hybridverify.maths.algebra.nodes import (
    Call,
    Const,
    Node,
    Num,
    Pow,
    Sym,
    rational_value,
    symbols,
    walk,
)
from hybridverify.maths.algebra.normal import Normal
from hybridverify.maths.algebra.numeric import NoValue, Value, at_no_point, evaluate, point_for
from hybridverify.maths.algebra.operators import has_operator
from hybridverify.maths.algebra.remembered import remembered, remembered_of_two
from hybridverify.maths.limits import Undefined, Unread

_TOLERANCE = 1e-8
"""Far above the rounding of a tame evaluation, far below a difference that a wrong answer makes."""
_POINTS = 2
_SIGNED_POINTS = 6
_SIGNED_LETTERS = 4


class Same(Enum):
    """The outcome of a comparison."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Setting:
    """What the question and the reference say about letters."""

    imaginary: bool = False
    """`i` is the imaginary unit."""
    positive: bool = False
    """The question restricts its variables to positive values."""
    capitals: bool = False
    """Capitals are matrices or the like: the order of their products counts."""
    vectors: bool = False
    """The question has vectors, and a cross product is written."""


PLAIN = Setting()
"""What is said where nothing is."""


def same_expression(left: Node, right: Node, setting: Setting = PLAIN) -> Same:
    """EQUAL is proved by algebra, DIFFERENT by values (or by exact arithmetic), else UNKNOWN.

    >>> x = Sym("x")
    >>> same_expression(Pow(Pow(x, Num(2)), Num(2)), Pow(x, Num(4)))
    <Same.EQUAL: 'equal'>
    """
    return _same_expression(left, right, setting)


@remembered_of_two
def _same_expression(left: Node, right: Node, setting: Setting) -> Same:
    if left == right:
        return _defined(left)
    try:
        first, second = rational_value(left), rational_value(right)
    except Undefined:
        return Same.UNKNOWN
    if first is not None and second is not None:
        return Same.EQUAL if first == second else Same.DIFFERENT
    names = symbols(left) | symbols(right)
    probed = _probe(left, right, names, setting)
    if probed is Same.DIFFERENT:
        return probed
    if _proved(left, right, setting):
        return for_all_signs(left, right, names, setting)
    if not names:
        return _as_algebraic(left, right)
    return Same.UNKNOWN


def _defined(node: Node) -> Same:
    """A node equals itself unless it divides by zero."""
    if type(node) in (Num, Sym, Const):
        return Same.EQUAL
    try:
        if rational_value(node) is None:
            _check_quotients(node)
    except Undefined:
        return Same.UNKNOWN
    except Unread:
        pass
    return Same.EQUAL


def _check_quotients(node: Node) -> None:
    """Raises Undefined where a part has no value. Only such parts are worked out: a whole power may have many terms."""
    parts = [*walk(node)]
    if any(type(part) is Pow for part in parts):
        for part in filter(_may_be_undefined, parts):
            Normal().of(part)


def _may_be_undefined(part: Node) -> bool:
    """A quotient, a function, infinity; no whole power and no power of a number."""
    if type(part) is Pow:
        above, below = part.exponent, part.base
        return type(above) is not Num or (above.value <= 0 and (type(below) is not Num or not below.value))
    return type(part) is Call or (type(part) is Const and part.name == "inf")


def _probe(left: Node, right: Node, names: frozenset[str], setting: Setting) -> Same:
    """DIFFERENT where a point shows it; EQUAL where every point agreed; UNKNOWN without a value."""
    outcome = Same.UNKNOWN
    points = (point_for(names, number) for number in range(_POINTS if names else 1))
    for apart in apart_at(left, right, points, setting):
        if apart:
            return Same.DIFFERENT
        outcome = outcome if apart is None else Same.EQUAL
    return outcome


def apart_at(
    left: Node, right: Node, points: Iterable[dict[str, float]], setting: Setting
) -> Iterator[bool | None]:
    """Do the two differ at each of the points? None where they have no value there."""
    factors = _log_factors(left, right)
    for point in points:
        pairs = [_values(left, right, point, setting, factor) for factor in factors]
        known = [pair for pair in pairs if pair is not None]
        yield not any(_close(*pair) for pair in known) if known else None


def _log_factors(left: Node, right: Node) -> tuple[float, ...]:
    """A bare logarithm has the base e or ten: values differ only if they differ for both."""
    return (1.0, 1 / math.log(10)) if is_bare_log(left) or is_bare_log(right) else (1.0,)


@remembered
def is_bare_log(node: Node) -> bool:
    """Does it hold a logarithm without a base?"""
    return any(type(part) is Call and part.name == "log" and len(part.args) == 1 for part in walk(node))


def _values(
    left: Node, right: Node, point: dict[str, float], setting: Setting, log_factor: float
) -> tuple[Value, Value] | None:
    if not point and setting is PLAIN and log_factor == 1.0:
        first, second = at_no_point(left), at_no_point(right)
        if first is not None and second is not None:
            return first, second
    for complex_plane in (False, True):
        try:
            return (
                evaluate(left, point, complex_plane, setting.imaginary, log_factor),
                evaluate(right, point, complex_plane, setting.imaginary, log_factor),
            )
        except NoValue:
            continue
    return None


def _close(first: Value, second: Value) -> bool:
    return abs(first - second) <= _TOLERANCE * max(abs(first), abs(second))


def _proved(left: Node, right: Node, setting: Setting) -> bool:
    if type(left) is Pow and type(right) is Pow and left.exponent == right.exponent:
        left, right = left.base, right.base  # no need to expand (1+x)^200
    normal = Normal(setting.imaginary)
    try:
        return normal.equal(normal.of(left), normal.of(right))
    except (Unread, RecursionError):  # Limit and Undefined are kinds of Unread
        return False


def for_all_signs(left: Node, right: Node, names: frozenset[str], setting: Setting) -> Same:
    """The algebra took variables as positive: look at other signs where that may matter."""
    if setting.positive or not names or not (branches(left) or branches(right)):
        return Same.EQUAL
    if has_operator(left) or has_operator(right):
        return Same.UNKNOWN
    for number in range(_SIGNED_POINTS):
        point = point_for(names, number + 10, signs=(2 ** len(names) - 1) if number == 0 else 1 + 37 * number)
        if not _agree(_real(left, point), _real(right, point)):
            return _in_the_plane(left, right, names)
    return Same.EQUAL


def _agree(first: float | None, second: float | None) -> bool:
    """Near one another, or both without a value."""
    if first is None or second is None:
        return first is second
    return _close(first, second)


def _in_the_plane(left: Node, right: Node, names: frozenset[str]) -> Same:
    """EQUAL where the two have one complex value for all signs: `\\sqrt x \\sqrt x` and `x` have, though below zero
    one of them has no real value."""
    if len(names) > _SIGNED_LETTERS:
        return Same.UNKNOWN
    points = (point_for(names, signs + 20, signs) for signs in range(2 ** len(names)))
    try:
        alike = all(_close(evaluate(left, at, True), evaluate(right, at, True)) for at in points)
    except NoValue:
        return Same.UNKNOWN
    return Same.EQUAL if alike else Same.UNKNOWN


@remembered
def branches(node: Node) -> bool:
    """Does the node hold a root, logarithm, absolute value or symbolic power of something with a variable?"""
    for part in walk(node):
        if type(part) is Pow and symbols(part.base):
            if type(part.exponent) is not Num or part.exponent.value.denominator != 1:
                return True
        elif type(part) is Call and part.name in ("ln", "log", "abs", "sqrt") and symbols(part):
            return True
    return False


def _real(node: Node, point: dict[str, float]) -> float | None:
    try:
        value = evaluate(node, point)
    except NoValue:
        return None
    return value if isinstance(value, float) else None


def _as_algebraic(left: Node, right: Node) -> Same:
    same = same_number(left, right)
    if same is None:
        return Same.EQUAL if same_angle(left, right) else Same.UNKNOWN
    return Same.EQUAL if same else Same.DIFFERENT
