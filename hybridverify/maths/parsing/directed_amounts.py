"""Amounts with a direction: `5 m/s to the left`, `3 N upward`, `10 km, 30° north of east`."""

from __future__ import annotations

from typing import NamedTuple

from hybridverify.maths.parsing.texts import without_commands

_MAX, _LONGEST = 80, 8
_WAYS = {
    "east": (0, "ground"),
    "north": (90, "ground"),
    "west": (180, "ground"),
    "south": (270, "ground"),
    "right": (0, "page"),
    "up": (90, "page"),
    "left": (180, "page"),
    "down": (270, "page"),
}
"""The angle of each direction, and the plane in which it lies."""
_POINTS = {"n": "north", "e": "east", "s": "south", "w": "west"}
_ENDINGS = ("wards", "ward", "erly")
_IDLE = frozenset(("to", "the", "towards", "toward", "directed", "pointing", "in", "direction", "due", "at"))
_SIGNS = str.maketrans({",": " ", "(": " ", ")": " ", "$": " ", "~": " "})


class Directed(NamedTuple):
    """The amount as it is written, and the angle of its direction in a plane."""

    amount: str
    angle: float
    plane: str


def directed(text: str) -> Directed | None:
    """The amount and its direction, None for any other text.

    >>> directed("5 m/s to the left") == directed("5 m/s leftward"), directed("3 N up").angle
    (True, 90)
    >>> directed("10 km, 30° north of east").angle, directed("10 km at 60° east of north").angle, directed("3 left")
    (30.0, 30.0, None)
    """
    if len(text) > _MAX or not text[:1].isdigit():
        return None
    words = (
        without_commands(text)
        .translate(_SIGNS)
        .replace("^\\circ", "° ")
        .replace("degrees", "° ")
        .replace("\\", " ")
        .split()
    )
    last = _way(words[-1]) if words else ""
    if not last:
        return None
    words = words[:-1] if last == "direction" else words
    return _turned(words) or _plain(words)


def _way(word: str) -> str:
    """The direction that a word names, "" for none."""
    low = word.lower()
    for ending in _ENDINGS:
        low = low.removesuffix(ending)
    return low if low in _WAYS or low == "direction" else _POINTS.get(word.lower(), "")


def _turned(words: list[str]) -> Directed | None:
    """`30° north of east`: so many degrees from the one towards the other."""
    *before, first, of, second = ["", "", *words]
    towards, start = _way(first), _way(second)
    if of.lower() != "of" or not towards or not start:
        return None
    amount, degrees = _cut_angle([word for word in before if word and word.lower() not in _IDLE])
    turn = (_WAYS[towards][0] - _WAYS[start][0]) % 360
    if not degrees or turn not in (90, 270):
        return None
    angle = _WAYS[start][0] + float(degrees) * (1 if turn == 90 else -1)
    return _measured(amount, angle % 360, "ground")


def _cut_angle(words: list[str]) -> tuple[list[str], str]:
    """What stands before the angle at the end, and its degrees, "" where there is none."""
    if not words or not words[-1].endswith("°"):
        return words, ""
    alone = words[-1] == "°"
    degrees = words[-1 - alone : len(words) - alone][0].removesuffix("°") if len(words) > alone else ""
    told = degrees.replace(".", "", 1).isdecimal() and len(degrees) <= _LONGEST
    return words[: -1 - alone], degrees if told else ""


def _plain(words: list[str]) -> Directed | None:
    """`due north`, `northeast` by its two words, `to the left`."""
    way = _way(words[-1])
    bare = [word for word in words[:-1] if word.lower() not in _IDLE]
    if way not in _WAYS or words[-1].lower() in _POINTS:
        return None
    if any(map(_way, bare[2:])) or any("°" in word for word in bare):  # `1, 2, n`
        return None
    angle, plane = _WAYS[way]
    return _measured(bare, angle, plane)


def _measured(amount: list[str], angle: float, plane: str) -> Directed | None:
    """An amount is a number and its unit."""
    return Directed(" ".join(amount), angle, plane) if len(amount) > 1 and amount[0][0].isdigit() else None
