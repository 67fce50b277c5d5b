"""The file of a `ScoreCache`: one diskcache store in one folder, made safe against hostile files and long waits.

diskcache is made for a program's own values and for writers that may wait. Here a store may come from anywhere and a
run must go on. So nothing is unpickled, no value becomes a file of its own, a store of another program or of a newer
version is not touched, no wait is longer than asked for, and every fault is raised as a `StoreFault`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import DBNAME, MODE_RAW

from hybridverify.cache.fault import FaultKind, StoreFault

DATABASE_NAME: str = DBNAME

SCHEMA = 1
"""Kept in SQLite's user_version. Raise it when older programs must not read what this one writes."""

SETTINGS = {
    "eviction_policy": "none",  # a paid verdict is never dropped
    "cull_limit": 0,
    "size_limit": 2**62,  # diskcache's own default is 1 GB
    "tag_index": 0,  # would make every write slower, to save `cache stats` one scan
    "statistics": 0,  # would make every read a write
    "sqlite_journal_mode": "wal",  # readers do not wait for a writer
    "sqlite_auto_vacuum": 0,  # `cache prune` frees the space
    "sqlite_synchronous": 1,  # NORMAL: a crash loses nothing, a power failure perhaps the last batches
    "sqlite_mmap_size": 0,  # a mapped file that is cut while it is read ends the process (SIGBUS)
    "sqlite_cache_size": 8192,  # pages of 4 kB
}

PER_CONNECTION = ("synchronous", "mmap_size", "cache_size")
"""The settings that SQLite forgets with each connection. Journal mode and vacuum stay with the file."""

MARKER = "hybridverify-cache.txt"
MARKER_TEXT = "Verdicts of hybridverify. Safe to delete while no run uses it: they are asked again.\n"


def open_store(folder: Path, lock_wait_s: float) -> Store:
    """Open or create the store of `folder`. Raises StoreFault."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _claim(folder, lock_wait_s)
        return Store(folder, lock_wait_s)
    except _ERRORS as error:
        raise _fault(error) from error


class Store:
    """Texts by key in one open database. It has one connection, so its owner lets one thread in at a time."""

    def __init__(self, folder: Path, lock_wait_s: float) -> None:
        self._database = _Database(str(folder), lock_wait_s)
        self._file = folder / DATABASE_NAME
        self._identity = _identity(self._file)

    def get(self, key: str) -> str | None:
        """The text under `key`, or None. Raises StoreFault."""
        try:
            text: str | None = self._database.get(key)
        except _ERRORS as error:
            raise _fault(error) from error
        return text

    def set_many(self, entries: Mapping[str, tuple[str, str]]) -> None:
        """Write (stage, text) under each key, all in one transaction. Raises StoreFault if nothing was written."""
        try:
            with self._database.transact():
                for key, (stage, text) in entries.items():
                    self._database.set(key, text, tag=stage)
        except _ERRORS as error:
            raise _fault(error) from error

    def is_moved(self) -> bool:
        """Whether somebody deleted or replaced the file. Then nobody would find new entries."""
        return _identity(self._file) != self._identity

    def close(self) -> None:
        """Close the connection, from any thread."""
        with suppress(sqlite3.Error):
            self._database.close()


def _claim(folder: Path, lock_wait_s: float) -> None:
    """Check that the database is a store of this library, or make it one if it is empty."""
    with closing(
        sqlite3.connect(folder / DATABASE_NAME, timeout=lock_wait_s, isolation_level=None)
    ) as database:
        if _schema(database) == 0:
            database.execute("BEGIN IMMEDIATE")  # two processes may create the store at once
            if _schema(database) == 0:
                _require_empty(database, folder)
                database.execute(f"PRAGMA user_version = {SCHEMA}")
                (folder / MARKER).write_text(MARKER_TEXT, encoding="utf-8")
            database.execute("COMMIT")
        found = _schema(database)
    if found > SCHEMA:
        raise StoreFault(
            "unusable",
            f"it was written by a newer hybridverify (schema {found}, this one reads {SCHEMA}): "
            "update hybridverify or name another folder",
        )


def _schema(database: sqlite3.Connection) -> int:
    ((version,),) = database.execute("PRAGMA user_version").fetchall()
    return int(version)


def _require_empty(database: sqlite3.Connection, folder: Path) -> None:
    ((tables,),) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    if tables:
        raise StoreFault(
            "unusable", f"{folder / DATABASE_NAME} belongs to another program: name another folder"
        )


def _identity(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


class _TextDisk(diskcache.Disk):  # type: ignore[misc]
    """Text keys and text values in the database, and nothing else: no pickle, no files."""

    def put(self, key: object) -> tuple[object, bool]:
        if not isinstance(key, str):
            raise TypeError(f"a cache key is text, not {type(key).__name__}")
        return key, True

    def get(self, key: object, raw: bool) -> object:
        return key if raw and isinstance(key, str) else ""

    def store(self, value: object, read: bool, key: object = "") -> tuple[int, int, None, str]:
        if not isinstance(value, str):
            raise TypeError(f"a cache value is text, not {type(value).__name__}")
        return 0, MODE_RAW, None, value

    def fetch(self, mode: int, filename: object, value: object, read: bool) -> str:
        return value if mode == MODE_RAW and isinstance(value, str) else ""

    def remove(self, file_path: str) -> None:
        """Does nothing: no entry has a file, and a forged name may lead out of the folder."""


class _Database(diskcache.Cache):  # type: ignore[misc]
    """diskcache with one connection for all threads, and with limited waits from the start.

    diskcache itself opens a connection in every thread and leaves closing it to the end of the thread, and its set-up
    statements wait a minute each, whatever the timeout.
    """

    def __init__(self, directory: str, wait_s: float) -> None:
        self._wait_s = wait_s
        self._connection: sqlite3.Connection | None = None
        with ExitStack() as undo:
            undo.callback(self.close)  # an exception would keep the connection alive, and its lock with it
            super().__init__(directory, timeout=wait_s, disk=_TextDisk, **SETTINGS)
            undo.pop_all()

    @property
    def _con(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(
                os.path.join(self._directory, DATABASE_NAME),
                timeout=self._timeout,
                isolation_level=None,
                check_same_thread=False,
            )
            for name in PER_CONNECTION:
                self._connection.execute(f"PRAGMA {name} = {SETTINGS[f'sqlite_{name}']}")
        return self._connection

    @property
    def _sql_retry(self) -> Callable[..., sqlite3.Cursor]:
        sql = self._sql
        deadline = time.monotonic() + self._wait_s

        def execute(statement: str, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
            while True:
                try:
                    cursor: sqlite3.Cursor = sql(statement, *args, **kwargs)
                    return cursor
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.001)

        return execute

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


_ERRORS = (sqlite3.Error, diskcache.Timeout, OSError, ValueError, TypeError, AttributeError)
"""The errors of SQLite, diskcache and the system for a store that is damaged, foreign, locked, full or gone."""


def _fault(error: BaseException) -> StoreFault:
    # diskcache turns everything that prevents a transaction from starting into a bare Timeout, and a rollback that
    # fails hides the cause.
    hidden = error.__context__
    is_wrapper = isinstance(error, (diskcache.Timeout, sqlite3.OperationalError))
    cause = hidden if is_wrapper and isinstance(hidden, sqlite3.Error) else error
    system = (
        cause.strerror if isinstance(cause, OSError) else None
    )  # without the number and the path, told already
    text = system or str(cause) or type(cause).__name__
    if "decode to UTF-8" in text:  # the message goes on with the text itself, which must not be shown
        return StoreFault("damaged", "an entry is not UTF-8")
    return StoreFault(_kind(cause, text), text)


def _kind(cause: BaseException, text: str) -> FaultKind:
    if isinstance(cause, sqlite3.OperationalError):
        return "busy" if any(word in text for word in ("lock", "busy", "is full")) else "unusable"
    # "malformed", "not a database": exactly this class, as its subclasses mean other faults
    return "damaged" if type(cause) is sqlite3.DatabaseError else "unusable"
