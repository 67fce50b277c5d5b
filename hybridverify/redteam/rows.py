"""Questions from files. Columns are found as in the rest of the package; responses are not needed."""

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
    """The questions of some files, and the columns of each row for reward functions that want them."""

    questions: list[Question] = field(default_factory=list)
    columns: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """Digest of a question → its row."""

    @classmethod
    def read(cls, paths: Sequence[Path], names: ColumnNames = ColumnNames()) -> Table:  # noqa: B008 (frozen)
        """Every question once, in order. Raises InputError if a file or column cannot be read."""
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
        """Add a question unless it is known."""
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
    """The row with an empty response, so that files with and without responses are read alike."""
    return {**row, "response": ""}
