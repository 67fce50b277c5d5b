"""Values of single cells: dotted paths, chat messages, and texts and references of any shape."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hybridverify.sample import is_chat as is_chat
from hybridverify.sample import last_said
from hybridverify.scalars import exact_text, plain

_MOST_DIGITS = 9
"""Of a position in a list."""
MISSING = object()
"""The result of `walk` if there is no such path. None is a value."""


def value_at(row: Any, path: str) -> Any:
    """The value under a dotted path; None if there is none. A column whose own name has dots comes first. In a list, a
    number is a position; -1 is the last.

    >>> value_at({"reward_model": {"ground_truth": "7"}}, "reward_model.ground_truth")
    '7'
    >>> value_at({"a.b": 1, "a": {"b": 2}}, "a.b")
    1
    >>> value_at({"choices": [{"message": {"content": "42"}}]}, "choices.0.message.content")
    '42'
    """
    value = walk(row, path)
    return None if value is MISSING else value


def walk(row: Any, path: str) -> Any:
    """The value under a dotted path, or MISSING."""
    if isinstance(row, (list, tuple)):
        return _item(row, path)
    if not isinstance(row, Mapping):
        return MISSING
    if path in row:
        return row[path]
    for index, letter in enumerate(path):
        if letter == "." and path[:index] in row:
            found = walk(row[path[:index]], path[index + 1 :])
            if found is not MISSING:
                return found
    return MISSING


def _item(items: Sequence[Any], path: str) -> Any:
    position, _, rest = path.partition(".")
    digits = position.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
        return MISSING
    number = int(position)
    if not -len(items) <= number < len(items):
        return MISSING
    return walk(items[number], rest) if rest else items[number]


def is_response_list(value: Any) -> bool:
    """True for a list of responses, False for one response that is a list of chat messages."""
    return isinstance(value, list) and not is_chat(value)


def references(value: Any) -> Iterator[Any]:
    """References of any shape, for the command line and the training adapters. A value that is no reference gives
    none.

    >>> list(references({"target": ["4", None, float("nan"), [True]]}))
    ['4', 'True']
    """
    value = plain(value)
    if isinstance(value, (str, bool, bytes, bytearray)):
        yield _text(value)
        return
    if isinstance(value, Mapping):
        inner = value.get("target", value.get("ground_truth"))  # search and QA data sets
        yield from () if isinstance(inner, Mapping) else references(inner)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from references(item)
    elif isinstance(value, (set, frozenset)):
        yield from references(sorted(value, key=str))  # in the same order in every process
    elif isinstance(value, (Decimal, Fraction)):
        yield from filter(None, (exact_text(value),))
    elif isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        yield value


def _text(value: str | bool | bytes | bytearray) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, (bytes, bytearray)) else str(value)


def spoken(value: Any, role: str) -> Any:
    """The text itself; of chat messages, the last one with that role."""
    if isinstance(value, (bool, bytes)):
        return _text(value)
    if not is_chat(value):
        return None if value != value else value  # NaN, as some writers spell null
    return last_said(value, role)
