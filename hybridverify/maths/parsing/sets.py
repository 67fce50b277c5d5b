"""Reading brackets, sets and unions."""

from __future__ import annotations

from hybridverify.maths.limits import MAX_ITEMS, Unread
from hybridverify.maths.notation.tokenlists import Tokens, is_comma, split, whole_bracket
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing.relations import Reader
from hybridverify.maths.values import real_sets
from hybridverify.maths.values.conversion import to_real_set
from hybridverify.maths.values.kinds import (
    FiniteSet,
    Letter,
    Listing,
    Named,
    NumberSet,
    RealSet,
    Scalar,
    SetExpression,
    Tuple,
    Value,
)

_OTHER_SIGNS = {"-": "setminus", "U": "cup"}


def read_bracket(tokens: Tokens, read: Reader, read_all: Reader) -> Value | None:
    """`(a, b)`, `[a, b]`, `{a, b}`, a set-builder; None for brackets that only group.

    `read` reads one item, `read_all` the condition of a set-builder.
    """
    opening, closing = tokens[0].text, tokens[-1].text
    inner = tokens[1:-1]
    if opening == "\\{" or (opening == "{" and (not inner or any(t.kind == "bar" for t in inner[1:2]))):
        return _braces(inner, read, read_all)
    parts, _ = split(inner, is_comma)
    if len(parts) == 1:
        return None
    if opening == "{":
        return FiniteSet(_items(parts, read))
    if opening == "<(":
        opening, closing = "(", ")"
    if opening not in "([":
        raise Unread("bracket")
    return Tuple(_items(parts, read), opening, closing)


def _items(parts: list[list[Token]], read: Reader) -> tuple[Value, ...]:
    values: list[Value] = []
    for part in parts:
        value = read(part)
        if isinstance(value, Listing):
            if value.separators != frozenset(("pm",)):
                raise Unread("list in a list")
            values.extend(value.items)
        else:
            values.append(value)
    return tuple(values)


def _braces(inner: Tokens, read: Reader, read_all: Reader) -> Value:
    if not inner:
        return FiniteSet(())
    bar, _ = split(inner, lambda token: token.kind == "bar" or token.text == ":")
    if len(bar) == 2 and bar[0] and bar[1]:
        return _builder(bar[0], bar[1], read_all)
    parts, _ = split(inner, is_comma)
    return FiniteSet(_items(parts, read))


def _builder(head: Tokens, condition: Tokens, read: Reader) -> Value:
    """`{x | condition}` where the condition is a set of x."""
    name = _name_before_bar(head)
    value = read(condition)
    if isinstance(value, RealSet) and value.name == name:
        return RealSet(value.pieces, solved=value.solved)
    found = None
    if isinstance(value, Named) and value.name == name and not value.parameters:
        found = _set_of_value(value.value)
    elif isinstance(value, Listing) and "or" in value.separators:
        found = _set_of_roots(value, name)
    if found is None:
        raise Unread("set-builder")
    return found


def _name_before_bar(head: Tokens) -> str:
    """The letter of `x` or `x in R`."""
    if head[0].kind != "let" or (len(head) > 1 and spelled_domain(head[1:]) != "R"):
        raise Unread("set-builder")
    return head[0].text


def _set_of_value(value: Value) -> Value | None:
    """`x = 3` and `x in [0, 1)` as sets of x."""
    if isinstance(value, Scalar):
        return FiniteSet((value,))
    return to_real_set(value) if isinstance(value, (RealSet, Tuple)) else None


def _set_of_roots(listing: Listing, name: str) -> Value | None:
    """`x = 1 or x = 2`."""
    named = [item.value for item in listing.items if isinstance(item, Named) and item.name == name]
    return FiniteSet(tuple(named)) if len(named) == len(listing.items) else None


def spelled_domain(tokens: Tokens) -> str:
    """`R` for `\\in \\mathbb{R}`."""
    if len(tokens) == 2 and tokens[0].text == "in" and tokens[1].kind == "set":
        return tokens[1].text
    return ""


_SIGNS = frozenset(("cup", "cap", "setminus", "U"))


def _is_set_operation(token: Token) -> bool:
    return token.text in _SIGNS and token.kind == ("let" if token.text == "U" else "cmd")


def _is_minus(token: Token) -> bool:
    return token.text == "-" and token.kind == "op"


def has_set_operation(tokens: Tokens) -> bool:
    """True when a union, intersection or difference of sets stands outside brackets."""
    if not _SIGNS.isdisjoint({token.text for token in tokens}) and any(map(_is_set_operation, tokens)):
        operands, found = split(tokens, _is_set_operation)
        if len(operands) > 1:
            return "U" not in found or all(map(whole_bracket, operands))
    return _is_difference(tokens)


def _is_difference(tokens: Tokens) -> bool:
    if len(tokens) < MAX_ITEMS and (not tokens or tokens[-1].text != "\\}"):
        return False  # a difference ends with the set that is taken away
    parts, signs = split(tokens, _is_minus)
    return len(signs) == 1 and bool(parts[0]) and whole_bracket(parts[1]) and parts[1][0].text == "\\{"


def read_set_operation(tokens: Tokens, read: Reader) -> Value:
    """Unions and the like, left to right where only one operation occurs."""
    parts, signs = split(tokens, lambda token: _is_set_operation(token) or _is_minus(token))
    if parts and not parts[0]:  # a leading minus belongs to no set
        raise Unread("set operation")
    operations = {_OTHER_SIGNS.get(sign, sign) for sign in signs}
    if len(operations) != 1 or not all(parts):
        raise Unread("mixed set operations")
    operation = operations.pop()
    values = [read(part) for part in parts]
    try:
        return _computed(operation, values)
    except Unread:
        if all(map(_is_named_set, values)):
            return SetExpression(operation, _sorted(operation, values))
        raise


def _computed(operation: str, values: list[Value]) -> RealSet:
    sets = [to_real_set(value) for value in values]
    solved = all(item.solved for item in sets)
    if operation == "cup":
        return RealSet(real_sets.union(tuple(p for item in sets for p in item.pieces)), sets[0].name, solved)
    pieces = sets[0].pieces
    for other in sets[1:]:
        if operation == "cap":
            pieces = real_sets.intersect(pieces, other.pieces)
        else:
            pieces = real_sets.intersect(pieces, real_sets.complement(other.pieces))
    return RealSet(pieces, sets[0].name, solved)


def _is_named_set(value: Value) -> bool:
    if isinstance(value, Scalar):
        return hasattr(value.node, "name")
    return isinstance(value, (NumberSet, SetExpression, Letter))


def _sorted(operation: str, values: list[Value]) -> tuple[Value, ...]:
    return tuple(values if operation == "setminus" else sorted(values, key=repr))
