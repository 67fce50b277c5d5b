"""Turns many concurrent single calls into batches, for threads and event loops alike.

Judges and caches are fast in batches, while trainers and servers call for one sample at a time.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

IDLE_S = 10.0
"""Seconds. A thread without work ends after this long, and a later call starts another, so a forgotten batcher costs
nothing."""


class BatcherClosed(RuntimeError):
    """Raised for a call to a batcher that was closed before."""


@dataclass
class _Waiting(Generic[T, R]):
    item: T
    since: float = field(default_factory=time.monotonic)
    future: Future[R] = field(default_factory=Future)


class Batcher(Generic[T, R]):
    """Calls `work` on threads of its own, with the items that came in within `max_wait_s` seconds, up to `max_batch`
    of them.

    >>> with Batcher(lambda words: [word.upper() for word in words]) as batcher:
    ...     batcher.call("yes")
    'YES'

    `work` returns one result an item, in order. What comes in while it runs makes the next batch, so that
    batches grow with the load; up to `max_running` of them run side by side. An exception from `work` goes to
    the callers of that batch alone. A caller that cancels before its batch has begun is left out of it, and
    nobody else notices. In a forked child a batcher starts afresh.
    """

    def __init__(
        self,
        work: Callable[[list[T]], list[R]],
        max_batch: int = 256,
        max_wait_s: float = 0.01,
        max_running: int = 1,
        name: str = "hybridverify-batcher",
    ) -> None:
        if max_batch < 1 or max_running < 1 or not max_wait_s >= 0:
            raise ValueError("max_batch and max_running must be 1 or more, max_wait_s 0 or more")
        self._work = work
        self._max_batch = max_batch
        self._max_wait_s = max_wait_s
        self._max_running = max_running
        self._name = name
        self._closed = False
        self._pid = 0
        self._start_afresh()

    def submit(self, item: T) -> Future[R]:
        """Hand in one item and return at once. Raises BatcherClosed."""
        self._start_afresh()
        with self._changed:
            if self._closed:
                raise BatcherClosed("the batcher is closed")
            if not self._idle:
                self._add_thread()
            waiting: _Waiting[T, R] = _Waiting(item)
            self._queue.append(waiting)
            self._changed.notify()
        return waiting.future

    def call(self, item: T) -> R:
        """Hand in one item and wait for its result. Raises what `work` raised."""
        if threading.current_thread() in self._threads:
            raise RuntimeError("work must not call its own batcher: it would wait for itself")
        future = self.submit(item)
        try:
            return future.result()
        finally:
            future.cancel()  # an interrupted caller gives up its place in the queue

    async def acall(self, item: T) -> R:
        """`call` for callers in an event loop. It may be cancelled."""
        return await asyncio.wrap_future(self.submit(item))

    def close(self) -> None:
        """Finish what was handed in, then end the threads. Later calls raise BatcherClosed."""
        self._start_afresh()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        while others := self._threads - {threading.current_thread()}:
            for thread in others:
                thread.join()

    def __enter__(self) -> Batcher[T, R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start_afresh(self) -> None:
        """Start afresh in a forked process: it has no threads, and the queued items belong to the parent's callers."""
        if self._pid == os.getpid():
            return
        with _STARTING:
            if self._pid != os.getpid():
                self._changed = threading.Condition()
                self._queue: deque[_Waiting[T, R]] = deque()
                self._threads: set[threading.Thread] = set()
                self._idle = 0
                self._pid = os.getpid()

    def _add_thread(self) -> None:
        if len(self._threads) >= self._max_running:
            return
        thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no more threads can be started: those that run will do the work
            if not self._threads:
                raise
        else:
            self._threads.add(thread)

    def _serve(self) -> None:
        while batch := self._take():
            live = [waiting for waiting in batch if waiting.future.set_running_or_notify_cancel()]
            if live:
                self._run(live)

    def _take(self) -> list[_Waiting[T, R]]:
        """The next batch, once it is full or its first item has waited long enough. An empty batch ends the thread."""
        with self._changed:
            self._idle += 1
            try:
                while not self._is_due():
                    if self._queue:
                        self._changed.wait(self._left_s())
                    elif self._closed or not (self._changed.wait(IDLE_S) or self._queue):
                        self._threads.discard(threading.current_thread())
                        return []
                return [self._queue.popleft() for _ in range(min(len(self._queue), self._max_batch))]
            finally:
                self._idle -= 1
                if self._queue and not self._idle:
                    self._add_thread()

    def _is_due(self) -> bool:
        full = len(self._queue) >= self._max_batch
        return full or (bool(self._queue) and (self._closed or self._left_s() <= 0))

    def _left_s(self) -> float:
        return self._queue[0].since + self._max_wait_s - time.monotonic()

    def _run(self, batch: list[_Waiting[T, R]]) -> None:
        try:
            results = list(self._work([waiting.item for waiting in batch]))
            if len(results) != len(batch):
                raise ValueError(f"work gave {len(results)} results for {len(batch)} items")
        except BaseException as error:  # whatever was raised, the callers of this batch wait for it
            for waiting in batch:
                waiting.future.set_exception(_raisable(error))
        else:
            for waiting, result in zip(batch, results, strict=True):
                waiting.future.set_result(result)


def _raisable(error: BaseException) -> BaseException:
    """The error in a form that a future can hold. Event loops refuse StopIteration, so that the caller would wait for
    ever, and a cancellation inside `work` would look like one by the caller."""
    if isinstance(error, (StopIteration, asyncio.CancelledError, CancelledError)):
        wrapped = RuntimeError(f"work raised {type(error).__name__}")
        wrapped.__cause__ = error
        return wrapped
    return error


_STARTING = threading.Lock()
