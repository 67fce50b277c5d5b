"""Rows of an earlier run, compared with the input one by one. A row is kept only if it is the same row, graded under
the same settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridverify.errors import InputError
from hybridverify.records import Entry
from hybridverify.records.encode import split_line


@dataclass
class EarlierRows:
    """Finished lines in the order of the input.

    `keys` are the grade columns that a line must have. `fingerprint` gives the present fingerprint for a data source.
    If `strict` is false, rows with another fingerprint are kept and noted in `mixed`.
    """

    out: Path
    lines: Iterator[bytes]
    keys: tuple[str, ...]
    fingerprint: Callable[[str], str]
    strict: bool = True
    adopts: Callable[[str, str], bool] = lambda data_source, fingerprint: False
    """Whether the present settings can have made another fingerprint too."""
    mixed: bool = False
    count: int = 0

    def match(self, entry: Entry, stem: bytes) -> tuple[bytes, dict[str, Any]] | None:
        """The finished line of this row with its grade columns; None if no line is left.

        Raises InputError if the next line belongs to another row or run.
        """
        line = next(self.lines, None)
        if line is None:
            return None
        self.count += 1
        columns = split_line(line, stem)
        if not columns:
            raise self._refusal(f"does not match {entry.place}")
        if tuple(columns) != self.keys:
            raise self._refusal("has other hv_ columns (with or without --timing, or another version)")
        source, earlier = entry.sample.data_source, columns["fingerprint"]
        if earlier != self.fingerprint(source) and not self.adopts(source, earlier):
            if self.strict:
                raise self._refusal(f"was graded under another configuration: {columns['fingerprint']}")
            self.mixed = True
        return line, columns

    def refuse_rest(self, rows: int) -> None:
        """Raise InputError where there are more lines than the input has rows."""
        if next(self.lines, None) is not None:
            self.count += 1
            raise self._refusal(f"has no row in the input, which has {rows}")

    def _refusal(self, what: str) -> InputError:
        return InputError(
            f"{self.out}: row {self.count} of the earlier output {what};"
            " start over without --resume, or name another output"
        )
