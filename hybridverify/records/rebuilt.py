"""Outputs that are put together at the end: during a run their journal holds the grades, one line a response, and a
hash of what was graded. At the end the inputs are read once more, and each row gets its grades beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from hybridverify.records.cells import is_response_list, value_at
from hybridverify.records.encode import tail
from hybridverify.records.grade_columns import column_keys
from hybridverify.records.reading import Entry, Records
from hybridverify.records.rows import PREFIX, PROMPT_INDEX, SAMPLE_INDEX, Row, Tally
from hybridverify.records.source import Source
from hybridverify.types import Sample


class RebuiltOutput:
    """What these outputs share. With `keep_shape`, a row with a list of responses gets lists of grades."""

    whole_rows: ClassVar[bool] = False
    """Whether a line can be refused for the sake of a column that is not graded."""

    def __init__(self, path: Path, timing: bool = False, keep_shape: bool = False) -> None:
        self.path = path
        self.nulled = Tally()
        self._keys = column_keys(timing)
        self._keep_shape = keep_shape

    def visit(self, source: Source, entry: Entry) -> None:
        """Nothing is needed from a first pass."""

    def check(self, records: Records) -> None:
        """Rows of any shape fit."""

    def stem(self, entry: Entry) -> bytes:
        """The start of this row's line: a hash of the graded values. Raises Unwritable."""
        return digest_stem(entry.sample)

    def finished_lines(self, records: Records) -> Iterator[bytes]:
        """The output of an earlier run as journal lines. Its rows are read like the inputs' rows."""
        entries = self._written(records)
        for row in self._rows():
            for number, columns in enumerate(self._grades(row)):
                entry = next(entries, None)
                if entry is None:
                    yield tail({})  # more rows than the input has: they match none of its rows
                else:
                    yield self._old_stem(row, number, entry) + tail(columns)

    def _rows(self) -> Iterator[Row]:
        """The rows of the output, with all columns."""
        raise NotImplementedError

    def _written(self, records: Records) -> Iterator[Entry]:
        """The entries that got a line."""
        return records.entries(self.whole_rows)

    def _old_stem(self, row: Row, number: int, entry: Entry) -> bytes:
        layout = entry.layout
        value = value_at(row, layout.response)
        if self._keep_shape and is_response_list(value):
            return digest_stem(layout.sample(entry.place, row, value_at(value, str(number))))
        return digest_stem(layout.sample(entry.place, row))

    def _columns(self, row: Row) -> dict[str, Any]:
        """The columns of a grade, without their prefix."""
        named = ((name.removeprefix(PREFIX), value) for name, value in row.items())
        return {name: value for name, value in named if name in self._keys}

    def _grades(self, row: Row) -> list[dict[str, Any]]:
        """The grades in a row of the output: one, or one for each response."""
        columns = self._columns(row)
        if not isinstance(columns.get("score"), list):
            return [columns]
        return [dict(zip(columns, each, strict=True)) for each in zip(*columns.values(), strict=False)]


def digest_stem(sample: Sample) -> bytes:
    """The start of a journal line, by which a graded sample is known again."""
    graded = repr((sample.response, sample.references, sample.question, sample.data_source))
    digest = hashlib.blake2b(graded.encode(), digest_size=12).hexdigest()
    return b'{"sample": "' + digest.encode() + b'"'


def unspread(entry: Entry) -> Entry:
    """The entry with its one response in a list again, if it was taken from one."""
    if SAMPLE_INDEX not in entry.row:
        return entry
    row = {key: value for key, value in entry.row.items() if key not in (PROMPT_INDEX, SAMPLE_INDEX)}
    response = entry.layout.response
    return entry._replace(row={**row, response: [row[response]]} if response in row else row)


def grades_in(lines: Iterator[bytes], count: int) -> list[dict[str, Any]]:
    """The grade columns of the next lines, with their prefix."""
    return [json.loads(line) for line in islice(lines, count)]


def as_lists(grades: Sequence[dict[str, Any]], keys: Sequence[str]) -> dict[str, list[Any]]:
    """Grades of several responses as one row: each column a list (named without prefix)."""
    return {key: [grade[PREFIX + key] for grade in grades] for key in keys}
