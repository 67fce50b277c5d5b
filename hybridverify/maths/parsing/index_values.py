r"""A formula and the values of its index: `2k + 1, k = 0, 1, 2` lists three numbers, `n = 0, 1, \dots` a sequence."""

from __future__ import annotations

from collections.abc import Sequence

from hybridverify.maths.limits import MAX_ITEMS
from hybridverify.maths.notation.tokenlists import Tokens
from hybridverify.maths.notation.tokens import Token
from hybridverify.maths.parsing import lists
from hybridverify.maths.parsing.relations import Reader
from hybridverify.maths.values.kinds import Qualified, Value

COUNTED = "from "
"""How the domain of an index begins that takes each whole number from one on."""
LISTED = (COUNTED, "over ")
"""The same for any index with its first values."""
_INDICES = frozenset("kmnjl")
_FEW = 4


def over_index(items: Sequence[Tokens], read: Reader) -> Value | None:
    """What a formula is over the values of its index; None for any other list."""
    told = _indexed(items)
    if told is None:
        return None
    name, values, endless = told
    if not endless:
        return lists.assembled(
            [read(_with_value(items[0], name, value)) for value in values], frozenset((",",))
        )
    start = _told(values)
    return Qualified(
        read(items[0]), f"{name} {start}", frozenset((name,)), domain=frozenset((start,)), harmless=True
    )


def _told(values: Sequence[Token]) -> str:
    """Where the index begins, and its first values where they are not one after the other."""
    first = int(values[0].text)
    if all(int(value.text) == first + place for place, value in enumerate(values)):
        return f"{COUNTED}{first}"
    return LISTED[1] + " ".join(value.text for value in values)


def _indexed(items: Sequence[Tokens]) -> tuple[str, list[Token], bool] | None:
    """The index of the formula at the head of a list, its values, and whether they go on; None for any other list."""
    if not _FEW - 1 <= len(items) <= MAX_ITEMS or not items[0] or not _gives_first_value(items[1]):
        return None
    name, first = items[1][0].text, items[1][2]
    endless = bool(items[-1]) and items[-1][0].kind == "dots"
    others = items[2 : len(items) - endless]
    values = [first, *(item[0] for item in others if len(item) == 1)]
    if len(values) <= len(others) or not all(token.text.isdecimal() for token in values):
        return None
    if name not in _INDICES or not _holds(_value_side(items[0]) if endless else items[0], name):
        return None
    return name, values, endless


def _gives_first_value(item: Tokens) -> bool:
    """Is it `k = 0`?"""
    return [token.kind for token in item] == ["let", "rel", "num"] and item[1].text == "="


def _value_side(formula: Tokens) -> Tokens:
    """What stands after the last equals sign: the name before it may carry the index."""
    places = [place for place, token in enumerate(formula) if token.kind == "rel"]
    return formula[places[-1] + 1 :] if places else formula


def _holds(formula: Tokens, name: str) -> bool:
    """Does the index stand in the formula, and as no part of a name such as `a_k`?"""
    places = [place for place, token in enumerate(formula) if token.kind == "let" and token.text == name]
    return bool(places) and len(formula) > 1 and not any(token.text == "_" for token in formula)


def _with_value(formula: Tokens, name: str, value: Token) -> list[Token]:
    """The formula with a number for its index."""
    put: list[Token] = []
    for token in formula:
        if token.kind == "let" and token.text == name:
            put += [Token("open", "("), value._replace(gap=False), Token("close", ")")]
        else:
            put.append(token)
    return put
