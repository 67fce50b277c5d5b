"""Output as CSV: texts as they are, other values as JSON writes them, an empty cell for null. The columns are those of
all rows together, so the file is put together at the end."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, ClassVar, cast

from hybridverify.errors import InputError
from hybridverify.records.csv_files import read_csv
from hybridverify.records.encode import Unwritable, stem, tail
from hybridverify.records.grade_columns import FLAGS, NUMBERS
from hybridverify.records.reading import Entry, Records
from hybridverify.records.rebuilt import RebuiltOutput, digest_stem
from hybridverify.records.rows import PREFIX, Row
from hybridverify.records.source import Source


class CsvOutput(RebuiltOutput):
    """Writes `.csv` and `.csv.gz`."""

    whole_rows: ClassVar[bool] = True

    def __init__(self, path: Path, timing: bool = False) -> None:
        super().__init__(path, timing)
        self._seen: dict[str, None] = {}

    def visit(self, source: Source, entry: Entry) -> None:
        """Learn the columns of rows that have no schema."""
        self._seen.update(dict.fromkeys(entry.row))

    def check(self, records: Records) -> None:
        """Learn the columns of tables."""
        from hybridverify.records.parquet_tables import spread_schema

        for part in records.parts:
            if part.source.is_table:
                self._seen.update(dict.fromkeys(spread_schema(part).names))

    def stem(self, entry: Entry) -> bytes:
        """The start of this row's line. Raises Unwritable."""
        self._cells(entry.row)
        return super().stem(entry)

    def finished_lines(self, records: Records) -> Iterator[bytes]:
        """The output of an earlier run as journal lines. A row counts if all its cells are those of the input."""
        entries = self._written(records)
        for row in self._rows():
            entry = next(entries, None)
            if entry is None or any(row.get(name) != cell for name, cell in self._cells(entry.row).items()):
                yield tail({})
            else:
                yield digest_stem(entry.sample) + tail(
                    {key: _read(key, v) for key, v in self._columns(row).items()}
                )

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """Write the whole file to `beside`."""
        names = [*self._seen, *(PREFIX + key for key in self._keys)]
        with open(journal, "rb") as lines, open(beside, "wb") as raw:
            zipped = self.path.name.lower().endswith(".gz")
            out = gzip.GzipFile("", "wb", mtime=0, fileobj=raw) if zipped else raw
            with io.TextIOWrapper(cast(IO[bytes], out), encoding="utf-8", newline="") as text:
                writer = csv.DictWriter(text, names, restval="", lineterminator="\r\n")
                writer.writeheader()
                for entry, line in zip(self._written(records), lines, strict=False):
                    grade = {k: v for k, v in json.loads(line).items() if k.startswith(PREFIX)}
                    writer.writerow({**self._cells(entry.row), **{k: _printed(v) for k, v in grade.items()}})
        return beside

    def _rows(self) -> Iterator[Row]:
        try:
            with (
                gzip.open(self.path)
                if self.path.name.lower().endswith(".gz")
                else open(self.path, "rb") as raw
            ):
                for _, row in read_csv(cast(IO[bytes], raw), str(self.path)):
                    yield row
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror or error}") from error

    def _written(self, records: Records) -> Iterator[Entry]:
        for entry in super()._written(records):
            try:
                self._cells(entry.row)
            except Unwritable:
                continue
            yield entry

    def _cells(self, row: Row) -> Mapping[str, str]:
        """The cells of a row. Raises Unwritable."""
        cells = {name: _cell(name, value) for name, value in row.items()}
        for name, cell in cells.items():
            if not cell.isascii():
                try:
                    cell.encode("utf-8")
                except UnicodeEncodeError as error:
                    raise Unwritable(name, "half a character (a lone surrogate)") from error
        return cells


def _cell(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    encoded = stem({name: value})  # raises Unwritable; writes dates and decimals as texts
    inner = json.loads(encoded + b"}")[name]
    return inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)


def _printed(value: Any) -> str:
    """A cell of a grade. A judge's reply may hold a lone surrogate, which UTF-8 cannot."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode("utf-8")


def _read(key: str, cell: str) -> Any:
    if key in NUMBERS:
        return float(cell)
    return cell == "true" if key in FLAGS else cell
