"""The three kinds of faults of a store on disk. Separate from the store, which loads SQLite."""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["busy", "damaged", "unusable"]
"""`busy`: waiting may help (a lock, a full disk). `damaged`: some pages cannot be read, others can. `unusable`:
nothing can be read or written (no folder, no permission, another program's file)."""


class StoreFault(Exception):
    """Raised by store.py alone. `ScoreCache` and the cache commands never pass it on."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
