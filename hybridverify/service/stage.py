"""Threads that take rows from a fair queue and work on them in batches."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from hybridverify.service.fair import Entry, FairQueue

T = TypeVar("T")

logger = logging.getLogger("hybridverify")


def worked_on(batch: Sequence[T], work: Callable[[Sequence[T]], None]) -> None:
    """Do the work on the rows. What it raises goes into the log: else every later request would wait for ever."""
    try:
        work(batch)
    except Exception:
        logger.exception("a batch of %d rows could not be worked on", len(batch))


class Stage(Generic[T]):
    """Calls `work` with up to `most` rows at a time, of whatever requests they are.

    What comes in while all threads work makes the next batch, so batches grow with the load. `wait_s` is how long the
    first row of a batch waits for others; `whole` is FairQueue.take's. `work` must not raise.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], None],
        most: int,
        grain: int,
        threads: int = 1,
        wait_s: float = 0.0,
        whole: bool = False,
        name: str = "hybridverify-service",
    ) -> None:
        self._work, self._most, self._wait_s, self._whole = work, most, wait_s, whole
        self._queue: FairQueue[T] = FairQueue(grain)
        self._changed = threading.Condition()
        self._closed = False
        self._first_at = 0.0
        self._threads = [
            threading.Thread(target=self._serve, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, items: Iterable[T], entry: Entry[T] | None = None) -> Entry[T]:
        """Hand in rows of one request, behind those that it has in `entry`."""
        with self._changed:
            if not len(self._queue):
                self._first_at = time.monotonic()
            entry = self._queue.push(items, entry)
            self._changed.notify()
        return entry

    def drop(self, entry: Entry[T]) -> int:
        """Take back what of these rows has not been begun. Returns how many that were."""
        with self._changed:
            return self._queue.drop(entry)

    def close(self) -> None:
        """Finish what was handed in, and end the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        while batch := self._take():
            worked_on(batch, self._work)

    def _take(self) -> list[T]:
        """The next batch; an empty one ends the thread."""
        with self._changed:
            while not self._due():
                if len(self._queue):
                    self._changed.wait(self._left_s())
                elif self._closed:
                    return []
                else:
                    self._changed.wait()
            batch = self._queue.take(self._most, self._whole)
            if len(self._queue):
                self._first_at = time.monotonic()
                self._changed.notify()
            return batch

    def _due(self) -> bool:
        waiting = len(self._queue)
        return waiting >= self._most or (waiting > 0 and (self._closed or self._left_s() <= 0))

    def _left_s(self) -> float:
        return self._first_at + self._wait_s - time.monotonic()
