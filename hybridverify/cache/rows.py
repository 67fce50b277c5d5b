"""Reads and deletes in a cache's database with SQL: diskcache looks at one key at a time.

The table is that of diskcache 5. This module is for the cache commands, which, unlike a run, report faults: each is
an InputError.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hybridverify.cache.entry import decode
from hybridverify.cache.store import DATABASE_NAME, SCHEMA
from hybridverify.errors import InputError
from hybridverify.types import Verdict

WAIT_S = 30.0
"""Seconds that a command waits for a run that is writing."""

ROWS = "FROM Cache WHERE raw = 1 AND typeof(key) = 'text'"

Entry = tuple[str, str, Verdict | None]
"""Key, stage and verdict; None for one that is damaged or malformed."""


class DamagedStore(InputError):
    """SQLite cannot read the store, or not all of it."""


@contextmanager
def database_of(folder: Path, writable: bool = False) -> Iterator[sqlite3.Connection]:
    """The open database of an existing store of this library. A fault in the block is an InputError."""
    file = folder / DATABASE_NAME
    if not file.exists():
        raise InputError(f"{folder}: there is no cache here")
    # Not mode=ro for reading: such a connection leaves -wal and -shm files in the folder. Where it cannot
    # make them (a store in a read-only image), SQLite is told that nobody writes.
    is_shipped = not writable and not os.access(folder, os.W_OK) and store_files(folder) == [file]
    address = f"{file.absolute().as_uri()}?{'immutable=1' if is_shipped else 'mode=rw'}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=WAIT_S, isolation_level=None)) as database:
            database.execute(f"PRAGMA query_only = {not writable}")
            ((schema,),) = database.execute("PRAGMA user_version").fetchall()
            if not 0 < schema <= SCHEMA:
                whose = "a newer hybridverify" if schema else "another program"
                raise InputError(f"{folder}: this store belongs to {whose}")
            yield database
    except sqlite3.OperationalError as error:
        raise InputError(f"{folder}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise DamagedStore(
            f"{folder}: {error}; `hybridverify cache clear` removes a damaged store"
        ) from error


def entries_of(folder: Path) -> Iterator[Entry]:
    """Every entry, sorted by key. Of a damaged store, those that can still be read."""
    with database_of(folder) as database:
        last = ""
        try:
            for key, stage, value in database.execute(f"SELECT key, tag, value {ROWS} ORDER BY key"):
                yield key, str(stage or ""), decode(key, value)
                last = key
        except sqlite3.DatabaseError:
            yield from (entry for entry in _salvaged(database) if entry[0] > last or not entry[0])


def store_files(folder: Path) -> list[Path]:
    """The files of a store that exist."""
    names = (f"{DATABASE_NAME}{ending}" for ending in ("", "-wal", "-shm"))
    return [folder / name for name in names if (folder / name).exists()]


def store_bytes(folder: Path) -> int:
    """Their size on disk."""
    return sum(file.stat().st_size for file in store_files(folder))


def _salvaged(database: sqlite3.Connection) -> list[Entry]:
    """Read row by row and skip damaged pages: a lost page costs only its own verdicts."""
    ((rows,),) = database.execute("SELECT MAX(rowid) FROM Cache").fetchall()
    entries: list[Entry] = []
    for rowid in range(1, (rows or 0) + 1):
        try:
            found = database.execute(f"SELECT key, tag, value {ROWS} AND rowid = ?", (rowid,)).fetchall()
        except sqlite3.DatabaseError:
            entries.append(("", "", None))
        else:
            entries += [(key, str(stage or ""), decode(key, value)) for key, stage, value in found]
    return sorted(entries, key=lambda entry: entry[0])
