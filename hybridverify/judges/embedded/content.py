"""Words that carry content, each by a key that its other forms share: "lapwings" and "lapwing", "IV" and "4"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_WORDS = """
a an the this that these those it its he him his she her hers they them their theirs we us our ours you your
yours i me my mine who whom whose which what when where why how there here s t d ll ve re m o is are was were be
been being am do does did done doing has have had having will would shall should can could may might must of in
on at by for with from to into onto upon about over under as than then so such also and or nor but if because
while during until since through between among within without against toward towards via per out up down off
very too just only both either neither each every any some all most more other another same own not no yes th st
nd rd
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
"""Closed classes: what any sentence holds."""
_ROMAN = {
    "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10", "xi": "11",
    "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19",
    "xx": "20",
}  # fmt: skip
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_ORDINALS = {word: str(place) for place, word in enumerate(ORDINALS, 1)}
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_LEAST = 3
"""Letters that an ending must leave."""


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """What the forms of a lower-case word share.

    >>> [key(word) for word in ("lapwings", "lapwing", "cities", "iv", "fourth", "4", "glass", "his")]
    ['lapw', 'lapw', 'city', '4', '4', '4', 'glass', 'his']
    >>> key("raised") == key("raising") == key("raise")
    True
    """
    if word in _ROMAN or word in _ORDINALS:
        return _ROMAN.get(word) or _ORDINALS[word]
    if not word.isalpha() or (len(word) < 5 and not word.endswith("s")):
        return word
    for _ in range(2):
        for ending, instead in _ENDINGS:
            if (
                word.endswith(ending)
                and len(word) - len(ending) >= _LEAST
                and not word.endswith(("ss", "us", "is"))
            ):
                word = word[: len(word) - len(ending)] + instead
                break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def contents(words: Iterable[str]) -> list[str]:
    """Keys of the words that are not of a closed class, in order."""
    return [key(word) for word in words if word not in FUNCTION_WORDS]
