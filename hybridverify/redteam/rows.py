"""Questions from files: the columns are found as everywhere in the package, and no response is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from hybridverify.errors import InputError
from hybridverify.records.columns import ColumnNames, Layout
from hybridverify.records.rows import Row
from hybridverify.records.source import Source
from hybridverify.redteam.questions import Question

_HEAD_ROWS = 100


@dataclass(frozen=True)
class Table:
    """The questions of some files, and each one's own columns for reward functions that want them."""

    questions: list[Question] = field(default_factory=list)
    columns: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """Digest of a question → its row."""

    @classmethod
    def read(cls, paths: Sequence[Path], names: ColumnNames = ColumnNames()) -> Table:  # noqa: B008 (frozen)
        """Every question once, in order. Raises InputError where a file or column cannot be read."""
        table = cls()
        for path in paths:
            for question, row in _questions(path, names):
                table.add(question, row)
        if not any(text.strip() for question in table.questions for text in question.references):
            raise InputError(
                f"{', '.join(map(str, paths))}: no row has a reference; there is nothing to attack"
            )
        return table

    def add(self, question: Question, row: Mapping[str, Any]) -> None:
        """One question more, unless it is there."""
        if question.digest not in self.columns:
            self.questions.append(question)
            self.columns[question.digest] = row


def _questions(path: Path, names: ColumnNames) -> Iterator[tuple[Question, Row]]:
    source = Source.open(path)
    head = [_answered(row) for _, row in islice(source.rows(), _HEAD_ROWS)]
    if not head:
        return
    layout = Layout.find(names, head, str(path))
    for place, row in source.rows():
        sample = layout.sample(place, _answered(row))
        yield Question(sample.question, sample.references, sample.data_source, str(place)), row


def _answered(row: Row) -> Row:
    """A row of a file without responses looks like any other, and one with them has none to look at."""
    return {**row, "response": ""}
