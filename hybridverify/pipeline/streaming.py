"""Two stages over a stream of chunks, at the same time: each of them works on a chunk of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Raw = TypeVar("_Raw")
_Half = TypeVar("_Half")
_Done = TypeVar("_Done")


def overlapped(
    chunks: Iterator[_Raw],
    first: Callable[[_Raw], _Half],
    second: Callable[[_Half], list[_Done]],
    at_once: int = 1,
) -> Generator[_Done, None, None]:
    """Yields the items of `second(first(chunk))` for each chunk, in order and in constant memory.

    The first stage takes one chunk after another, in a thread of its own. The second takes up to `at_once` chunks at
    a time, in threads if there are several.

    >>> list(overlapped(iter(["ab", "c"]), str.upper, list))
    ['A', 'B', 'C']
    """
    with ThreadPoolExecutor(1, thread_name_prefix="hybridverify-rules") as ahead:
        halves = (ahead.submit(first, chunk) for chunk in chunks)
        if at_once > 1:
            yield from _side_by_side(halves, second, at_once)
            return
        waiting = None
        for coming in halves:
            if waiting is not None:
                yield from second(waiting.result())
            waiting = coming
        if waiting is not None:
            yield from second(waiting.result())


def _side_by_side(
    halves: Iterator[Future[_Half]], second: Callable[[_Half], list[_Done]], at_once: int
) -> Iterator[_Done]:
    with ThreadPoolExecutor(at_once, thread_name_prefix="hybridverify-judging") as threads:
        begun: deque[Future[list[_Done]]] = deque()
        for half in halves:
            begun.append(threads.submit(lambda half=half: second(half.result())))  # type: ignore[misc]
            if len(begun) > at_once:
                yield from begun.popleft().result()
        while begun:
            yield from begun.popleft().result()
