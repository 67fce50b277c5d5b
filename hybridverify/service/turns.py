"""Work in small bites on the event loop itself, taking turns with everything else that the loop does.

Threads would not make it faster, since one interpreter runs one of them at a time, and each answer would wait for its
thread to be given a turn.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from hybridverify.service.fair import Entry, FairQueue
from hybridverify.service.stage import worked_on

T = TypeVar("T")

TURN_S = (0.001, 0.003)
"""Seconds of work until the loop looks for requests, at least and at most."""
BITE_S = 0.002
"""Seconds of processor time that one bite may take, as far as can be told from the rows before: rows of algebra cost a
hundred times what a plain number costs."""
WORK_PER_LOOK = 10
"""To look costs a call of the system, which in a sandbox takes longer than a row. A turn is so many times longer."""


class Turns(Generic[T]):
    """Calls `work` with the next rows of a fair queue, at most `bite` of them at a time, as long as there are any.

    For the event loop alone. Has the methods of a Stage.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], None],
        bite: int,
        processor_time: Callable[[], float] = time.thread_time,
    ) -> None:
        self._work, self._bite, self._processor_time = work, bite, processor_time
        self._row_s = 0.0
        self._queue: FairQueue[T] = FairQueue(bite)
        self._running: asyncio.Task[None] | None = None
        self._turn_s = TURN_S[0]
        self.heard = False
        """Whether something was read from a client since the last look. Set by whoever reads."""
        self._looks: deque[float] = deque(maxlen=64)

    def add(self, items: Iterable[T], entry: Entry[T] | None = None) -> Entry[T]:
        """Hand in rows of one request, behind those that it has in `entry`."""
        entry = self._queue.push(items, entry)
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())
        return entry

    def drop(self, entry: Entry[T]) -> int:
        """Take back what of these rows has not been begun. Returns how many that were."""
        return self._queue.drop(entry)

    def close(self) -> None:
        """There is nothing to end: without rows nothing runs."""

    async def _run(self) -> None:
        begin = time.perf_counter()
        try:
            while batch := self._queue.take(self._rows(), whole=True):
                self._bite_off(batch)
                if (now := time.perf_counter()) - begin >= self._turn_s:
                    await self._look()
                    begin = time.perf_counter()
                    self._looked(begin - now)
        finally:
            self._running = None

    def _rows(self) -> int:
        """How many rows the next bite may have."""
        return max(1, min(self._bite, int(BITE_S / self._row_s))) if self._row_s else self._bite

    def _bite_off(self, batch: Sequence[T]) -> None:
        begin = self._processor_time()
        worked_on(batch, self._work)
        row_s = (self._processor_time() - begin) / len(batch)
        self._row_s = max(row_s, 0.75 * self._row_s)  # costly rows often come together

    async def _look(self) -> None:
        """Let the loop do what waits. Its callbacks run in the order in which they were found, so that a request that
        came meanwhile is read in the second round, and answered in the third."""
        self.heard = False
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if self.heard:
            await asyncio.sleep(0)

    def _looked(self, seconds: float) -> None:
        """The shortest of the last looks found nothing to do: that is what a look costs."""
        self._looks.append(seconds)
        least, most = TURN_S
        self._turn_s = max(least, min(most, WORK_PER_LOOK * min(self._looks)))
