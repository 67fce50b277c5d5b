"""One request at the desk: its rows, their grades, and who is told. And how fast rows are graded."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from hybridverify.errors import HybridVerifyError
from hybridverify.service.fair import Entry
from hybridverify.types import Grade, Sample

LONGEST_RETRY_S = 30

logger = logging.getLogger("hybridverify")


class Full(Exception):
    """There is no room for these rows now. `retry_after_s` is a guess at when there will be."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(retry_after_s)
        self.retry_after_s = retry_after_s


class Job:
    """One request's rows and their grades. Lives in the event loop that made it; threads only fill it."""

    def __init__(self, samples: Sequence[Sample], streams: bool = False) -> None:
        self.samples = samples
        self.grades: list[Grade | None] = [None] * len(samples)
        self.error: HybridVerifyError | None = None
        self.left = len(samples)
        self.fresh: list[int] = []
        """Indices that were graded since the event loop last looked."""
        self.waiting: Entry[Row] = Entry()
        self.open: Entry[Row] = Entry()
        self.over = False
        self._streams = streams
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lock = threading.Lock()

    async def changed(self) -> None:
        """Wait until the request is done, or, where it streams, until rows were graded."""
        await self._news.wait()
        self._news.clear()

    @property
    def done(self) -> bool:
        return self.left == 0 or self.error is not None

    def told(self) -> list[int]:
        """The rows that were graded since this was called last."""
        with self._lock:
            fresh, self.fresh = self.fresh, []
        return fresh

    def deliver(self, graded: Iterable[tuple[int, Grade]]) -> None:
        """Put in the grades of these rows. A row that nobody waits for any more keeps what it has: none is answered
        twice."""
        with self._lock:
            if self.over:
                return
            for index, grade in graded:
                if self.grades[index] is None:
                    self.grades[index] = grade
                    self.left -= 1
                    if self._streams:
                        self.fresh.append(index)

    def fail(self, error: HybridVerifyError) -> None:
        """The whole request cannot be answered."""
        with self._lock:
            self.error = self.error or error

    def wake(self) -> None:
        """Tell the event loop, if there is something that it waits for."""
        if self.done or self._streams:
            try:
                self._loop.call_soon_threadsafe(self._news.set)
            except RuntimeError:  # the loop is closed: the service was stopped by force
                logger.debug("a row was graded after the end of its event loop")


class Row(NamedTuple):
    """One row of a job."""

    job: Job
    at: int


class Rate:
    """Rows graded a second, of late. Time in which no row waited does not count: after a quiet night the first full
    queue would be thought to take hours."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._idle_from: float | None = self._since
        self._rows = 0
        self._per_s = 0.0
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Rows wait from now on."""
        with self._lock:
            if self._idle_from is not None:
                self._since += self._clock() - self._idle_from
                self._idle_from = None

    def rest(self) -> None:
        """No row waits any more."""
        with self._lock:
            self._idle_from = self._clock()

    def count(self, rows: int) -> None:
        """So many were graded."""
        with self._lock:
            if self._idle_from is not None:  # they come too late, and nobody waits for them
                return
            self._rows += rows
            passed = self._clock() - self._since
            if passed >= 1.0:
                self._per_s, self._rows, self._since = self._rows / passed, 0, self._clock()

    def seconds_for(self, rows: int) -> int:
        """How long so many rows will take, in whole seconds."""
        if not self._per_s:
            return 1
        return max(1, min(LONGEST_RETRY_S, math.ceil(rows / self._per_s)))
