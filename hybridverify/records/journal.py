"""The journal: finished rows on disk during a run, so that a run that is killed loses next to nothing.

`OUT.partial` holds one line for each finished row, in the order of the input. It only grows at its end. A line that
was cut by a kill is dropped when the journal is opened again. `OUT` itself appears in one step at the end.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from hybridverify.errors import InputError

_FLUSH_S = (
    0.05  # rows that come faster are handed to the system together: a call for each costs as much as a rule
)
_BUFFER_BYTES = 1 << 18
_SYNC_S = 2.0  # what the system has is lost only in a power failure


class Journal:
    """Lines beside the output `out`. Open with `start` or `reopen`; close before `publish`."""

    def __init__(self, out: Path, ending: str = ".partial") -> None:
        self.out = out
        self.path = out.with_name(out.name + ending)
        self.beside = out.with_name(out.name + ending + ".tmp")
        self._settings = out.with_name(out.name + ending + ".settings")
        self._file: IO[bytes] | None = None
        self._lock: IO[bytes] | None = None
        self._flushed = 0.0
        self._synced = 0.0

    def exists(self) -> bool:
        """Whether an interrupted run left rows."""
        return self.path.is_file()

    def start(self, settings: Mapping[str, Any], lines: Iterable[bytes] = ()) -> None:
        """Begin a new journal with `lines` of an earlier output. It appears when all of them are written."""
        self._acquire()
        self._settings.write_text(json.dumps(settings), "utf-8")
        with open(self.beside, "wb") as copy:
            copy.writelines(lines)
        os.replace(self.beside, self.path)
        self._open()

    def reopen(self, settings: Mapping[str, Any]) -> None:
        """Continue a journal. Raises InputError if it was written under other settings."""
        self._acquire()
        before = self._read_settings()
        for name in [name for name in settings if before.get(name, settings[name]) != settings[name]]:
            raise InputError(
                f"{self.path}: was begun with another {name} ({before[name]}, now {settings[name]});"
                " go on with the same, or leave out --resume to start over"
            )
        self._open()

    def drop_half_line(self) -> bool:
        """Cut off the bytes after the last whole line. Returns whether there were any."""
        whole = _whole_bytes(self.path)
        if whole == self.path.stat().st_size:
            return False
        os.truncate(self.path, whole)
        return True

    def lines(self) -> Iterator[bytes]:
        """The finished lines."""
        with open(self.path, "rb") as lines:
            yield from lines

    def rows(self) -> int:
        """How many finished rows are on disk."""
        with open(self.path, "rb") as lines:
            return sum(piece.count(b"\n") for piece in iter(lambda: lines.read(1 << 20), b""))

    def append(self, line: bytes) -> None:
        """Add a finished row."""
        self._opened.write(line)
        if time.monotonic() - self._flushed > _FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Hand all rows so far to the system."""
        if self._file is None:
            return
        self._file.flush()
        self._flushed = time.monotonic()
        if self._flushed - self._synced > _SYNC_S:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Write the buffered lines and release the lock. Closing twice is fine."""
        if self._file is not None:
            file, self._file = self._file, None
            file.flush()
            os.fsync(file.fileno())
            file.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def publish(self, finished: Path) -> None:
        """Move the finished file (the journal itself, or one beside it) to the place of the output."""
        _sync(finished)
        os.replace(finished, self.out)
        _sync(self.out.parent)
        self.remove()

    def remove(self) -> None:
        """Remove everything but the output."""
        for path in (self.path, self.beside, self._settings):
            path.unlink(missing_ok=True)
        self.close()

    def drop_if_empty(self) -> None:
        """Remove everything after a fault before the first row."""
        self.flush()
        if self._file is not None and self.path.stat().st_size == 0:
            self.remove()

    @property
    def _opened(self) -> IO[bytes]:
        if self._file is None:
            raise ValueError("the journal is closed")
        return self._file

    def _open(self) -> None:
        self._file = open(self.path, "ab", _BUFFER_BYTES)  # noqa: SIM115 (open as long as the run)

    def _acquire(self) -> None:
        """The lock is the file of the settings, which exists before the journal does."""
        lock = open(self._settings, "ab")  # noqa: SIM115
        if not _locked(lock):
            lock.close()
            raise InputError(f"{self.path}: another run is writing it; wait for it, or name another output")
        self._lock = lock

    def _read_settings(self) -> dict[str, Any]:
        try:
            settings = json.loads(self._settings.read_text("utf-8"))
        except (OSError, ValueError):
            return {}  # lost in a crash; the rows themselves are compared with the input in any case
        return settings if isinstance(settings, dict) else {}


def _whole_bytes(path: Path) -> int:
    """How many bytes belong to whole lines, each of which ends a JSON object.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "j"
    >>> _ = path.write_bytes(b'{"a": 1}\\n{"a": 2}\\n{"a'); _whole_bytes(path)
    18
    """
    step = 1 << 16
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        tail = b""
        while end > 0:
            start = max(0, end - step)
            file.seek(start)
            tail = file.read(end - start) + tail[: len(_LINE_END)]
            found = tail.rfind(_LINE_END)
            if found >= 0:
                return start + found + len(_LINE_END)
            end = start
    return 0


_LINE_END = b"}\n"  # after a power failure a file may end in zeros: a newline alone proves nothing


def _locked(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows: the lock is an extra check, and the journal is safe without it
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _sync(path: Path) -> None:
    """Force a file, or a folder's list of names, onto the disk."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # Windows does not open folders
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
