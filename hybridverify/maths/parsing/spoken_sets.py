"""Sets in words: `all real numbers`, `all real numbers except 2`."""

from __future__ import annotations

from hybridverify.language import expressions as re
from hybridverify.maths.algebra.nodes import INFINITY, Num
from hybridverify.maths.notation.vocabulary import words
from hybridverify.maths.parsing.texts import without_commands
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.kinds import FiniteSet, Listing, Named, NumberSet, RealSet, Scalar, Text, Value

_SETS = {"real": "R", "reals": "R", "integers": "Z", "positive integers": "Z+", "rational": "Q"}
_RAYS = {
    f"{kind} {noun}": RealSet(real_sets.interval(Num(0), with_zero, INFINITY, False))
    for kind, with_zero in (("nonnegative", True), ("non-negative", True), ("positive", False))
    for noun in ("real", "reals")
}
_SAYING = words("all any every set of number numbers value values x can be is")
_QUANTIFIED = words("all any every numbers")
_EXCEPT = re.compile(
    r"(?:x (?:is|are) )?(?:all|any) real(?:s| numbers?| values?)?(?: of)?(?: [a-z])?,? (?:except|other than)(?: for)? "
    r"(?:x (?:=|is) )?(.{1,60})"
)


def named_set(text: Text | None) -> Value | None:
    """`all real numbers` is a set; any other text stays what it is."""
    if text is None:
        return None
    told = text.words.split()
    name = "" if _QUANTIFIED.isdisjoint(told) else " ".join(word for word in told if word not in _SAYING)
    return NumberSet(_SETS[name]) if name in _SETS else _RAYS.get(name, text)


def points_excepted(text: str) -> str:
    """What stands behind `all real numbers except`, "" where nothing does.

    >>> points_excepted(r"\\text{all real numbers except } 2")
    '2'
    """
    match = _EXCEPT.fullmatch(" ".join(without_commands(text).split()))
    return match[1] if match else ""


def without(value: Value) -> RealSet | None:
    """The real numbers without the points that the value lists."""
    items = value.items if isinstance(value, (Listing, FiniteSet)) else (value,)
    points = [item.value if isinstance(item, Named) else item for item in items]
    if not all(isinstance(point, Scalar) for point in points):
        return None
    out = tuple(real_sets.point(point.node) for point in points if isinstance(point, Scalar))
    return RealSet(real_sets.complement(real_sets.union(out)))
