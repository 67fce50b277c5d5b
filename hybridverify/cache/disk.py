"""`ScoreCache`: verdicts in a folder, kept between runs, and the handling of faults of that folder."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybridverify.cache.entry import decode, encode, storable
from hybridverify.cache.fault import StoreFault
from hybridverify.cache.location import cache_folder, network_filesystem
from hybridverify.errors import ConfigError
from hybridverify.types import Verdict

if TYPE_CHECKING:
    from hybridverify.cache.store import Store

LOCK_WAIT_S = 10.0
"""Seconds that one batch waits for a store that another process has locked."""

RETRY_AFTER_S = 60.0
"""Seconds. After such a wait, or on a full disk, the file is not used for this long; memory takes its place."""

NEVER = math.inf
IN_MEMORY = "new verdicts are kept in memory for this run only"

logger = logging.getLogger("hybridverify")


class ScoreCache:
    """The cache on disk. Safe for many processes and threads of one node, and after a fork.

    `path` is a folder (default: $HYBRIDVERIFY_CACHE, else a user cache folder on this node). `namespace` enters every
    key: a word of your own that separates entries whose keys would be equal. Nothing is opened before the first use.
    `close` writes the entries that a lock or a full disk had delayed; the object may be used again afterwards.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "",
        lock_wait_s: float = LOCK_WAIT_S,
    ) -> None:
        if not isinstance(namespace, str):
            raise ConfigError(f"cache: namespace must be text, not {type(namespace).__name__}")
        if not 0.0 <= lock_wait_s <= 600.0:
            raise ConfigError(f"cache: lock_wait_s must lie between 0 and 600, not {lock_wait_s!r}")
        self.path = cache_folder(path)
        self.namespace = namespace
        self.lock_wait_s = lock_wait_s
        self._start()

    def get_many(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """The stored verdicts, marked `cached`. Any fault is a miss."""
        self._after_fork()
        with self._lock:
            entries = {key: self._unsaved[key][1] for key in keys if key in self._unsaved}
            entries |= self._read([key for key in keys if key not in entries])
        verdicts = {key: decode(key, entry) for key, entry in entries.items()}
        found = {key: verdict for key, verdict in verdicts.items() if verdict is not None}
        if len(found) < len(entries):
            logger.info("cache %s: damaged entries, read as misses: %d", self.path, len(entries) - len(found))
        return found

    def put_many(self, items: Mapping[str, Verdict], stage: str) -> None:
        """Store those that may be stored, in one transaction. Entries that cannot be written wait in memory."""
        self._after_fork()
        kept = {key: encode(key, verdict) for key, verdict in items.items() if storable(verdict, stage)}
        with self._lock:
            self._unsaved |= {key: (stage, entry) for key, entry in kept.items() if entry}
            if time.monotonic() >= self._write_from:
                self._save()

    def close(self) -> None:
        """Write the entries that are not stored yet, waiting once more for a lock, and close the file."""
        self._after_fork()
        with self._lock:
            if self._write_from < NEVER:
                self._save()
            self._release()

    def __reduce__(self) -> tuple[type[ScoreCache], tuple[Path, str, float]]:
        """Pickled as its settings. The other process opens the file anew."""
        return (ScoreCache, (self.path, self.namespace, self.lock_wait_s))

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._unsaved: dict[str, tuple[str, str]] = {}  # key -> (stage, entry)
        self._read_from: float = 0.0  # on the monotonic clock: the time from which the file may be used again
        self._write_from: float = 0.0
        self._warned = False

    def _after_fork(self) -> None:
        """Start afresh in a forked child: connection, lock and unsaved verdicts belong to the parent."""
        if self._pid != os.getpid():
            _LEFT_TO_PARENT.append(self._store)
            self._start()

    def _read(self, keys: Sequence[str]) -> dict[str, str]:
        entries: dict[str, str] = {}
        if not keys or time.monotonic() < self._read_from:
            return entries
        try:
            store = self._opened()
        except StoreFault as fault:
            self._degrade(fault, reading=True)
            return entries
        for key in keys:
            try:
                entry = store.get(key)
            except StoreFault as fault:
                self._degrade(fault, reading=True)
                if fault.kind != "damaged":
                    break
            else:
                if entry is not None:
                    entries[key] = entry
        return entries

    def _save(self) -> None:
        if not self._unsaved:
            return
        try:
            self._opened().set_many(self._unsaved)
            self._unsaved = {}
        except StoreFault as fault:
            self._degrade(fault, reading=False)

    def _opened(self) -> Store:
        """The store, opened at first use, and again if somebody deleted it in the meantime."""
        if self._store is not None and self._store.is_moved():
            self._warn("the folder was deleted or replaced during the run; starting a new store there")
            self._release()
        if self._store is None:
            from hybridverify.cache.store import open_store  # loads diskcache and SQLite: 40 ms

            self._store = open_store(self.path, self.lock_wait_s)
            self._warn_of_network()
        return self._store

    def _release(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _degrade(self, fault: StoreFault, *, reading: bool) -> None:
        """Note which uses of the file are no longer possible, and warn once."""
        if fault.kind == "busy":
            again = time.monotonic() + RETRY_AFTER_S
            self._write_from = again
            self._read_from = again if reading else self._read_from
            self._warn(f"{fault.reason}; new verdicts are kept in memory and written later")
        elif fault.kind == "damaged" and self._store is not None:
            self._write_from = NEVER  # the other pages may still be readable
            self._warn(f"{fault.reason}; {IN_MEMORY}; `hybridverify cache clear` mends it")
        else:
            self._read_from = self._write_from = NEVER
            self._release()
            self._warn(f"{fault.reason}; {IN_MEMORY}")

    def _warn(self, what: str) -> None:
        if not self._warned:
            self._warned = True
            logger.warning("cache %s: %s", self.path, what)

    def _warn_of_network(self) -> None:
        kind = network_filesystem(self.path)
        if kind:
            logger.warning(
                "cache %s: a %s mount; a second node writing here would damage it", self.path, kind
            )


_LEFT_TO_PARENT: list[object] = []
"""Stores of the parent, kept alive in a forked child: SQLite forbids even closing them there."""
