"""A queue of rows in which a short request is not held up by a long one.

Weighted fair queueing: every entry has a tag, and the lowest tag is served first. A tag is the queue's virtual time at
the entry's arrival, plus its own rows up to the end of the next grain. Virtual time is the rows that each waiting
request would have been served if all were served alike. A single row that comes after ten thousand rows of others is
so the next one, and long requests still advance whatever else comes in.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Entry(Generic[T]):
    """The rows of one request that are still waiting."""

    def __init__(self) -> None:
        self.items: deque[T] = deque()
        self.tag = 0.0
        self.placed = False


class FairQueue(Generic[T]):
    """Rows of many requests. Not safe for threads by itself: its owner has a lock.

    >>> queue = FairQueue(grain=2)
    >>> _ = queue.push("aaaaaa"), queue.push("b")
    >>> queue.take(3), queue.take(10)
    (['b', 'a', 'a'], ['a', 'a', 'a', 'a'])
    >>> _ = queue.push("aaaaaa"), queue.push("b")
    >>> queue.take(3, whole=True), queue.take(3, whole=True)
    (['b'], ['a', 'a'])
    """

    def __init__(self, grain: int) -> None:
        self._grain = grain
        self._heap: list[tuple[float, int, Entry[T]]] = []
        self._numbers = itertools.count()
        self._now = 0.0
        self._waiting = 0

    def push(self, items: Iterable[T], entry: Entry[T] | None = None) -> Entry[T]:
        """Add rows of one request, behind those that it has in `entry`."""
        entry = entry or Entry()
        before = len(entry.items)
        entry.items.extend(items)
        self._waiting += len(entry.items) - before
        if not entry.placed:
            entry.tag = max(entry.tag, self._now)
            self._place(entry)
        return entry

    def take(self, most: int, whole: bool = False) -> list[T]:
        """The next rows, at most so many. With `whole`, they are all that is left of several requests, or a grain of
        one: no short request waits for rows of a long one that came along."""
        taken: list[T] = []
        while self._heap and len(taken) < most:
            if taken and whole and len(self._heap[0][2].items) > min(self._grain, most - len(taken)):
                break
            count = min(self._grain, most - len(taken), len(self._heap[0][2].items))
            self._now += count / len(self._heap)
            _, _, entry = heapq.heappop(self._heap)
            taken += [entry.items.popleft() for _ in range(count)]
            self._place(entry)
            if whole and entry.placed:
                break
        self._waiting -= len(taken)
        return taken

    def drop(self, entry: Entry[T]) -> int:
        """Forget the waiting rows of a request. Returns how many there were."""
        count = len(entry.items)
        entry.items.clear()
        self._waiting -= count
        return count

    def __len__(self) -> int:
        return self._waiting

    def _place(self, entry: Entry[T]) -> None:
        entry.placed = bool(entry.items)
        if entry.placed:
            entry.tag += min(self._grain, len(entry.items))
            heapq.heappush(self._heap, (entry.tag, next(self._numbers), entry))
