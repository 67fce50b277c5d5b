"""The interface of every cache, and the caches without a file.

A cache is an optimisation. Whatever happens to it, grading gives the same verdicts. A fault is a miss and one
warning, and verdicts that cannot be written are held in memory for the rest of the run.

Size and age are not limited, and nothing is dropped by itself; `hybridverify cache stats` shows the entries and
`cache prune` removes those you choose. A store belongs to one node. On several nodes, give each a local folder and
join the stores with `cache merge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from hybridverify.cache.content_key import fingerprint, key, keys
from hybridverify.cache.disk import ScoreCache
from hybridverify.cache.entry import storable
from hybridverify.types import Verdict

__all__ = ["Cache", "MemoryCache", "NoCache", "ScoreCache", "fingerprint", "key", "keys"]


@runtime_checkable
class Cache(Protocol):
    """Verdicts by key. Never raises in the middle of a run, and keeps only final verdicts.

    `namespace` is for the caller that makes the keys: `key(stage, identity, payload, cache.namespace)`.
    """

    namespace: str

    def get_many(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """The stored verdicts, marked `cached`. A key that is absent from the result is a miss."""
        ...

    def put_many(self, items: Mapping[str, Verdict], stage: str) -> None:
        """Keep those of `items` that may be stored. Statistics count by `stage` (`rule`, `judge`, `translation`)."""
        ...

    def close(self) -> None: ...


class NoCache:
    """The cache for `cache=None`: every key is a miss and nothing is kept."""

    namespace = ""

    def get_many(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """See `Cache`."""
        return {}

    def put_many(self, items: Mapping[str, Verdict], stage: str) -> None:
        """See `Cache`."""

    def close(self) -> None:
        """Nothing to close."""


class MemoryCache:
    """A cache that lasts as long as the object: for tests and for single runs.

    >>> from hybridverify.types import Outcome
    >>> cache = MemoryCache()
    >>> cache.put_many({"k": Verdict(Outcome.CORRECT, 1.0), "f": Verdict(Outcome.FAILED)}, "judge")
    >>> {name: verdict.cached for name, verdict in cache.get_many(["k", "f", "absent"]).items()}
    {'k': True}
    """

    def __init__(self, namespace: str = "") -> None:
        self.namespace = namespace
        self._verdicts: dict[str, Verdict] = {}

    def get_many(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """See `Cache`."""
        return {name: self._verdicts[name] for name in keys if name in self._verdicts}

    def put_many(self, items: Mapping[str, Verdict], stage: str) -> None:
        """See `Cache`."""
        for name, verdict in items.items():
            if storable(verdict, stage):
                self._verdicts[name] = replace(verdict, cached=True, seconds=0.0)

    def close(self) -> None:
        """Nothing to close; the verdicts stay."""
