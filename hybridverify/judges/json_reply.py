"""Verdicts in JSON: `{"match": true}`. Only true, false and the words of the menu count, never `bool(text)`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from hybridverify.judges.folding import BARE
from hybridverify.judges.parse import Menu, Reading, unparseable
from hybridverify.language import expressions as re
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
    values = [found[key] for found in json_objects(text) if key in found]
    readings = [json_reading(value, menu) for value in values]
    return Menu.agree(readings) if readings else unparseable(f"no JSON object with {key!r}")


def key_spots(text: str, key: str) -> Iterator[int]:
    """The places of a verdict's key between quotes, plain or escaped."""
    return (match.start() for match in _key_pattern(key).finditer(text))


@lru_cache(maxsize=64)
def _key_pattern(key: str) -> re.Pattern[str]:
    # In a text as `BARE` shows it: what a parser strips is removed there, unless it is escaped.
    spelled = [
        rf"(?:\\?{re.escape(char)}|{_escaped(char)})" if BARE[ord(char)] else rf"(?:{_escaped(char)})?"
        for char in key
    ]
    return re.compile(rf'"(?={"".join(spelled)}"\s*:)', re.IGNORECASE)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(rf"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def json_reading(value: Any, menu: Menu) -> Reading:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return menu.reading(Outcome.CORRECT if value else Outcome.INCORRECT)
    outcome = menu.outcome(value) if isinstance(value, str) else None
    return unparseable("the JSON value is no label") if outcome is None else menu.reading(outcome)


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects at the top level of the text, a limited number of them."""
    text = text[-_MAX_CHARS:]
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
