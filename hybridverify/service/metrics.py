"""What Prometheus reads: requests, rows, waiting rows, and the verifier's own counters."""

from __future__ import annotations

import os
import re
from collections import Counter as Count
from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from hybridverify.types import Grade

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client is told, before its import, that several processes count together."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The counters of a service. Where several processes serve, any of them tells the sum."""

    def __init__(self) -> None:
        self._own = CollectorRegistry()
        self._requests = Counter(
            "hybridverify_requests", "Requests by path and status.", ["path", "status"], registry=self._own
        )
        self._seconds = Histogram(
            "hybridverify_request_seconds",
            "Seconds a request took.",
            ["path"],
            registry=self._own,
            buckets=SECONDS,
        )
        self._rows = Counter(
            "hybridverify_rows", "Rows answered, by outcome.", ["outcome"], registry=self._own
        )
        self._ungraded = Counter(
            "hybridverify_rows_ungraded", "Rows answered without a grade.", registry=self._own
        )
        self._waiting = Gauge(
            "hybridverify_rows_held",
            "Rows accepted and not answered yet.",
            registry=self._own,
            multiprocess_mode="livesum",
        )
        self._stages: dict[str, Counter] = {}
        self._before: dict[str, float] = {}

    def request(self, path: str, status: int, seconds: float) -> None:
        """One request was answered."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def rows(self, grades: Iterable[Grade | None]) -> None:
        """These rows were answered."""
        counts: Count[str] = Count()
        ungraded = 0
        for grade in grades:
            if grade is not None:
                counts[grade.outcome.value] += 1
                ungraded += not grade.graded
        for outcome, count in counts.items():
            self._rows.labels(outcome).inc(count)
        if ungraded:
            self._ungraded.inc(ungraded)

    def waiting(self, rows: int) -> None:
        self._waiting.set(rows)

    def stats(self, stats: Mapping[str, Mapping[str, float]]) -> None:
        """`Verifier.stats`, as counters: what was added since the last call."""
        for stage in ("rules", "judge"):
            for name, value in stats.get(stage, {}).items():
                self._count(f"hybridverify_{stage}_{re.sub(r'[^a-z0-9_]', '_', name.lower())}", float(value))

    def text(self) -> bytes:
        """The page that Prometheus reads."""
        if not os.environ.get(FOLDER):
            return generate_latest(self._own)
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared)

    def _count(self, name: str, value: float) -> None:
        grown = value - self._before.get(name, 0.0)
        if grown <= 0:
            return
        if name not in self._stages:
            self._stages[name] = Counter(name, "A counter of Verifier.stats.", registry=self._own)
        self._stages[name].inc(grown)
        self._before[name] = value
