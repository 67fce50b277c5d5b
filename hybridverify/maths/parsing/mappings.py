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


def numbers_apart(one: object, other: object) -> bool:
    """Have the two the same keys and as long lists, and another whole number at one place?

    >>> numbers_apart({"a": [2, 3]}, {"a": [3, 2]}), numbers_apart({"a": 1}, {"b": 2})
    (True, False)
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and any(numbers_apart(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and any(map(numbers_apart, one, other))
    return type(one) is int is type(other) and one != other
