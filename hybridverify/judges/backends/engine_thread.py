"""One thread that makes all calls of an engine, so that a call that hangs can be abandoned.

An engine must not be called from several threads, and Python cannot end a call from outside.
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
"""Seconds between two looks at a running call."""


class Hung(Exception):
    """A call made no progress within its time. Its thread may go on, but nobody waits for it any more."""


class EngineGone(Exception):
    """The process that does the work has ended while the call still waits for it."""


class EngineThread:
    """Runs calls one after another in a daemon thread of its own.

    While no call waits, the thread calls `between` again and again, as long as that returns true: an engine's own
    steps, say. `between` is looked at after every call.
    """

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self.between: Callable[[], bool] = idle
        self._lock = threading.Lock()
        self._ended = False
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def start(self, work: Callable[[], Any]) -> Future[Any]:
        """The future of the result of `work`; EngineGone if the thread was ended before."""
        future: Future[Any] = Future()
        with self._lock:  # what came after the end would wait for ever
            if not self._ended:
                self._calls.put((future, work))
                return future
        future.set_exception(EngineGone("it was given up"))
        return future

    def call(
        self,
        work: Callable[[], Any],
        timeout_s: float = 0.0,
        progress: Callable[[], object] = lambda: None,
        gone: Callable[[], bool] = lambda: False,
    ) -> Any:
        """The result of `work`; raises what it raised, and what `watched` raises."""
        return watched(self.start(work), timeout_s, progress, gone)

    def end(self) -> None:
        """Let the thread end after the calls that it has."""
        with self._lock:
            self._ended = True
            self._calls.put(None)

    def _run(self) -> None:
        more = False
        while True:
            try:
                call = self._calls.get(block=not more)
            except queue.Empty:
                more = self.between()
                continue
            if call is None:
                return
            future, work = call
            try:
                future.set_result(work())
            except BaseException as error:  # every error is handed to the caller
                future.set_exception(error)
            # Else the last result, and with it the engine, would live as long as the thread.
            del future, work, call
            more = self.between()


def watched(
    future: Future[Any],
    timeout_s: float = 0.0,
    progress: Callable[[], object] = lambda: None,
    gone: Callable[[], bool] = lambda: False,
) -> Any:
    """The result of the future. Raises Hung if the value of `progress` did not change for `timeout_s` seconds (0: no
    limit), and EngineGone if `gone` is true at two looks in a row."""
    look_s = min(LOOK_S, timeout_s / 4) if timeout_s else LOOK_S
    seen, since, lost = progress(), time.monotonic(), False
    while True:
        try:
            return future.result(look_s)
        except FutureTimeout:
            if future.done():  # it ended at the last moment, or the work itself raised a timeout
                return future.result()
        now, was_lost, lost = progress(), lost, gone()
        if was_lost and lost:
            raise EngineGone("its process has ended")
        if now != seen:
            seen, since = now, time.monotonic()
        elif timeout_s and time.monotonic() - since >= timeout_s:
            raise Hung


def idle() -> bool:
    """Nothing to do between calls."""
    return False
