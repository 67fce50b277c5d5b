"""The words that multiply the number before them, `2.5 lakh`, `$3M`: one table for every reader of numbers."""

from __future__ import annotations

from typing import NamedTuple


class Magnitude(NamedTuple):
    """How many one of these counts, its names, and its abbreviations in amounts of money."""

    value: int
    word: str
    plural: str
    short: str = ""


MAGNITUDES = (
    Magnitude(12, "dozen", "dozens"),
    Magnitude(100, "hundred", "hundreds"),
    Magnitude(10**3, "thousand", "thousands", "k K"),
    Magnitude(10**5, "lakh", "lakhs"),
    Magnitude(10**6, "million", "millions", "M MM mn mln"),
    Magnitude(10**7, "crore", "crores", "cr Cr"),
    Magnitude(10**9, "billion", "billions", "B bn Bn"),
    Magnitude(10**12, "trillion", "trillions", "T tn trn"),
)
VALUES = {name: one.value for one in MAGNITUDES for name in (one.word, one.plural)}
"""What each name multiplies by."""
NAMES = {short: one.word for one in MAGNITUDES for short in one.short.split()}
"""What each abbreviation stands for."""
