"""Output as Parquet. A Parquet file cannot grow safely, so the journal holds only the grades, one line a row. At the
end the file is put together from the journal and the inputs, which are read once more.

Columns of tables keep their types; rows of text formats get the types of column_types.py.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json as pj
import pyarrow.parquet as pq

from hybridverify.errors import InputError
from hybridverify.records.column_types import ADVICE, ColumnTypes
from hybridverify.records.encode import Unwritable
from hybridverify.records.grade_columns import FLAGS, NUMBERS
from hybridverify.records.parquet_tables import (
    cast,
    has_empty_struct,
    response_counts,
    spread_schema,
    spread_table,
    typed_table,
)
from hybridverify.records.reading import Entry, Part, Records, spread
from hybridverify.records.rebuilt import RebuiltOutput, unspread
from hybridverify.records.rows import PREFIX, SAMPLE_INDEX, Row
from hybridverify.records.source import Source
from hybridverify.records.tables import unreadable

_GROUP_ROWS = 8192
_GROUP_BYTES = 64 << 20
_BATCH_ROWS = 512
_JOINED_BATCHES = 16
_JOINED_BYTES = 8 << 20
"""Batches that get their grades together: parsing has a price of its own each time."""


class ParquetOutput(RebuiltOutput):
    """Writes `.parquet`, with the `hv_` columns. `timing` adds its two."""

    def __init__(self, path: Path, timing: bool = False, keep_shape: bool = False) -> None:
        super().__init__(path, timing, keep_shape)
        self._types = ColumnTypes()
        self._lists: set[bool] = set()
        self._rows_before = 0

    def visit(self, source: Source, entry: Entry) -> None:
        """Learn the types of rows that have none."""
        if not source.is_table:
            if SAMPLE_INDEX in entry.row or entry.layout.response_of(entry.row) is not None:
                self._lists.add(SAMPLE_INDEX in entry.row)
            self._types.add(unspread(entry) if self._keep_shape else entry)

    def check(self, records: Records) -> None:
        """Raise InputError, before anything is graded, if the inputs do not fit into one Parquet file."""
        self._schema(records)

    def stem(self, entry: Entry) -> bytes:
        """The start of this row's line: a hash of the graded values. Raises Unwritable."""
        if fault := self._fault(entry):
            raise Unwritable(*fault)
        return super().stem(entry)

    def _fault(self, entry: Entry) -> tuple[str, str] | None:
        """What Parquet cannot hold; with `keep_shape`, in any response of the row."""
        if self._keep_shape:
            return self._types.places.get(entry.place)
        return self._types.unwritable.get(entry.number)

    def _rows(self) -> Iterator[Row]:
        try:
            with pq.ParquetFile(self.path) as parquet:
                for batch in parquet.iter_batches(batch_size=_BATCH_ROWS):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise unreadable(self.path, error) from error

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """Write the whole file to `beside`."""
        schema = self._schema(records)
        self._rows_before = 0
        with open(journal, "rb") as lines, pq.ParquetWriter(beside, schema) as writer:
            waiting: list[pa.Table] = []
            rows = size = 0
            for table in self._tables(records, schema, lines):
                waiting.append(table)
                rows, size = rows + table.num_rows, size + table.nbytes
                if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
                    _write_group(writer, waiting)
                    waiting, rows, size = [], 0, 0
            if waiting:
                _write_group(writer, waiting)
        return beside

    def _written(self, records: Records) -> Iterator[Entry]:
        return (entry for entry in super()._written(records) if not self._fault(entry))

    def _schema(self, records: Records) -> pa.Schema:
        tables = [self._part_schema(part) for part in records.parts if part.source.is_table]
        try:
            schema = pa.unify_schemas([*tables, self._types.settle()], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise InputError(f"the inputs' columns differ: {str(error).splitlines()[0]}; {ADVICE}") from error
        for field in schema:
            if has_empty_struct(field.type):
                raise InputError(f"column {field.name!r} holds only empty objects; write .jsonl instead")
        several = self._keeps_lists(records)
        kinds = {key: pa.list_(_grade_type(key)) if several else _grade_type(key) for key in self._keys}
        grades = [pa.field(PREFIX + key, kind) for key, kind in kinds.items()]
        return pa.schema([*schema, *grades], _metadata(tables))

    def _part_schema(self, part: Part) -> pa.Schema:
        return part.source.schema() if self._keep_shape else spread_schema(part)

    def _keeps_lists(self, records: Records) -> bool:
        """Whether grades are lists. A Parquet column is a list in every row or in none."""
        if not self._keep_shape:
            return False
        kinds = {SAMPLE_INDEX in spread_schema(part).names for part in records.parts if part.source.is_table}
        if len(kinds | self._lists) > 1:
            raise InputError(
                "some rows hold a list of responses and some a single one; with --keep-shape write .jsonl instead"
            )
        return kinds | self._lists == {True}

    def _tables(self, records: Records, schema: pa.Schema, lines: Iterator[bytes]) -> Iterator[pa.Table]:
        before = 0
        for part in records.parts:
            waiting: list[tuple[pa.Table, list[int]]] = []
            size = 0
            for columns, counts, entries in self._input_tables(part, schema, before):
                before += entries
                if columns.num_rows:
                    waiting.append((columns, counts))
                    size += columns.nbytes
                if len(waiting) >= _JOINED_BATCHES or size >= _JOINED_BYTES:
                    yield self._with_grades(waiting, lines, schema)
                    waiting, size = [], 0
            if waiting:
                yield self._with_grades(waiting, lines, schema)

    def _input_tables(
        self, part: Part, schema: pa.Schema, before: int
    ) -> Iterator[tuple[pa.Table, list[int], int]]:
        """Tables of one input, the number of lines of each of their rows, and the number of entries, of which some may
        have been left out."""
        if not part.source.is_table:
            yield from self._text_tables(part, schema, before)
            return
        left, read = part.rows, 0
        for batch in part.source.batches():
            table = pa.Table.from_batches([batch.slice(0, left)])
            if self._keep_shape:
                counts = response_counts(table, part.layout)
            else:
                table = spread_table(table, part.layout, self._rows_before + read)
                counts = [1] * table.num_rows
            read += min(left, batch.num_rows)
            left = max(0, left - batch.num_rows)
            yield table, counts, sum(counts)
        self._rows_before += read

    def _text_tables(
        self, part: Part, schema: pa.Schema, before: int
    ) -> Iterator[tuple[pa.Table, list[int], int]]:
        rows = islice(part.source.rows(), part.rows)
        while batch := list(islice(rows, _BATCH_ROWS)):
            written: list[Row] = []
            counts: list[int] = []
            entries = 0
            for place, row in batch:
                each = list(spread(part.layout, place, row, before + entries, self._rows_before))
                self._rows_before += 1
                entries += len(each)
                good = [entry.row for entry in each if not self._fault(entry)]
                if self._keep_shape and good:
                    written.append(row)
                    counts.append(len(good))
                elif good:
                    written += good
                    counts += [1] * len(good)
            before += entries
            yield typed_table(written, schema, batch[0][0]), counts, entries

    def _with_grades(
        self, waiting: list[tuple[pa.Table, list[int]]], lines: Iterator[bytes], schema: pa.Schema
    ) -> pa.Table:
        """The tables as one, with the grades of the next lines."""
        table = pa.concat_tables([columns for columns, _ in waiting], promote_options="permissive")
        counts = [count for _, each in waiting for count in each]
        grades = _grades(list(islice(lines, sum(counts))), self._keys)
        arrays = []
        for field in schema:
            if field.name in grades.column_names:
                column = grades.column(field.name)
                arrays.append(_in_lists(column, counts) if pa.types.is_list(field.type) else column)
            elif field.name in table.column_names:
                arrays.append(cast(table.column(field.name), field))
            else:
                arrays.append(pa.nulls(table.num_rows, field.type))
        return pa.Table.from_arrays(arrays, schema=schema)


def _write_group(writer: pq.ParquetWriter, tables: list[pa.Table]) -> None:
    table = pa.concat_tables(tables)
    writer.write_table(table, row_group_size=max(1, table.num_rows))


def _grade_type(key: str) -> pa.DataType:
    if key in NUMBERS:
        return pa.float64()
    return pa.bool_() if key in FLAGS else pa.string()


def _grades(lines: list[bytes], keys: Sequence[str]) -> pa.Table:
    """The grades of journal lines as columns."""
    schema = pa.schema([(PREFIX + key, _grade_type(key)) for key in keys])
    try:
        options = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
        table = pj.read_json(io.BytesIO(b"".join(lines)), parse_options=options)
        return table.select(schema.names).cast(schema)
    except pa.ArrowException:  # half a character, which Arrow's text cannot hold
        rows = [json.loads(line) for line in lines]
        columns = [pa.array([_storable(row[f.name]) for row in rows], type=f.type) for f in schema]
        return pa.Table.from_arrays(columns, schema=schema)


def _in_lists(column: pa.ChunkedArray, counts: list[int]) -> pa.Array:
    """The values of one row's responses as one list."""
    ends = [0, *accumulate(counts)]
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), column.combine_chunks())


def _storable(value: Any) -> Any:
    """A judge's reply may hold a lone surrogate, which Arrow's text cannot."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _metadata(tables: list[pa.Schema]) -> dict[bytes, bytes]:
    """The first table's notes, without those of `datasets`: it refuses columns that its own note does not list."""
    notes = dict((tables[0].metadata or {}) if tables else {})
    notes.pop(b"huggingface", None)
    return notes
