"""Cutting token sequences: at separators outside brackets, and brackets off their content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from hybridverify.maths.limits import MAX_ITEMS, Limit
from hybridverify.maths.notation.tokens import Token

Tokens = Sequence[Token]
Notation: TypeAlias = tuple[tuple[str, str], ...]
"""Kinds and texts alone."""


_BRACKETS = frozenset(("open", "close", "env"))


def kinds_of(tokens: Tokens) -> set[str]:
    """The kinds of tokens that there are: a quick look, since most lists have few."""
    return {token.kind for token in tokens}


def depth_change(token: Token) -> int:
    """1 for an opening bracket or environment, -1 for a closing one."""
    if token.kind == "open" or (token.kind == "env" and token.text.startswith("begin")):
        return 1
    if token.kind == "close" or token.kind == "env":
        return -1
    return 0


def is_comma(token: Token) -> bool:
    """The separators inside brackets."""
    return token.kind == "sep" and token.text in (",", ";")


def split(tokens: Tokens, at: Callable[[Token], bool]) -> tuple[list[list[Token]], list[str]]:
    """The parts between the separators outside brackets, and the separators."""
    if not any(map(at, tokens)):
        return [[*tokens]], []
    parts: list[list[Token]] = [[]]
    found: list[str] = []
    depth = 0
    for token in tokens:
        if token.kind in _BRACKETS:
            depth += depth_change(token)
        if depth == 0 and at(token):
            found.append(token.text)
            parts.append([])
            if len(parts) > MAX_ITEMS:
                raise Limit("limit")
        else:
            parts[-1].append(token)
    return parts, found


def whole_bracket(tokens: Tokens) -> bool:
    """True when the first token opens a bracket that the last one closes."""
    if len(tokens) < 2 or tokens[0].kind != "open" or tokens[-1].kind != "close":
        return False
    depth = 0
    for place, token in enumerate(tokens):
        if token.kind in _BRACKETS:
            depth += depth_change(token)
        if depth == 0:
            return place == len(tokens) - 1
    return False


def partners(tokens: Tokens) -> dict[int, int]:
    """Where each bracket that is closed is closed, by where it opens."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(place)
        elif token.kind == "close" and opened:
            found[opened.pop()] = place
    return found


def without_group(tokens: Tokens) -> Tokens:
    """Without plain braces around the whole, where they hold no list."""
    while whole_bracket(tokens) and tokens[0].text == "{":
        inner = tokens[1:-1]
        if (
            not inner
            or any(token.kind == "bar" for token in inner[1:2])
            or len(split(inner, lambda token: token.text in (",", ";"))[0]) > 1
        ):
            break
        tokens = inner
    return tokens


def spelled(tokens: Tokens) -> str:
    """The tokens as canonical text."""
    return " ".join(token.text for token in tokens)


def notation(tokens: list[Token]) -> Notation:
    """What two spellings of one notation share: braces around a single token do not count."""
    kept = []
    last = len(tokens) - 1
    for place, token in enumerate(tokens):
        if token.text == "{" and place + 2 <= last and tokens[place + 2].text == "}":
            continue
        if token.text == "}" and place >= 2 and tokens[place - 2].text == "{":
            continue
        told = token.text + token.note if token.note[:5] == "cycle" else token.text
        kept.append((token.kind, told))
    return tuple(kept)
