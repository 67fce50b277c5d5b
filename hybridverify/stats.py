"""Counts and seconds per stage, safe to add to from several threads."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping


class Stats:
    """Counters by stage and name.

    >>> stats = Stats()
    >>> stats.add("judge", asked=2, cached=1)
    >>> stats.add("judge", asked=1)
    >>> stats.snapshot()["judge"]["asked"]
    3
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(int))

    def add(self, stage: str, **counts: float) -> None:
        """Add to the counters of one stage."""
        with self._lock:
            counters = self._counts[stage]
            for name, count in counts.items():
                counters[name] += count

    def snapshot(self) -> dict[str, Mapping[str, float]]:
        """A copy of all counters."""
        with self._lock:
            return {stage: dict(counts) for stage, counts in self._counts.items()}
