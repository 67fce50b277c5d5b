"""The event loop and the session of this process: made at first use, closed once, dropped in a forked child."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from hybridverify.judges.backends.openai_counters import Counters
from hybridverify.judges.backends.openai_dialect import Dialect
from hybridverify.judges.backends.openai_loop import LoopThread
from hybridverify.judges.backends.openai_settings import Settings

if TYPE_CHECKING:
    from hybridverify.judges.backends.openai_session import Session

T = TypeVar("T")


class Connections:
    """Runs work on a `Session`, from any thread."""

    def __init__(self, settings: Settings, counters: Counters, dialect: Dialect) -> None:
        self._settings = settings
        self._counters = counters
        self._dialect = dialect
        self._lock = threading.Lock()
        self._live: _Live | None = None
        self._finalizer: weakref.finalize[..., Connections] | None = None
        _ALL.add(self)

    def submit(self, work: Callable[[Session], Coroutine[Any, Any, T]]) -> Future[T]:
        """Start `work(session)` on the loop. The future is cancelled if `close` comes first."""
        with self._lock:
            if self._live is None:
                self._live = _Live(self._settings, self._counters, self._dialect)
                self._finalizer = weakref.finalize(self, self._live.loop.stop)
            return self._live.loop.submit(self._live.run(work))

    @property
    def session(self) -> Session | None:
        live = self._live
        return live.session if live is not None else None

    def close(self) -> None:
        """End the loop and all connections. Later work starts afresh."""
        with self._lock:
            finalizer, self._live, self._finalizer = self._finalizer, None, None
        if finalizer is not None:
            finalizer()

    def _after_fork(self) -> None:
        """Start afresh: a forked child has no thread for the loop, and the sockets belong to its parent."""
        if self._live is not None and self._finalizer is not None:
            self._finalizer.detach()
            # Kept for ever: collecting it would close the parent's sockets, with a warning.
            _ORPHANS.append(self._live)
        self._lock = threading.Lock()
        self._live = self._finalizer = None


class _Live:
    def __init__(self, settings: Settings, counters: Counters, dialect: Dialect) -> None:
        self._settings = settings
        self._counters = counters
        self._dialect = dialect
        self.session: Session | None = None
        self.loop = LoopThread("hybridverify-openai", self._farewell)

    async def run(self, work: Callable[[Session], Coroutine[Any, Any, T]]) -> T:
        if self.session is None:
            # The SDK takes half a second to import: done on this thread, at first use.
            from hybridverify.judges.backends.openai_session import Session

            self.session = Session(self._settings, self._counters, self._dialect)
        return await work(self.session)

    async def _farewell(self) -> None:
        if self.session is not None:
            await self.session.aclose()


_ALL: weakref.WeakSet[Connections] = weakref.WeakSet()
_ORPHANS: list[_Live] = []


def _after_fork() -> None:
    for connections in list(_ALL):
        connections._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
