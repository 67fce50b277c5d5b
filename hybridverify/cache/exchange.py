"""Moves verdicts from one cache to another: `hybridverify cache export` and `merge`.

An export is a text file that any version, tool or node can read. A merge takes exports and cache folders and trusts
neither: entries that a cache would not keep are refused and counted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hybridverify.cache.entry import decode, encode, from_record, storable, to_record
from hybridverify.cache.fault import StoreFault
from hybridverify.cache.location import cache_folder
from hybridverify.cache.rows import WAIT_S, Entry, entries_of
from hybridverify.cache.store import DATABASE_NAME, SCHEMA, Store, open_store
from hybridverify.errors import InputError

BATCH = 5_000
"""Entries in one transaction when stores are joined. Another run waits about a tenth of a second for it."""


@dataclass(frozen=True)
class Exported:
    """How many entries were written, and how many damaged ones were left out."""

    written: int
    damaged: int


@dataclass(frozen=True)
class Merged:
    """The number of entries of all sources, by what was done with them.

    `present` were there already, `conflicts` of them with another verdict (of a judge that samples); the first one is
    kept. `refused` are damaged entries, malformed lines and verdicts that a cache does not keep.
    """

    added: int = 0
    present: int = 0
    conflicts: int = 0
    refused: int = 0


def export(path: str | os.PathLike[str] | None, out_jsonl: str | os.PathLike[str]) -> Exported:
    """Write one JSON object a line, sorted by key: `{"key", "stage", "schema", "verdict"}`.

    Equal stores give equal bytes. The file appears when it is complete.
    """
    folder = cache_folder(path)
    out = Path(out_jsonl)
    partial = out.with_name(out.name + ".partial")
    written = damaged = 0
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as lines:
            for key, stage, verdict in entries_of(folder):
                if verdict is None:
                    damaged += 1
                    continue
                line = {"key": key, "schema": SCHEMA, "stage": stage, "verdict": to_record(verdict)}
                lines.write(json.dumps(line, allow_nan=False) + "\n")
                written += 1
        partial.replace(out)
    except OSError as error:
        raise InputError(f"cache export: {out} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return Exported(written, damaged)


def merge(into: str | os.PathLike[str] | None, sources: Sequence[str | os.PathLike[str]]) -> Merged:
    """Add the entries of `sources` (cache folders or exports) to the store `into`, which is made if it does not
    exist."""
    for source in sources:
        if not _is_export(source) and not (cache_folder(source) / DATABASE_NAME).exists():
            raise InputError(f"cache merge: {source} is neither a cache folder nor an export")
        if _is_export(source) and not _holds_an_entry(Path(source)):
            raise InputError(
                f"cache merge: {source}: no line of it is an entry of a cache; `cache export` writes them"
            )
    total = Merged()
    with _writing(cache_folder(into)) as store:
        for source in sources:
            entries = _lines(Path(source)) if _is_export(source) else entries_of(cache_folder(source))
            total = _add(store, entries, total)
    return total


def _lines(file: Path) -> Iterator[Entry]:
    try:
        with file.open("rb") as lines:
            for line in lines:
                yield _entry_of(line)
    except OSError as error:
        raise InputError(f"cache merge: {file} cannot be read: {error.strerror or error}") from error


def _holds_an_entry(file: Path) -> bool:
    """Whether some line is an entry. An empty export is one of an empty cache."""
    return file.stat().st_size == 0 or any(key for key, _, _ in _lines(file))


def _entry_of(line: bytes) -> Entry:
    malformed = ("", "", None)
    try:
        entry = json.loads(line)
        key, stage, schema = entry["key"], entry["stage"], entry["schema"]
        verdict = from_record(entry["verdict"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return malformed
    is_key = isinstance(key, str) and len(key) == 64 and set(key) <= set("0123456789abcdef")
    is_known = is_key and isinstance(stage, str) and type(schema) is int and schema <= SCHEMA
    return (key, stage, verdict) if is_known else malformed


def _add(store: Store, entries: Iterator[Entry], total: Merged) -> Merged:
    counts = {"added": total.added, "present": total.present}
    counts |= {"conflicts": total.conflicts, "refused": total.refused}
    fresh: dict[str, tuple[str, str]] = {}
    for key, stage, verdict in entries:
        text = encode(key, verdict) if verdict is not None and storable(verdict, stage) else ""
        if not text:
            counts["refused"] += 1
            continue
        known = fresh[key][1] if key in fresh else store.get(key)
        if known is None or decode(key, known) is None:
            counts["added"] += 1
            fresh[key] = (stage, text)
        else:
            counts["present"] += 1
            counts["conflicts"] += known != text
        if len(fresh) >= BATCH:
            store.set_many(fresh)
            fresh = {}
    store.set_many(fresh)
    return Merged(**counts)


@contextmanager
def _writing(folder: Path) -> Iterator[Store]:
    try:
        store = open_store(folder, WAIT_S)
    except StoreFault as fault:
        raise InputError(f"{folder}: {fault.reason}") from fault
    try:
        yield store
    except StoreFault as fault:
        raise InputError(f"{folder}: {fault.reason}") from fault
    finally:
        store.close()


def _is_export(source: str | os.PathLike[str]) -> bool:
    return Path(source).is_file()
