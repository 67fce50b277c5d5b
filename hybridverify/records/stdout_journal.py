"""Standard output in place of a journal: each finished row is printed, and nothing is kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from hybridverify.records.journal import Journal
from hybridverify.records.streams import STDIN


class StdoutJournal(Journal):
    """Prints rows as they are finished. There is nothing to resume."""

    def __init__(self) -> None:
        super().__init__(STDIN)

    def exists(self) -> bool:
        """Never: printed rows cannot be read again."""
        return False

    def start(self, settings: Mapping[str, Any], lines: Iterable[bytes] = ()) -> None:
        """Begin to print."""
        self._file = _stdout()
        self._file.writelines(lines)

    def lines(self) -> Iterator[bytes]:
        """None: see `exists`."""
        return iter(())

    def flush(self) -> None:
        """Hand all rows so far to the reader."""
        if self._file is not None:
            self._file.flush()
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Print what is left; standard output itself stays open."""
        file, self._file = self._file, None
        if file is not None:
            file.flush()

    def publish(self, finished: Path) -> None:
        """Nothing is left to do: the rows are printed."""
        self.close()

    def remove(self) -> None:
        """See `publish`."""
        self.close()

    def drop_if_empty(self) -> None:
        """See `publish`."""


def _stdout() -> IO[bytes]:
    sys.stdout.flush()
    return sys.stdout.buffer
