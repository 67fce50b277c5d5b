"""Counts and seconds by stage. Safe for several threads."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Mapping

_MANY = 256
"""At most so many additions wait before they are summed."""


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
        self._waiting: deque[tuple[str, Mapping[str, float]]] = deque()

    def add(self, stage: str, **counts: float) -> None:
        """Add to the counters of one stage. Most callers add for a single row, so this takes no lock and sums
        nothing."""
        self._waiting.append((stage, counts))
        if len(self._waiting) > _MANY:
            self._sum()

    def snapshot(self) -> dict[str, Mapping[str, float]]:
        """A copy of all counters."""
        self._sum()
        with self._lock:
            return {stage: dict(counts) for stage, counts in self._counts.items()}

    def _sum(self) -> None:
        with self._lock:
            while self._waiting:  # nobody else takes from it while this thread holds the lock
                stage, counts = self._waiting.popleft()
                counters = self._counts[stage]
                for name, count in counts.items():
                    counters[name] += count
