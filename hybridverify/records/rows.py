"""The result of every reader: a row as a dict, and its place."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

Row = dict[str, Any]
Warn = Callable[[str], None]
Skip = Callable[[str], None]
"""Is told why a line cannot be read; the line is then left out."""

PREFIX = "hv_"
"""Columns of an earlier run begin like this. They are dropped on reading and written anew."""
PROMPT_INDEX, SAMPLE_INDEX = PREFIX + "prompt_index", PREFIX + "sample_index"
"""Where a row came from that was one of several responses: the row of the input, over all inputs, and the place in its
list; both from 0. They are no part of a grade, so a file that is graded again keeps them."""

log = logging.getLogger(__name__)


class Place(NamedTuple):
    """The place of a row, for messages. `line` is 0 in formats without lines.

    >>> str(Place("a.jsonl", 7, 7)), str(Place("a.jsonl", 7, 9)), str(Place("a.parquet", 7))
    ('row 7 of a.jsonl', 'row 7 (line 9) of a.jsonl', 'row 7 of a.parquet')
    """

    file: str
    row: int
    line: int = 0

    def __str__(self) -> str:
        line = f" (line {self.line})" if self.line and self.line != self.row else ""
        return f"row {self.row}{line} of {self.file}"


@dataclass
class Tally:
    """Counts rows with a fault, and keeps the first. One warning reports all.

    >>> tally = Tally()
    >>> tally.add(Place("a.jsonl", 7, 7)); tally.add(Place("a.jsonl", 9, 9)); str(tally)
    '2 rows (first: row 7 of a.jsonl)'
    """

    count: int = 0
    first: str = ""

    def add(self, place: Place, what: str = "") -> None:
        """Count one row. `what` is the text for the first."""
        self.count += 1
        if self.count == 1:
            self.first = f"{place}: {what}" if what else str(place)

    def note(self, message: str) -> None:
        """Count what has no place of its own."""
        self.count += 1
        self.first = self.first or message

    def join(self, other: Tally) -> None:
        """Add another tally, of rows that come later."""
        self.count += other.count
        self.first = self.first or other.first

    def __str__(self) -> str:
        return f"1 row ({self.first})" if self.count == 1 else f"{self.count} rows (first: {self.first})"


Rows = Iterator[tuple[Place, Row]]


def say_nothing(message: str) -> None:
    """A counter for later passes: the first has warned already."""


def is_of_grade(column: str) -> bool:
    """Whether a column was written by an earlier run and is written anew."""
    return column.startswith(PREFIX) and column not in (PROMPT_INDEX, SAMPLE_INDEX)


def own_columns(row: Row) -> Row:
    """The row without the grade columns of an earlier run.

    >>> own_columns({"question": "2+2?", "hv_score": 1.0, "hv_sample_index": 3})
    {'question': '2+2?', 'hv_sample_index': 3}
    """
    for key in row:
        if key.startswith(PREFIX):
            return {key: value for key, value in row.items() if not is_of_grade(key)}
    return row
