"""The work of `hybridverify cache stats|prune|export|merge|clear`, as functions that return data.

`path` is a cache folder, None the default one. Unlike a run, a command that cannot do its work raises InputError.
"""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridverify.cache.entry import JUDGE_STAGE, RULE_STAGE, TRANSLATION_STAGE
from hybridverify.cache.exchange import Exported, Merged, export, merge
from hybridverify.cache.location import cache_folder
from hybridverify.cache.rows import ROWS, DamagedStore, database_of, store_bytes, store_files
from hybridverify.cache.store import DATABASE_NAME, MARKER
from hybridverify.errors import InputError, did_you_mean

__all__ = ["CacheStats", "Exported", "Merged", "Removed", "clear", "export", "merge", "prune", "stats"]

DAY_S = 86_400.0
STAGES = (RULE_STAGE, JUDGE_STAGE, TRANSLATION_STAGE)

PathLike = str | os.PathLike[str] | None


@dataclass(frozen=True)
class CacheStats:
    """The contents of a store. `oldest` and `newest` are seconds since 1970, or 0.0 if it is empty."""

    path: str
    exists: bool = False
    schema: int = 0
    entries: int = 0
    stages: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    oldest: float = 0.0
    newest: float = 0.0
    limit: str = "none: nothing is evicted"


@dataclass(frozen=True)
class Removed:
    """How many entries were removed and kept, and the bytes of the files before and after."""

    removed: int
    left: int
    bytes_before: int
    bytes_after: int


def stats(path: PathLike = None) -> CacheStats:
    """Entries by stage, size and age. Changes nothing. A folder without a store counts as an empty one."""
    folder = cache_folder(path)
    if not (folder / DATABASE_NAME).exists():
        return CacheStats(str(folder))
    with database_of(folder) as database:
        ((schema,),) = database.execute("PRAGMA user_version").fetchall()
        by_stage = f"SELECT COALESCE(tag, ''), COUNT(*), MIN(store_time), MAX(store_time) {ROWS} GROUP BY 1"
        rows = database.execute(f"{by_stage} ORDER BY 1").fetchall()
    return CacheStats(
        path=str(folder),
        exists=True,
        schema=int(schema),
        entries=sum(row[1] for row in rows),
        stages={str(row[0]): row[1] for row in rows},
        bytes=store_bytes(folder),
        oldest=min((row[2] for row in rows), default=0.0),
        newest=max((row[3] for row in rows), default=0.0),
    )


def prune(
    path: PathLike = None,
    *,
    older_than_days: float | None = None,
    max_entries: int | None = None,
    stage: str | None = None,
) -> Removed:
    """Remove entries older than that many days, and of the others all but the newest `max_entries`.

    `stage` limits both to one stage; alone it removes the stage. Safe while a run uses the cache.
    """
    if older_than_days is None and max_entries is None and stage is None:
        raise InputError("cache prune: say what to remove: an age, a number of entries to keep, or a stage")
    _require_stage("prune", stage)
    _require_amount("older_than_days", older_than_days)
    _require_amount("max_entries", max_entries)
    wanted: list[str] = []
    if older_than_days is not None:
        wanted.append(f"DELETE FROM Cache WHERE store_time < :before AND {_OF_STAGE}")
    if max_entries is not None:
        newest = f"SELECT rowid FROM Cache WHERE {_OF_STAGE} ORDER BY store_time DESC, key LIMIT :keep"
        wanted.append(f"DELETE FROM Cache WHERE rowid NOT IN ({newest}) AND {_OF_STAGE}")
    before = time.time() - (older_than_days or 0.0) * DAY_S
    values = {"stage": stage, "before": before, "keep": max_entries}
    return _delete(cache_folder(path), wanted or [f"DELETE FROM Cache WHERE {_OF_STAGE}"], values)


def clear(path: PathLike = None, stage: str | None = None) -> Removed:
    """Remove every entry, or those of one stage. Of a damaged store of this library the files are removed."""
    _require_stage("clear", stage)
    folder = cache_folder(path)
    try:
        return _delete(folder, [f"DELETE FROM Cache WHERE {_OF_STAGE}"], {"stage": stage})
    except DamagedStore:
        if stage is not None or not (folder / MARKER).exists():
            raise
        before = store_bytes(folder)
        for file in store_files(folder):
            file.unlink(missing_ok=True)
        return Removed(0, 0, before, 0)


_OF_STAGE = "(:stage IS NULL OR tag = :stage)"


def _require_stage(command: str, stage: str | None) -> None:
    if stage not in (None, *STAGES):
        raise InputError(f"cache {command}: no stage {stage!r}; {did_you_mean(str(stage), STAGES)}")


def _require_amount(name: str, value: float | None) -> None:
    if value is not None and not (value >= 0 and math.isfinite(value)):
        raise InputError(f"cache prune: {name} must be 0 or more, not {value!r}")


def _delete(folder: Path, statements: list[str], values: Mapping[str, Any]) -> Removed:
    before = store_bytes(folder)
    with database_of(folder, writable=True) as database:
        database.execute("BEGIN IMMEDIATE")
        removed = sum(database.execute(statement, values).rowcount for statement in statements)
        database.execute("COMMIT")
        with suppress(sqlite3.OperationalError):  # a run holds the store: it will use the space again
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((left,),) = database.execute("SELECT COUNT(*) FROM Cache").fetchall()
    return Removed(removed, left, before, store_bytes(folder))
