"""JSON lines with `--keep-shape`: the rows of the input, and beside a list of responses lists of their grades."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, ClassVar, cast

from hybridverify.errors import InputError
from hybridverify.records.encode import Unwritable, stem, tail
from hybridverify.records.reading import Entry, Records, spread
from hybridverify.records.rebuilt import RebuiltOutput, as_lists, grades_in
from hybridverify.records.rows import SAMPLE_INDEX, Row


class ShapedJsonOutput(RebuiltOutput):
    """Writes `.jsonl` and `.jsonl.gz`, one line for each row of the input."""

    whole_rows: ClassVar[bool] = True

    def stem(self, entry: Entry) -> bytes:
        """The start of this response's line. Raises Unwritable."""
        self._encoded(entry)
        return super().stem(entry)

    def _encoded(self, entry: Entry) -> bytes:
        first = not entry.row.get(SAMPLE_INDEX)
        return stem(entry.row, lambda: self.nulled.add(entry.place) if first else None)

    def _rows(self) -> Iterator[Row]:
        try:
            with _opened(self.path, "rb") as lines:
                for line in lines:
                    yield json.loads(line)
        except (OSError, EOFError, ValueError) as error:
            raise InputError(f"{self.path} cannot be read: {str(error) or type(error).__name__}") from error

    def _written(self, records: Records) -> Iterator[Entry]:
        return (entry for entry in super()._written(records) if self._is_written(entry))

    def _is_written(self, entry: Entry) -> bool:
        try:
            stem(entry.row)
        except Unwritable:
            return False
        return True

    def assemble(self, journal: Path, records: Records, beside: Path) -> Path:
        """Write the whole file to `beside`."""
        zipped = self.path.name.lower().endswith(".gz")
        with open(journal, "rb") as lines, open(beside, "wb") as raw:
            out = gzip.GzipFile("", "wb", mtime=0, fileobj=raw) if zipped else raw
            for row, grades, several in self._shaped(records, lines):
                columns = as_lists(grades, self._keys)
                told = columns if several else {key: values[0] for key, values in columns.items()}
                cast(IO[bytes], out).write(stem(row) + tail(told))
            if zipped:
                out.close()
        return beside

    def _shaped(
        self, records: Records, lines: Iterator[bytes]
    ) -> Iterator[tuple[Row, list[dict[str, Any]], bool]]:
        """Each row with its grades, and whether it holds a list of responses."""
        index = 0
        for part in records.parts:
            for at, (place, row) in enumerate(part.source.rows()):
                if at >= part.rows:
                    break
                entries = list(spread(part.layout, place, row, 0, index))
                grades = grades_in(lines, sum(map(self._is_written, entries)))
                index += 1
                if grades:
                    yield row, grades, SAMPLE_INDEX in entries[0].row and SAMPLE_INDEX not in row


def _opened(path: Path, mode: str) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, mode) if path.name.lower().endswith(".gz") else open(path, mode))
