"""When to stop asking a judge that keeps failing, so that a dead server costs seconds, not hours."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from hybridverify.errors import Fault

BREAK_AFTER = 8
"""This many requests have to fail in a row, each after its own retries. Any answer starts the count afresh."""
REFUSES_ALL_AFTER = 32
"""This many requests have to be refused in a row by a server that has never answered one. Then the rows are not to
blame."""


@dataclass
class Breaker:
    """Opens after `BREAK_AFTER` failures in a row. Then every new batch first sends one request as a probe.

    After a failed probe it rests for as long as the probe took: a refused connection costs nothing to try again, a
    server that hangs costs its whole time limit.

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
    fault: Fault = Fault.ENGINE
    failures: int = 0
    refusals: int = 0
    answered: bool = False
    """Whether any request was ever answered."""
    rests_until: float = 0.0

    def succeeded(self) -> None:
        self.answered = True
        self.failures, self.refusals, self.reason, self.rests_until = 0, 0, "", 0.0

    def failed(self, reason: str, fault: Fault = Fault.ENGINE) -> None:
        self.failures += 1
        if self.failures >= BREAK_AFTER:
            self._open(reason, fault)

    def refused(self, reason: str) -> None:
        """Count a body that the server refused because of its content. The server is there, so this is no failure of
        its own."""
        self.refusals += 1
        if not self.answered and self.refusals >= REFUSES_ALL_AFTER:
            self._open(reason, Fault.SETTINGS)
        else:
            self.failures, self.reason, self.rests_until = 0, "", 0.0

    def _open(self, reason: str, fault: Fault) -> None:
        self.reason, self.fault = f"gave up on the judge after repeated failures: {reason}", fault

    def probe_failed(self, seconds: float) -> None:
        self.rests_until = self.clock() + seconds

    def resting(self) -> bool:
        return self.clock() < self.rests_until
