"""Output as Parquet. A Parquet file cannot grow safely, so the journal holds only the grades, one line a row. At the
end the file is put together from the journal and the inputs, which are read once more.

Columns of tables keep their types; rows of text formats get the types of column_types.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hybridverify.errors import InputError
from hybridverify.records.column_types import ADVICE, ColumnTypes
from hybridverify.records.encode import Unwritable, tail
from hybridverify.records.grade_columns import FLAGS, NUMBERS, column_keys
from hybridverify.records.parquet_tables import (
    cast,
    has_empty_struct,
    spread_schema,
    spread_table,
    typed_table,
)
from hybridverify.records.reading import Entry, Part, Records, spread
from hybridverify.records.rows import PREFIX, Tally
from hybridverify.records.source import Source
from hybridverify.records.tables import unreadable
from hybridverify.types import Sample

_GROUP_ROWS = 8192
_GROUP_BYTES = 64 << 20
_BATCH_ROWS = 512


class ParquetOutput:
    """Writes `.parquet`, with the `hv_` columns. `timing` adds its two."""

    def __init__(self, path: Path, timing: bool = False) -> None:
        self.path = path
        self.nulled = Tally()
        self._types = ColumnTypes()
        self._keys = column_keys(timing)

    whole_rows = False
    """The journal needs only the columns that samples are made of."""

    def visit(self, source: Source, entry: Entry) -> None:
        """Learn the types of rows that have none."""
        if not source.is_table:
            self._types.add(entry)

    def check(self, records: Records) -> None:
        """Raise InputError, before anything is graded, if the inputs do not fit into one Parquet file."""
        self._schema(records)

    def stem(self, entry: Entry) -> bytes:
        """The start of this row's line: a hash of the graded values. Raises Unwritable."""
        if entry.number in self._types.unwritable:
            raise Unwritable(*self._types.unwritable[entry.number])
        return b'{"sample": "' + _digest(entry.sample).encode() + b'"'

    def finished_lines(self, records: Records) -> Iterator[bytes]:
        """The output of an earlier run as journal lines. Its rows are read like the inputs' rows."""
        try:
            with pq.ParquetFile(self.path) as parquet:
                batches = parquet.iter_batches(batch_size=_BATCH_ROWS)
                rows = (row for batch in batches for row in batch.to_pylist())
                for row, entry in zip(rows, self._written(records), strict=False):
                    sample = entry.layout.sample(entry.place, row)
                    columns = {k.removeprefix(PREFIX): v for k, v in row.items() if k.startswith(PREFIX)}
                    yield b'{"sample": "' + _digest(sample).encode() + b'"' + tail(columns)
                yield from (
                    tail({}) for _ in rows
                )  # more rows than the input has: they match none of its rows
        except (OSError, pa.ArrowException) as error:
            raise unreadable(self.path, error) from error

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """Write the whole file to `beside`."""
        schema = self._schema(records)
        with open(journal, "rb") as lines, pq.ParquetWriter(beside, schema) as writer:
            waiting: list[pa.Table] = []
            for table in self._tables(records, schema, lines):
                waiting.append(table)
                rows, size = sum(t.num_rows for t in waiting), sum(t.nbytes for t in waiting)
                if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
                    _write_group(writer, waiting)
                    waiting = []
            if waiting:
                _write_group(writer, waiting)
        return beside

    def _written(self, records: Records) -> Iterator[Entry]:
        return (e for e in records.entries(whole=False) if e.number not in self._types.unwritable)

    def _schema(self, records: Records) -> pa.Schema:
        tables = [spread_schema(p) for p in records.parts if p.source.is_table]
        try:
            schema = pa.unify_schemas([*tables, self._types.settle()], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise InputError(f"the inputs' columns differ: {str(error).splitlines()[0]}; {ADVICE}") from error
        for field in schema:
            if has_empty_struct(field.type):
                raise InputError(f"column {field.name!r} holds only empty objects; write .jsonl instead")
        grades = [pa.field(PREFIX + key, _grade_type(key)) for key in self._keys]
        return pa.schema([*schema, *grades], _metadata(tables))

    def _tables(self, records: Records, schema: pa.Schema, lines: Iterator[bytes]) -> Iterator[pa.Table]:
        before = 0
        for part in records.parts:
            for columns, count in self._input_tables(part, schema, before):
                before += count
                if columns.num_rows:
                    yield self._with_grades(columns, list(islice(lines, columns.num_rows)), schema)

    def _input_tables(self, part: Part, schema: pa.Schema, before: int) -> Iterator[tuple[pa.Table, int]]:
        """Tables of one input, each with the number of its entries; left-out entries count."""
        if part.source.is_table:
            left = part.rows
            for batch in part.source.batches():
                table = spread_table(pa.Table.from_batches([batch.slice(0, left)]), part.layout)
                left = max(0, left - batch.num_rows)
                yield table, table.num_rows
            return
        rows = islice(part.source.rows(), part.rows)
        while batch := list(islice(rows, _BATCH_ROWS)):
            written, count = [], 0
            for place, row in batch:
                for entry in spread(part.layout, place, row, before + count):
                    count += 1
                    if entry.number not in self._types.unwritable:
                        written.append(entry.row)
            before += count
            yield typed_table(written, schema, batch[0][0]), count

    def _with_grades(self, table: pa.Table, lines: list[bytes], schema: pa.Schema) -> pa.Table:
        grades = [json.loads(line) for line in lines]
        arrays = []
        for field in schema:
            if field.name.startswith(PREFIX):
                arrays.append(pa.array([_storable(grade[field.name]) for grade in grades], type=field.type))
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


def _storable(value: Any) -> Any:
    """A judge's reply may hold a lone surrogate, which Arrow's text cannot."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _metadata(tables: list[pa.Schema]) -> dict[bytes, bytes]:
    """The first table's notes, without those of `datasets`: it refuses columns that its own note does not list."""
    notes = dict((tables[0].metadata or {}) if tables else {})
    notes.pop(b"huggingface", None)
    return notes


def _digest(sample: Sample) -> str:
    graded = [sample.response, list(sample.references), sample.question, sample.data_source]
    return hashlib.blake2b(json.dumps(graded).encode(), digest_size=12).hexdigest()
