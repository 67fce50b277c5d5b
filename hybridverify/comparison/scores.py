"""A column of scores as one side: of a graded file, or of any file whose rows are the ones that are compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from hybridverify.comparison.sides import Said
from hybridverify.errors import InputError, did_you_mean
from hybridverify.policies import RIGHT_FROM
from hybridverify.records import ColumnNames, Entry, Records, value_at
from hybridverify.records.rows import PREFIX, Row, Warn
from hybridverify.records.source import Source
from hybridverify.types import CORRECT, INCORRECT, Outcome

SCORE_COLUMN = PREFIX + "score"
_WORDS = {"true": 1.0, "false": 0.0, "correct": 1.0, "incorrect": 0.0, "right": 1.0, "wrong": 0.0}
UNGRADED = "ungraded"


class ScoredSide:
    """The scores of a file, row by row; its responses must be those of the rows that are compared."""

    def __init__(self, path: Path, column: str, names: ColumnNames, warn: Warn) -> None:
        self.name = str(path) if column == SCORE_COLUMN else f"{path}:{column}"
        self._path = path
        self._column = column
        source = Source.open(path)
        self._records = Records.open([path], names, warn)
        self.count = sum(1 for _ in source.whole_rows())
        if self.count != self._records.count:
            raise InputError(f"{path}: has several responses in a row; grade it first, and name the output")
        self._check_column([row for _, row in islice(source.whole_rows(), 100)])
        self._rows = zip(self._records.entries(), source.whole_rows(), strict=True)

    def check_count(self, rows: int) -> None:
        """Raises InputError where the rows that are compared are not so many."""
        if self.count != rows:
            raise InputError(
                f"{self._path}: has {self.count} rows, and {rows} are compared; give the file that was graded"
            )

    def say(self, entries: Sequence[Entry]) -> list[Said]:
        """The scores of the next rows. Raises InputError where the file goes on with another response."""
        return [
            self._said(entry, mine, row)
            for entry, (mine, (_, row)) in zip(entries, self._next(), strict=False)
        ]

    def close(self) -> None:
        """Nothing to give back."""

    def _next(self) -> Iterator[Any]:
        while True:
            found = next(self._rows, None)
            if found is None:
                return
            yield found

    def _said(self, entry: Entry, mine: Entry, row: Row) -> Said:
        if mine.sample.response != entry.sample.response:
            raise InputError(
                f"{mine.place}: its response is not that of {entry.place}; the rows must be the same"
            )
        value = value_at(row, self._column)
        if self._column == SCORE_COLUMN and f"{PREFIX}outcome" in row:
            return _graded(row, value)
        score = self._score(value, mine)
        if score is None:
            return Said(0.0, UNGRADED)
        return Said(score, (CORRECT if score >= RIGHT_FROM else INCORRECT).value)

    def _score(self, value: Any, entry: Entry) -> float | None:
        if value is None or value == "" or value != value:
            return None
        try:
            score = _WORDS[value.strip().casefold()] if isinstance(value, str) else float(value)
        except KeyError:
            score = _number(value)
        except (TypeError, ValueError):
            score = math.nan
        if math.isfinite(score):
            return score
        raise InputError(
            f"{entry.place}: {str(value)[:40]!r} in column {self._column!r} is no score; numbers, true, false, "
            "correct and incorrect are understood"
        )

    def _check_column(self, head: list[Row]) -> None:
        if head and all(value_at(row, self._column) is None for row in head):
            known = dict.fromkeys(name for row in head for name in row)
            told = did_you_mean(self._column, known)
            ask = "; grade it first, or name a column as FILE:COLUMN" if self._column == SCORE_COLUMN else ""
            raise InputError(f"{self._path}: no column {self._column!r}; {told}{ask}")


def _graded(row: Row, value: Any) -> Said:
    """A row that an earlier run graded says why, too."""
    told = {key: str(row.get(PREFIX + key) or "") for key in ("outcome", "reason", "rule_source", "answer")}
    source = "judge" if row.get(PREFIX + "judge_asked") else told["rule_source"]
    return Said(_right(told["outcome"], value), told["outcome"], told["reason"], source, told["answer"])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _right(outcome: str, value: Any) -> float:
    """The score of our own column without what `reward` made of it: an outcome says more than a number."""
    if outcome == CORRECT.value:
        return 1.0
    partial = outcome == Outcome.PARTIAL.value and isinstance(value, (int, float))
    return float(value) if partial else 0.0
