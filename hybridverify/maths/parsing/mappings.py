"""Mappings as programs and JSON write them: `{'a': 1, 'b': 2}`. Nothing is evaluated."""

from __future__ import annotations

import json

_MAX = 2_000
_NAMES = ((": True", ": true"), (": False", ": false"), (": None", ": null"))


def mapping(text: str) -> dict[str, object] | None:
    """The mapping that the text writes, with or without its braces; None for any other text.

    >>> mapping("{'a': 1, 'b': [2, 3]}"), mapping('"a": 1'), mapping('{"a": 1, "a": 2}')
    ({'a': 1, 'b': [2, 3]}, {'a': 1}, None)
    """
    if ":" not in text or len(text) > _MAX or not ("'" in text or '"' in text):
        return None
    plain = text.replace("\\{", "{").replace("\\}", "}").strip()
    plain = plain if plain.startswith("{") else f"{{{plain}}}"
    if '"' not in plain:
        plain = plain.replace("'", '"')
    for name, other in _NAMES:
        plain = plain.replace(name, other)
    try:
        told = json.loads(plain, object_pairs_hook=_of_own_keys)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _of_own_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Raises ValueError where a key stands twice: such a text says two things."""
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("a key that stands twice")
    return told


def written(told: dict[str, object]) -> str:
    """One spelling for every order of the keys: `1` is not `true`, and not `"1"`."""
    return json.dumps(told, sort_keys=True)


def numbers_apart(one: dict[str, object], other: dict[str, object]) -> bool:
    """Have the two the same keys, and another whole number for one of them?"""
    if one.keys() != other.keys():
        return False
    pairs = [(one[key], other[key]) for key in one]
    return any(type(first) is int is type(second) and first != second for first, second in pairs)
