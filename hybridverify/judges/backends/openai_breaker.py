"""When to stop asking a judge that keeps failing, so that a dead server costs seconds, not hours."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

BREAK_AFTER = 8
"""Requests that failed in a row, each after its own retries. One answer of any kind starts the count anew."""


@dataclass
class Breaker:
    """Open after `BREAK_AFTER` failures in a row; then every new batch sends one request as a probe.

    After a failed probe it rests for as long as that probe took: a refused connection costs nothing to try
    again, a server that hangs costs its whole time limit.

    >>> breaker = Breaker()
    >>> for _ in range(BREAK_AFTER):
    ...     breaker.failed("the connection to the judge failed")
    >>> breaker.reason
    'gave up on the judge after repeated failures: the connection to the judge failed'
    >>> breaker.succeeded()
    >>> breaker.reason
    ''
    """

    clock: Callable[[], float] = time.monotonic
    reason: str = ""
    """Why nothing is asked; "" while the breaker is closed."""
    failures: int = 0
    rests_until: float = 0.0

    def succeeded(self) -> None:
        self.failures, self.reason, self.rests_until = 0, "", 0.0

    def failed(self, reason: str) -> None:
        self.failures += 1
        if self.failures >= BREAK_AFTER:
            self.reason = f"gave up on the judge after repeated failures: {reason}"

    def probe_failed(self, seconds: float) -> None:
        self.rests_until = self.clock() + seconds

    def resting(self) -> bool:
        return self.clock() < self.rests_until
