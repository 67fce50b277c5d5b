"""One thread that makes all calls of an engine, so that a call which hangs can be left behind.

An engine is not safe to be called from several threads, and nothing in Python ends a call from outside.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

LOOKS = 4
"""How often, within the time allowed, a call is looked at for progress."""


class Hung(Exception):
    """A call showed no progress within its time. Its thread may go on; nobody waits for it any more."""


class EngineThread:
    """Runs calls one after the other in a daemon thread of its own."""

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def call(
        self, work: Callable[[], Any], timeout_s: float = 0.0, progress: Callable[[], object] | None = None
    ) -> Any:
        """The result of `work`, or what it raised. Hung where `timeout_s` (0: no bound) passed while what
        `progress` returns stayed the same."""
        future: Future[Any] = Future()
        self._calls.put((future, work))
        if not timeout_s:
            return future.result()
        seen, since = progress() if progress else None, time.monotonic()
        while True:
            try:
                return future.result(timeout_s / LOOKS)
            except FutureTimeout:
                if future.done():  # at the last moment, or a timeout that the work itself raised
                    return future.result()
            now = progress() if progress else None
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since >= timeout_s:
                raise Hung

    def end(self) -> None:
        """Let the thread end after the call that it is in."""
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            future, work = call
            try:
                future.set_result(work())
            except BaseException as error:  # handed to the caller, whatever it is
                future.set_exception(error)
            del future, work, call  # else the last result, with its engine, lives as long as the thread
