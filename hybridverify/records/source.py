"""One input file or folder: its reader and its rows."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from hybridverify.errors import InputError
from hybridverify.records.csv_files import read_csv
from hybridverify.records.json_files import read_json
from hybridverify.records.rows import Rows, Skip, Warn, own_columns, say_nothing
from hybridverify.records.streams import shown_name

if TYPE_CHECKING:
    import pyarrow as pa

_FORMATS = {
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    ".arrow": "arrow",
}


@dataclass(frozen=True)
class Source:
    """An input that exists, with its format: `json`, `csv`, `parquet` or `arrow`."""

    path: Path
    form: str
    skips_bad_lines: bool = False

    def __str__(self) -> str:
        return shown_name(self.path)

    @classmethod
    def open(cls, path: str | Path, skip_bad_lines: bool = False) -> Source:
        """The source at a path. Raises InputError if there is no such file, or no reader for its ending."""
        where = Path(path)
        if not where.exists():
            raise InputError(f"{where}: no such file or folder")
        if where.is_dir():
            return cls(where, "arrow")
        name = where.name.lower().removesuffix(".gz")
        form = _FORMATS.get(Path(name).suffix, "")
        if not form or (where.name.lower().endswith(".gz") and form not in ("json", "csv")):
            known = ".jsonl .json .csv (also .gz), .parquet, .arrow and folders of datasets.save_to_disk"
            raise InputError(
                f"{where}: unknown kind of file; can be read: {known}; JSON lines may also come through a pipe, as -"
            )
        return cls(where, form, skip_bad_lines)

    @property
    def is_table(self) -> bool:
        """Whether the file has column types, so that rows can be copied unchanged."""
        return self.form in ("parquet", "arrow")

    def rows(self, columns: Sequence[str] = (), warn: Warn = say_nothing, skip: Skip = say_nothing) -> Rows:
        """Every row with its place, without columns of an earlier run. Of tables only `columns` are read, if they are
        given. `skip` is told of each line that cannot be read, where such lines are skipped."""
        if self.is_table:
            from hybridverify.records.tables import table_rows

            return table_rows(self.path, self.form, columns or self.schema().names)
        return self._text_rows(warn, skip)

    def whole_rows(self) -> Rows:
        """Every row with the columns of an earlier run."""
        if self.is_table:
            from hybridverify.records.tables import all_columns, table_rows

            return table_rows(self.path, self.form, all_columns(self.path, self.form))
        return self._text_rows(say_nothing, say_nothing, whole=True)

    def schema(self) -> pa.Schema:
        """Columns and types; only for tables."""
        from hybridverify.records.tables import table_schema

        return table_schema(self.path, self.form)

    def batches(self, columns: Iterable[str] = ()) -> Iterator[pa.RecordBatch]:
        """The named columns, or all but those of an earlier run; only for tables."""
        from hybridverify.records.tables import table_batches

        return table_batches(self.path, self.form, list(columns) or self.schema().names)

    def _text_rows(self, warn: Warn, skip: Skip, whole: bool = False) -> Rows:
        with _readable(self.path) as stream:
            file, skips = str(self), skip if self.skips_bad_lines else None
            csv = self.form == "csv"
            for place, row in read_csv(stream, file, skips) if csv else read_json(stream, file, warn, skips):
                yield place, row if whole else own_columns(row)


@contextmanager
def _readable(path: Path) -> Iterator[IO[bytes]]:
    try:
        with open(path, "rb") as raw:
            if path.name.lower().endswith(".gz"):
                with gzip.open(raw, "rb") as unzipped:
                    yield unzipped  # type: ignore[misc]
            else:
                yield raw
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: the compressed file is damaged or cut off ({error})") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
