"""Reading lists: separators, labels, plus-minus, and what the items of a list make together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce

from hybridverify.maths.limits import MAX_ITEMS, Limit, Unread
from hybridverify.maths.notation.tokenlists import Tokens, kinds_of, split
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.relations import Reader
from hybridverify.maths.units.compound import joined
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.conversion import to_real_set
from hybridverify.maths.values.kinds import (
    FiniteSet,
    Listing,
    Named,
    Qualified,
    RealSet,
    Scalar,
    Tuple,
    Value,
)

_SEPARATORS = frozenset((",", ";", "and", "or"))
_WORDS = frozenset(("and", "or"))
_MAX_SIGNS = 4


def is_separator(token: Token) -> bool:
    """The separators of bare lists."""
    return token.kind == "sep" and token.text in _SEPARATORS


def connected(value: Value, tokens: Tokens) -> Value:
    """The list with the signs of logic that join its items: `p \\land q` is more than a list of p and q."""
    signs = frozenset(f"logical {token.text}" for token in tokens if token.note == "logic")
    if not signs or not isinstance(value, Listing):
        return value
    return Listing(value.items, value.separators | signs)


def split_items(tokens: Tokens) -> tuple[list[list[Token]], list[str]]:
    """The items of a bare list; `, and` is one separator, a comma at the end is none."""
    if "sep" not in kinds_of(tokens):
        return [[*tokens]], []
    parts, signs = split(tokens, is_separator)
    while len(parts) > 1 and not parts[-1] and signs[-1] in (",", ";"):
        parts.pop()
        signs.pop()
    items: list[list[Token]] = [parts[0]]
    kept: list[str] = []
    for part, sign in zip(parts[1:], signs, strict=True):
        if not items[-1]:
            if not kept or sign not in _WORDS:
                raise Unread("empty item")
            items[-1], kept[-1] = part, sign
        else:
            items.append(part)
            kept.append(sign)
    if not all(items):
        raise Unread("empty item")
    return items, kept


def read_list(items: list[list[Token]], signs: list[str], read: Reader) -> Value:
    """The value of several items."""
    if ";" in signs and set(signs) & {",", "and", "or"}:
        grouped = _by_semicolon(items, signs)
        if grouped is not None:
            return Listing(tuple(read_list(*group, read) for group in grouped), frozenset((";",)))
    values: list[Value] = []
    read_items = list(map(read, items))
    for value in _with_both_signs(read_items):
        if isinstance(value, Listing):
            values.extend(value.items)
        else:
            values.append(value)
        if len(values) > MAX_ITEMS:
            raise Limit("limit")
    return assembled(values, frozenset(signs))


def _with_both_signs(values: list[Value]) -> list[Value]:
    """`x = 3, y = \\pm 2` lists two pairs: the other names are repeated for the second sign."""
    places = [place for place, value in enumerate(values) if _has_both_signs(value)]
    if len(places) != 1 or len(values) < 2:
        return values
    place = places[0]
    both = values[place]
    if not isinstance(both, Listing) or len(both.items) != 2:
        return values
    plus, minus = ([*values[:place], sign, *values[place + 1 :]] for sign in both.items)
    return [*plus, *minus] if _have_own_names(plus) else values


def _has_both_signs(value: Value) -> bool:
    return isinstance(value, Listing) and value.separators == frozenset(("pm",))


def _have_own_names(values: list[Value]) -> bool:
    """Does each value stand behind a name that no other has?"""
    names = {value.name for value in values if isinstance(value, Named) and not value.parameters}
    return len(names) == len(values)


def _by_semicolon(
    items: list[list[Token]], signs: list[str]
) -> list[tuple[list[list[Token]], list[str]]] | None:
    groups: list[tuple[list[list[Token]], list[str]]] = [([items[0]], [])]
    for item, sign in zip(items[1:], signs, strict=True):
        if sign == ";":
            groups.append(([item], []))
        else:
            groups[-1][0].append(item)
            groups[-1][1].append(sign)
    return groups if len({len(group[0]) for group in groups}) == 1 else None


def assembled(values: list[Value], separators: frozenset[str]) -> Value:
    """A list of values: joined inequalities become a set, repeated labels a list of tuples."""
    if len(values) == 1:
        return values[0]
    sets = _as_sets(values) if separators & _WORDS == {"or"} else values
    if all(isinstance(value, RealSet) for value in sets):
        return _joined([value for value in sets if isinstance(value, RealSet)], separators)
    one = joined(values) if separators <= {"and", ","} else None
    if one is not None:
        return one
    cycled = _cycled(values)
    if cycled is not None:
        return Listing(cycled, separators)
    return Listing(tuple(values), separators)


def _as_sets(values: list[Value]) -> list[Value]:
    """`0 < x < 1 or x = 3`, `x \\in [0, 1] or x = 3`: beside an interval, a value of the same name is a point."""
    names = {value.name for value in values if isinstance(value, (RealSet, Named))}
    if len(names) != 1 or not any(map(_is_interval, values)):
        return values
    found: list[Value] = []
    for value in values:
        one = _as_set(value)
        if one is None:
            return values
        found.append(one)
    return found


_SETS = (Tuple, RealSet, Scalar)
"""What a name may be given that stands for a set of numbers."""


def _is_interval(value: Value) -> bool:
    held = value.value if isinstance(value, Named) else value
    return isinstance(held, RealSet) or (held is not value and isinstance(held, Tuple))


def _as_set(value: Value) -> RealSet | None:
    """The set of a named number or interval; None for other values."""
    if isinstance(value, RealSet):
        return value
    if not isinstance(value, Named) or value.parameters or not isinstance(value.value, _SETS):
        return None
    inner = FiniteSet((value.value,)) if isinstance(value.value, Scalar) else value.value
    try:
        return RealSet(to_real_set(inner).pieces, value.name)
    except Unread:
        return None


def _joined(sets: Sequence[RealSet], separators: frozenset[str]) -> Value:
    """`x < 1 or x > 3`: a union; `x > 1 and x < 3`: an intersection; bare commas may mean either."""
    if len({item.name for item in sets}) != 1 or not sets[0].name:
        return Listing(tuple(sets), separators)
    words = separators & _WORDS
    if words == {"or"}:
        return RealSet(_in_any(sets), sets[0].name, _all_solved(sets), _any_polynomial(sets))
    if words == {"and"}:
        return RealSet(_in_all(sets), sets[0].name, _all_solved(sets), _any_polynomial(sets))
    return _beside_another(sets, separators)


def _beside_another(sets: Sequence[RealSet], separators: frozenset[str]) -> Value:
    """A union where nothing is common to all, an intersection where all together are everything; else nobody knows."""
    everything, common = _in_any(sets), _in_all(sets)
    if not common:
        return RealSet(everything, sets[0].name, _all_solved(sets), _any_polynomial(sets))
    if everything == real_sets.REALS:
        return RealSet(common, sets[0].name, _all_solved(sets), _any_polynomial(sets))
    return Listing(tuple(sets), separators)


def _any_polynomial(sets: Sequence[RealSet]) -> bool:
    return any(item.polynomial for item in sets)


def _all_solved(sets: Sequence[RealSet]) -> bool:
    return all(item.solved for item in sets)


def _in_any(sets: Sequence[RealSet]) -> real_sets.Pieces:
    return real_sets.union(tuple(piece for item in sets for piece in item.pieces))


def _in_all(sets: Sequence[RealSet]) -> real_sets.Pieces:
    return reduce(real_sets.intersect, (item.pieces for item in sets))


def _cycled(values: list[Value]) -> tuple[Value, ...] | None:
    """`p=5, q=2, p=7, q=2` is a list of two labelled pairs."""
    labels = [value.name if isinstance(value, Named) and not value.parameters else "" for value in values]
    if "" in labels or len(set(labels)) == len(labels):
        return None
    size = len(set(labels))
    if size == 1 or len(labels) % size or labels != labels[:size] * (len(labels) // size):
        return None
    return tuple(Listing(tuple(values[i : i + size])) for i in range(0, len(values), size))


def expand_signs(tokens: Tokens) -> list[list[Token]]:
    """The readings of a plus-minus. Several go together inside one bracket, or where one is a minus-plus; in a sum
    such as `\\pm 1 \\pm \\sqrt2` each has both signs."""
    places = [place for place, token in enumerate(tokens) if _is_plus_minus(token)]
    if not _are_free(tokens, places):
        return [_signed(tokens, dict.fromkeys(places, sign)) for sign in ("+", "-")]
    if len(places) > _MAX_SIGNS:
        raise Limit("limit")
    chosen = itertools.product(("+", "-"), repeat=len(places))
    return [_signed(tokens, dict(zip(places, signs, strict=True))) for signs in chosen]


def _are_free(tokens: Tokens, places: list[int]) -> bool:
    """Has each plus-minus its own sign?"""
    if len(places) < 2 or any(tokens[place].text == "mp" for place in places):
        return False
    return not any(token.kind == "sep" for token in tokens)


def _is_plus_minus(token: Token) -> bool:
    return token.kind == "cmd" and token.text in ("pm", "mp")


def _signed(tokens: Tokens, signs: dict[int, str]) -> list[Token]:
    reading = []
    for place, token in enumerate(tokens):
        sign = signs.get(place, "")
        if sign:
            text = sign if token.text == "pm" else {"+": "-", "-": "+"}[sign]
            token = Token("op", text, token.gap)
        reading.append(token)
    return reading


def has_plus_minus(tokens: Tokens) -> bool:
    """True when a plus-minus occurs at any depth."""
    return "cmd" in kinds_of(tokens) and any(map(_is_plus_minus, tokens))


__all__ = [
    "Qualified",
    "Scalar",
    "Tuple",
    "assembled",
    "expand_signs",
    "has_plus_minus",
    "read_list",
    "split_items",
]
