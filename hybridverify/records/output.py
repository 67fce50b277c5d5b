"""The kinds of output files, and the endings that choose them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from hybridverify.errors import InputError
from hybridverify.records.reading import Entry, Records
from hybridverify.records.rows import Tally
from hybridverify.records.source import Source


class Output(Protocol):
    """A kind of output. During a run, finished rows are lines of a journal; `assemble` makes the file at the end."""

    path: Path
    whole_rows: bool
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


def open_output(path: str | Path, timing: bool = False) -> Output:
    """The output for a path, by its ending. Raises InputError for other endings and missing folders."""
    where = Path(path)
    name = where.name.lower()
    if where.is_dir():
        raise InputError(f"{where}: is a folder; name a file that ends in .jsonl or .parquet")
    if not where.parent.is_dir():
        raise InputError(f"{where}: the folder {where.parent} does not exist; make it first")
    if name.endswith((".jsonl", ".jsonl.gz")):
        from hybridverify.records.json_output import JsonOutput

        return JsonOutput(where)
    if name.endswith(".parquet"):
        from hybridverify.records.parquet_output import ParquetOutput

        return ParquetOutput(where, timing)
    raise InputError(f"{where}: unknown kind of output; can be written: .jsonl, .jsonl.gz, .parquet")
