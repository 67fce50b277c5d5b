"""All inputs of a run as one sequence of samples: a first pass that checks everything, then as many as needed.

The first pass reads every row before the first one is graded, so that a bad line 900,000 costs no judge call. It also
counts the rows, for the progress bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hybridverify.errors import InputError
from hybridverify.records.columns import NO_LAYOUT, ColumnNames, Layout
from hybridverify.records.rows import Place, Row, Tally, Warn, log
from hybridverify.records.source import Source
from hybridverify.types import Sample

_HEAD_ROWS = 100  # the first rows, by which the columns are found


class Entry(NamedTuple):
    """One row to grade, without the columns of a grade. `number` counts over all inputs, from 1."""

    number: int
    place: Place
    row: Row
    sample: Sample
    layout: Layout


Visit = Callable[[Source, Entry], None]


@dataclass(frozen=True)
class Part:
    """One input with its columns and the number of rows in the file."""

    source: Source
    layout: Layout
    rows: int

    def columns(self, whole: bool) -> Sequence[str]:
        """The columns to read: all, or of a table only those that samples need."""
        if whole or not self.source.is_table:
            return ()
        return self.layout.top_columns(self.source.schema().names)


@dataclass(frozen=True)
class Records:
    """Inputs that were read once and checked. `count` is the number of entries."""

    parts: tuple[Part, ...]
    count: int
    skipped: Tally = field(default_factory=Tally)
    """Lines that could not be read and were skipped."""

    @classmethod
    def open(
        cls,
        paths: Sequence[str | Path],
        names: ColumnNames = ColumnNames(),  # noqa: B008 (frozen)
        warn: Warn = log.warning,
        visit: Visit | None = None,
        limit: int | None = None,
        skip_bad_lines: bool = False,
    ) -> Records:
        """Read and check every row of every input, or the first `limit` rows. `visit` sees each entry in this pass.

        Raises InputError if a file, column or row cannot be read. With `skip_bad_lines`, lines that cannot be read are
        left out and counted. Rows without a reference or a response are counted. One warning for each kind names them.
        """
        survey = _Survey(names, warn, visit, limit)
        parts = tuple([survey.read(Source.open(path, skip_bad_lines)) for path in paths])
        survey.report()
        return cls(parts, survey.count, survey.skipped)

    def entries(self, whole: bool = True) -> Iterator[Entry]:
        """Every row in order. If `whole` is false, tables give only the columns that samples need."""
        number = rows = 0
        for part in self.parts:
            # A file that grows meanwhile is read only up to its end at the time of the check.
            for place, row in islice(part.source.rows(part.columns(whole)), part.rows):
                for entry in spread(part.layout, place, row, number, rows):
                    number += 1
                    yield entry
                rows += 1


def spread(layout: Layout, place: Place, row: Row, before: int, index: int) -> Iterator[Entry]:
    """The entries of one row, numbered on from `before`. `index` is the number of the row over all inputs, from 0."""
    for one, response in layout.spread(row, index):
        before += 1
        yield Entry(before, place, one, layout.sample(place, one, response), layout)


@dataclass
class _Survey:
    names: ColumnNames
    warn: Warn
    visit: Visit | None
    left: int | None = None
    """How many more rows may be read; None for all."""
    count: int = 0
    rows: int = 0
    no_reference: Tally = field(default_factory=Tally)
    no_response: Tally = field(default_factory=Tally)
    skipped: Tally = field(default_factory=Tally)

    def read(self, source: Source) -> Part:
        head = [row for _, row in islice(source.rows(), _HEAD_ROWS)]
        if not head:
            for _ in source.rows(
                (), self.warn, self._skip
            ):  # raises the error for a cut line that stands alone
                pass
            self.warn(f"{source} holds no rows")
            return Part(source, NO_LAYOUT, 0)
        part = Part(source, Layout.find(self.names, head, str(source)), 0)
        if (number := self._read_table(part)) is None:
            number = self._read_rows(part)
        self.left = None if self.left is None else self.left - number
        self.rows += number
        return replace(part, rows=number)

    def _read_table(self, part: Part) -> int | None:
        """The number of rows of a table whose column types alone say that every row can be read; else None."""
        if not part.source.is_table:
            return None
        from hybridverify.records.table_survey import survey_table

        found = survey_table(part.source, part.layout, self.left)
        if found is None:
            return None
        self.no_reference.join(found.no_reference)
        self.no_response.join(found.no_response)
        self.count += found.rows
        return found.rows

    def _read_rows(self, part: Part) -> int:
        number = 0
        rows = part.source.rows(part.columns(whole=False), self.warn, self._skip)
        for place, row in islice(rows, self.left):
            for entry in spread(part.layout, place, row, self.count, self.rows + number):
                self.count = entry.number
                self._look_at(part.source, entry)
            number += 1
        return number

    def _skip(self, message: str) -> None:
        self.skipped.note(message)

    def _look_at(self, source: Source, entry: Entry) -> None:
        if not any(reference.strip() for reference in entry.sample.references):
            self.no_reference.add(entry.place)
        if not entry.sample.response:
            given = entry.layout.response_of(entry.row)
            if given is None or given != given:  # NaN, as some writers spell null
                self.no_response.add(entry.place)
        if self.visit:
            self.visit(source, entry)

    def report(self) -> None:
        if self.skipped.count:
            lines = "1 line" if self.skipped.count == 1 else f"{self.skipped.count} lines"
            if not self.count:
                raise InputError(f"no line can be read ({lines}; the first: {self.skipped.first})")
            self.warn(f"{lines} skipped (--skip-bad-lines); the first: {self.skipped.first}")
        if self.no_reference.count:
            self.warn(f"{self.no_reference} without a reference: not graded (bad_reference)")
        if self.no_response.count:
            self.warn(f"{self.no_response} without a response: graded as empty")
