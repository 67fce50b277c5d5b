"""The three ways in which a store on disk lets a run down; apart from the store, which loads SQLite."""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["busy", "damaged", "unusable"]
"""`busy`: waiting may help (a lock, a full disk). `damaged`: some pages cannot be read, others can.
`unusable`: nothing can be read or written here (no folder, no right, another program's file)."""


class StoreFault(Exception):
    """Raised by store.py alone and never past `ScoreCache` or the cache commands."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
