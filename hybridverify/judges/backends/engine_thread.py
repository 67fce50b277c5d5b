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

LOOK_S = 1.0
"""How often a call is looked at."""


class Hung(Exception):
    """A call showed no progress within its time. Its thread may go on; nobody waits for it any more."""


class EngineGone(Exception):
    """The process that does the work has ended, and the call waits for it still."""


class EngineThread:
    """Runs calls one after the other in a daemon thread of its own."""

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def call(
        self,
        work: Callable[[], Any],
        timeout_s: float = 0.0,
        progress: Callable[[], object] = lambda: None,
        gone: Callable[[], bool] = lambda: False,
    ) -> Any:
        """The result of `work`, or what it raised. Hung where `timeout_s` (0: no bound) passed while what
        `progress` returns stayed the same; EngineGone where `gone` at two looks in a row."""
        future: Future[Any] = Future()
        self._calls.put((future, work))
        look_s = min(LOOK_S, timeout_s / 4) if timeout_s else LOOK_S
        seen, since, lost = progress(), time.monotonic(), False
        while True:
            try:
                return future.result(look_s)
            except FutureTimeout:
                if future.done():  # at the last moment, or a timeout that the work itself raised
                    return future.result()
            now, was_lost, lost = progress(), lost, gone()
            if was_lost and lost:
                raise EngineGone("its process has ended")
            if now != seen:
                seen, since = now, time.monotonic()
            elif timeout_s and time.monotonic() - since >= timeout_s:
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
