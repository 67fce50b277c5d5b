"""Output as JSON lines: the journal already is this file, so it only has to be renamed or compressed."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from hybridverify.errors import InputError
from hybridverify.records.encode import stem
from hybridverify.records.reading import Entry, Records
from hybridverify.records.rows import Tally
from hybridverify.records.source import Source


class JsonOutput:
    """Writes `.jsonl` and `.jsonl.gz`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.nulled = Tally()
        self._zipped = path.name.lower().endswith(".gz")

    whole_rows: ClassVar[bool] = True
    """The journal holds all columns."""

    def visit(self, source: Source, entry: Entry) -> None:
        """Nothing is needed from a first pass."""

    def check(self, records: Records) -> None:
        """Rows of any shape fit."""

    def stem(self, entry: Entry) -> bytes:
        """The start of this row's line. Raises Unwritable."""
        return stem(entry.row, lambda: self.nulled.add(entry.place))

    def finished_lines(self, records: Records) -> Iterator[bytes]:
        """The lines of an earlier run's output. The last one may be cut."""
        try:
            with gzip.open(self.path, "rb") if self._zipped else open(self.path, "rb") as lines:
                yield from lines
        except EOFError:
            return  # a cut compressed file: the lines before the cut count
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror or error}") from error

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """The file to rename to the output: the journal itself, or `beside` with the compressed bytes."""
        if not self._zipped:
            return journal
        # no name and no time in the header: equal rows give equal bytes
        with (
            open(journal, "rb") as lines,
            open(beside, "wb") as raw,
            gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as zipped,
        ):
            shutil.copyfileobj(lines, zipped, 1 << 20)
        return beside
