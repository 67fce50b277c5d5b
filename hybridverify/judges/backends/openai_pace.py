"""Not more requests a minute than the server's account allows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

MINUTE_S = 60.0


class Pace:
    """Lets one request pass every 60 / `rpm` seconds; 0 lets all pass at once."""

    def __init__(self, rpm: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._between_s = MINUTE_S / rpm if rpm else 0.0
        self._clock = clock
        self._free_at = 0.0

    def wait_s(self) -> float:
        """Take the next place and return the seconds until then.

        >>> pace = Pace(120, clock=lambda: 100.0)
        >>> pace.wait_s(), pace.wait_s(), pace.wait_s()
        (0.0, 0.5, 1.0)
        """
        if not self._between_s:
            return 0.0
        now = self._clock()
        place = max(now, self._free_at)
        self._free_at = place + self._between_s
        return place - now

    async def turn(self) -> None:
        """Wait for the next place."""
        wait_s = self.wait_s()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
