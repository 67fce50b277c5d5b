"""A private event loop on its own thread, so that one async client serves sync and async callers alike.

A caller, in any thread or inside a running loop, hands over a coroutine and waits for its future.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
Farewell = Callable[[], Coroutine[Any, Any, None]]

STOP_WAIT_S = 5.0
"""Seconds that `stop` waits for the thread. A loop that does not end by then dies with the process."""


class LoopThread:
    """Runs coroutines on a daemon thread, until `stop`.

    `farewell` runs last on the loop, when all else is cancelled: the place to close connections.
    """

    def __init__(self, name: str, farewell: Farewell) -> None:
        self._loop = asyncio.new_event_loop()
        arguments = (self._loop, farewell)
        self._thread = threading.Thread(target=_run, args=arguments, name=name, daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start `coroutine` and return at once. Not to be called after `stop`."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """Cancel the running coroutines and end the thread. Waiters see their future cancelled."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread is not threading.current_thread():
            self._thread.join(STOP_WAIT_S)


def _run(loop: asyncio.AbstractEventLoop, farewell: Farewell) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(_wind_up(farewell))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _wind_up(farewell: Farewell) -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await farewell()
    # Transports that were just closed release their sockets in the next turn of the loop.
    await asyncio.sleep(0)
