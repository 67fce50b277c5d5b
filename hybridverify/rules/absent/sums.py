"""What the numbers of a text may come to: every sum, product or power that is written out, in every bracketing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from hybridverify.maths.limits import Limit, Unread
from hybridverify.maths.notation.tokens import Token
from hybridverify.rules.absent import words as known
from hybridverify.rules.absent.numbers import Stated

MAX_VALUES = 1_500
"""Over so many values nothing is said."""
_MAX_WORK = 20_000
"""So many operations are tried: some milliseconds. Floating point is enough, since nothing is surely different by less
than one part in a hundred."""
_MAX_RUN = 14
_MAX_GAP = 14
_NEIGHBOURS = 5
"""With so few words between them two numbers may be meant together: `3 cows and 4 hens`."""
_TIGHT = 2
_BEHIND = 3
_LISTING = frozenset(("and", ",", "&"))
_PAIR = 2
_BORDERS = frozenset((".", "?", ";"))
_SIGNS = frozenset("+-*/^:")


def results(numbers: Sequence[Stated], tokens: Sequence[Token], parts: bool = False) -> set[float]:
    """The values of all computations that are written out; of `parts` also their shares. Raises Limit."""
    told = [one for one in numbers if not one.implied]
    found: set[float] = set()
    run: list[Stated] = []
    signs: list[frozenset[str]] = []
    said = _said(tokens) | (frozenset(":") if parts else frozenset())
    for before, one in zip([None, *told[:-1]], told, strict=True):
        between = _operations(before, one, tokens, said) if before is not None else frozenset()
        if not between:
            found |= _computed(run, signs)
            run, signs = [one], []
        else:
            run.append(one)
            signs.append(between)
    found |= _computed(run, signs)
    if len(told) == _PAIR:  # `60 shared among 5`: whatever the words between them say
        found |= _computed(told, [frozenset("+-*|")])
    if len(found) > MAX_VALUES:
        raise Limit("limit")
    return found


def _said(tokens: Sequence[Token]) -> frozenset[str]:
    """What words anywhere in the text may do to neighbours."""
    spoken = {token.text.lower() for token in tokens if token.kind == "word"}
    if not known.TOLD_BEFORE.isdisjoint(spoken):
        return frozenset("+-*|")
    return frozenset("+-*") if not known.POOLED.isdisjoint(spoken) else frozenset()


def _operations(
    first: Stated, second: Stated, tokens: Sequence[Token], said: frozenset[str]
) -> frozenset[str]:
    """What may join two neighbours, nothing where they belong to two statements."""
    between = tokens[first.end : second.start]
    if len(between) > _MAX_GAP or any(token.kind == "rel" or token.text in _BORDERS for token in between):
        return frozenset()
    texts = [token.text.lower() for token in between]
    found = _between(texts, said) | _behind(tokens[second.end : second.end + _BEHIND])
    before = {token.text.lower() for token in tokens[max(0, first.start - _BEHIND) : first.start]}
    return found if known.EACH.isdisjoint(before) else found | {"*"}


def _between(texts: Sequence[str], said: frozenset[str]) -> frozenset[str]:
    """What signs and words between two numbers may do to them."""
    found = {text for text in texts if text in _SIGNS}
    for text in texts:
        if len(texts) <= _TIGHT or text not in known.TIGHT:
            found |= known.OPERATIONS.get(text, frozenset())
    if not any(map(str.isalnum, texts)) and "," not in texts:
        found |= {"+", "*"}  # `2 1/2`, `3(4)`
    if len(texts) <= _NEIGHBOURS:
        found |= {"+", *said} if not _LISTING.isdisjoint(texts) else said - {":"}
    return frozenset(found)


def _behind(following: Sequence[Token]) -> frozenset[str]:
    """What the next words may do to two numbers before them: `3 and 4 more`."""
    found: frozenset[str] = frozenset()
    for token in following:
        if token.kind == "num" or token.text in _BORDERS:
            break
        found |= known.TOLD_BEHIND.get(token.text.lower(), frozenset())
    return found


def _computed(run: Sequence[Stated], signs: Sequence[frozenset[str]]) -> set[float]:
    """All values of all parts of a chain, however it is bracketed."""
    if len(run) > _MAX_RUN:
        raise Limit("limit")
    table = {(at, at): set(map(as_float, one.values)) for at, one in enumerate(run)}
    work = made = 0
    for size in range(1, len(run)):
        for first in range(len(run) - size):
            last = first + size
            cell: set[float] = set()
            for cut in range(first, last):
                left, right = table[first, cut], table[cut + 1, last]
                work += len(left) * len(right) * len(signs[cut])
                if work > _MAX_WORK or made + len(cell) > MAX_VALUES:
                    raise Limit("limit")
                for sign in signs[cut]:
                    cell |= _values(left, right, sign)
            made += len(cell)
            table[first, last] = cell
    return set().union(*table.values())


def as_float(value: Fraction) -> float:
    """Raises Limit where it is too large."""
    try:
        return float(value)
    except OverflowError:
        raise Limit("limit") from None


def _values(left: set[float], right: set[float], sign: str) -> set[float]:
    """Of all pairs. A sign of its own does not count: differences are taken one way."""
    combine = _OPERATORS[sign]
    return {value for one in left for other in right for value in combine(one, other)}


def _quotient(one: float, other: float) -> tuple[float, ...]:
    if not other:
        raise Unread("a division by zero")
    return (one / other,)


def _quotients(one: float, other: float) -> tuple[float, ...]:
    """Both ways, where there is one."""
    return (*((one / other,) if other else ()), *((other / one,) if one else ()))


def _shares(one: float, other: float) -> tuple[float, ...]:
    """`3 to 4`: also three of seven."""
    whole = one + other
    return (*_quotients(one, other), *((one / whole, other / whole) if whole else ()))


def _powers(base: float, exponent: float) -> tuple[float, ...]:
    if not base:
        return (0.0,)
    try:
        return base**exponent, base**-exponent
    except OverflowError:
        raise Limit("limit") from None


_OPERATORS: Mapping[str, Callable[[float, float], tuple[float, ...]]] = {
    "+": lambda one, other: (one + other,),
    "-": lambda one, other: (abs(one - other),),
    "*": lambda one, other: (one * other,),
    "#": lambda one, other: (one * other + one, one * other + other),  # `3 times more than 4`
    "^": _powers,
    "/": _quotient,
    "|": _quotients,
    ":": _shares,
}
"""What two numbers may come to, by what joins them."""
