"""Verdicts in JSON: `{"match": true}`. Only true, false and a word of the menu count, never `bool(text)`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hybridverify.judges.parse import Menu, Reading, unparseable
from hybridverify.types import Outcome

_MAX_OBJECTS = 64
_MAX_CHARS = 100_000


def read_json(text: str, key: str, menu: Menu) -> Reading:
    """The verdict under `key` of the reply's JSON objects, which must agree.

    >>> menu = Menu(correct=("true", "yes"), incorrect=("false", "no"))
    >>> read_json('Sure: {"match": "FALSE"}', "match", menu).outcome
    <Outcome.INCORRECT: 'incorrect'>
    >>> read_json('{"reason": "equal"}', "match", menu).outcome
    <Outcome.UNPARSEABLE: 'unparseable'>
    """
    values = [found[key] for found in _objects(text[-_MAX_CHARS:]) if key in found]
    readings = [_reading(value, menu) for value in values]
    return Menu.agree(readings) if readings else unparseable(f"no JSON object with {key!r}")


def _reading(value: Any, menu: Menu) -> Reading:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return menu.reading(Outcome.CORRECT if value else Outcome.INCORRECT)
    outcome = menu.outcome(value) if isinstance(value, str) else None
    return unparseable("the JSON value is no label") if outcome is None else menu.reading(outcome)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects that stand at the top level of the text, a bounded number of them."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MAX_OBJECTS):
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
        except (
            ValueError,
            RecursionError,
        ):  # not JSON here, a number of too many digits, or nested too deeply
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
