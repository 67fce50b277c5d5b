"""The kinds of output files, and the endings that choose them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Protocol

from hybridverify.errors import InputError
from hybridverify.records.reading import Entry, Records
from hybridverify.records.rows import Tally
from hybridverify.records.source import Source
from hybridverify.records.streams import STDIN


class Output(Protocol):
    """A kind of output. During a run, finished rows are lines of a journal; `assemble` makes the file at the end."""

    path: Path
    whole_rows: ClassVar[bool]
    nulled: Tally
    """Rows whose NaN or infinity is written as null."""

    def visit(self, source: Source, entry: Entry) -> None:
        """See one row of the first pass."""
        ...

    def check(self, records: Records) -> None:
        """Raise InputError after the first pass if these inputs cannot be written in this format."""
        ...

    def stem(self, entry: Entry) -> bytes:
        """The start of the row's journal line, by which rows are recognised. Raises Unwritable."""
        ...

    def finished_lines(self, records: Records) -> Iterator[bytes]:
        """The output of an earlier run as journal lines."""
        ...

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """The finished file under a temporary name: `beside`, or the journal if that is the file."""
        ...


_ENDINGS = (".jsonl", ".jsonl.gz", ".csv", ".csv.gz", ".parquet")


def open_output(path: str | Path, timing: bool = False, keep_shape: bool = False) -> Output:
    """The output for a path, by its ending; `-` is standard output. Raises InputError for other endings, missing
    folders, and a shape that a kind of file cannot keep."""
    where = Path(path)
    if where == STDIN:
        return _standard_output(where, keep_shape)
    name = where.name.lower()
    if where.is_dir():
        raise InputError(f"{where}: is a folder; name a file that ends in .jsonl or .parquet")
    if not where.parent.is_dir():
        raise InputError(f"{where}: the folder {where.parent} does not exist; make it first")
    if not os.access(where.parent, os.W_OK):
        raise InputError(f"{where}: nothing may be written in the folder {where.parent}; name another output")
    if name.endswith((".jsonl", ".jsonl.gz")):
        from hybridverify.records.json_output import JsonOutput
        from hybridverify.records.shaped_json import ShapedJsonOutput

        return ShapedJsonOutput(where, timing, keep_shape) if keep_shape else JsonOutput(where)
    if name.endswith((".csv", ".csv.gz")):
        from hybridverify.records.csv_output import CsvOutput

        if keep_shape:
            raise InputError(f"{where}: a CSV cell holds no list; with --keep-shape write .jsonl or .parquet")
        return CsvOutput(where, timing)
    if name.endswith(".parquet"):
        from hybridverify.records.parquet_output import ParquetOutput

        return ParquetOutput(where, timing, keep_shape)
    raise InputError(
        f"{where}: unknown kind of output; can be written: {', '.join(_ENDINGS)}, and - for stdout"
    )


def _standard_output(where: Path, keep_shape: bool) -> Output:
    from hybridverify.records.json_output import JsonOutput

    if keep_shape:
        raise InputError("--keep-shape writes a row when all its responses are graded; name a file, not -")
    return JsonOutput(where)
