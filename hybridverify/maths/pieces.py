"""Functions in pieces, `\\begin{cases} x & x > 0 \\\\ -x & x \\le 0 \\end{cases}`: each value with its condition."""

from __future__ import annotations

from hybridverify.maths.limits import Unread
from hybridverify.maths.relations import Reader, has_relation
from hybridverify.maths.rules import Case, Comparison, all_of, equal, undecided
from hybridverify.maths.tokenlists import Tokens, spelled, split
from hybridverify.maths.values import Cases, RealSet, Text, Value
from hybridverify.maths.vocabulary import words

_IDLE = words("if when for where whenever is")
_OTHERWISE = words("otherwise else")


def read_piece(line: Tokens, read: Reader) -> tuple[Value, Value | None]:
    """The value of a piece and its condition."""
    cells, _ = split(line, lambda token: token.text == "&")
    if len(cells) != 2 or not all(cells):
        raise Unread("cases")
    value, condition = cells
    while value and value[-1].text in (",", ";"):
        value = value[:-1]
    return read(value), _condition(condition, read)


def _condition(tokens: Tokens, read: Reader) -> Value | None:
    """A set of one variable, or words; None for `otherwise`."""
    kept = [token for token in tokens if token.text.lower() not in _IDLE]
    while kept and kept[-1].text in (",", ";", "."):
        kept.pop()
    if len(kept) == 1 and kept[0].text.lower() in _OTHERWISE:
        return None
    if not kept:
        raise Unread("cases")
    return read(kept) if has_relation(kept) else Text(spelled(kept).casefold())


def cases(left: Cases, right: Cases, case: Case) -> Comparison:
    """Every piece finds the one with its condition, and has its value."""
    if len(left.pieces) != len(right.pieces):
        return undecided("cases")
    rest = [*right.pieces]
    results = []
    for value, condition in left.pieces:
        place = next((i for i, other in enumerate(rest) if _same(condition, other[1], case)), -1)
        if place < 0:
            return undecided("cases")
        results.append(case.same(value, rest.pop(place)[0]))
    result = all_of(results, "cases")
    return equal("cases") if result.equal else undecided("cases")


def _same(one: Value | None, other: Value | None, case: Case) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, RealSet) and isinstance(other, RealSet) and one.name != other.name:
        return False
    return case.same(one, other).equal
