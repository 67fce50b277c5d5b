"""The columns of a trainer's call: their usual names, and those that a user chose."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

REFERENCES = ("reference", "ground_truth", "answer", "solution", "target", "label")
"""Columns that hold the reference, the first that is there, each also in the plural; at last verl's `reward_model`."""
REFERENCE_NAMES = tuple(name for one in REFERENCES for name in (one, f"{one}s"))
QUESTIONS = ("question", "problem", "query", "prompts", "prompt", "messages")
PLACED = frozenset(("data_source", "extra_info"))
"""Columns that pick a route or go into `meta`."""


class Columns(NamedTuple):
    """The user's own names of columns; "" means the usual ones."""

    reference: str = ""
    question: str = ""
    data_source: str = ""

    @property
    def references(self) -> tuple[str, ...]:
        """The names under which a reference may stand."""
        return (self.reference,) if self.reference else REFERENCE_NAMES


COLUMN_OPTIONS = tuple(f"{name}_column" for name in Columns._fields)


def first_of(names: Sequence[str], there: Container[str]) -> str:
    """The first name that is there, or ""."""
    return next(filter(there.__contains__, names), "")
