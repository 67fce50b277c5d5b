"""Work on one request in small bites, so that other requests have their turns in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

BITE_S = 0.002
"""Seconds that one request may hold the event loop in one go."""


class Bites:
    """Says when others are due, and lets them go on."""

    def __init__(self, seconds: float = BITE_S, clock: Callable[[], float] = time.perf_counter) -> None:
        self._seconds, self._clock = seconds, clock
        self._end = clock() + seconds

    @property
    def over(self) -> bool:
        """Whether the time of this bite has passed."""
        return self._clock() > self._end

    async def rest(self) -> None:
        """Let everything else on the event loop go on once."""
        await asyncio.sleep(0)
        self._end = self._clock() + self._seconds


async def in_bites(items: Iterable[T], work: Callable[[int, T], U]) -> list[U]:
    """`work(index, item)` for each, with turns for other requests in between."""
    bites, made = Bites(), []
    for at, item in enumerate(items):
        if bites.over:
            await bites.rest()
        made.append(work(at, item))
    return made
