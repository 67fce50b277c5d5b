"""Names that nobody bears, and words that the scenes share."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from embedded.phrases import texts

Scene = tuple[str, str, list[str], list[str]]
"""Question, reference, right answers, wrong answers."""
_ONSETS = texts("scenes", "onsets")
_VOWELS = ["a", "a", "e", "e", "i", "o", "o", "u", "ai", "ea", "ou"]
_CODAS = [
    "l",
    "ld",
    "lm",
    "n",
    "nd",
    "nt",
    "r",
    "rd",
    "rk",
    "rn",
    "s",
    "sk",
    "st",
    "t",
    "x",
    "m",
    "ll",
    "ck",
    "th",
    "p",
    "g",
]
_FIRST = texts("scenes", "first")
STUFF = texts("scenes", "stuff")
ANIMALS = [
    "otter",
    "falcon",
    "badger",
    "hare",
    "stork",
    "trout",
    "lynx",
    "raven",
    "toad",
    "moth",
    "seal",
    "owl",
    "mule",
    "goat",
]


def _syllable(rng: random.Random) -> str:
    return rng.choice(_ONSETS) + rng.choice(_VOWELS) + (rng.choice(_CODAS) if rng.random() < 0.6 else "")


def name(rng: random.Random) -> str:
    """A name that nobody bears."""
    while True:
        found = "".join(_syllable(rng) for _ in range(rng.choice((2, 2, 2, 3))))
        if 4 <= len(found) <= 11 and not any(
            part in found for part in ("fuck", "shit", "nig", "cunt", "rape")
        ):
            return found.capitalize()


def person(rng: random.Random) -> str:
    """First and last name."""
    return f"{rng.choice(_FIRST)} {name(rng)}"


def two(rng: random.Random, words: Sequence[Any]) -> tuple[Any, Any]:
    """Two of them, not the same."""
    one, other = rng.sample(list(words), 2)
    return one, other
