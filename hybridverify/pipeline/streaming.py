"""Two stages over a stream of chunks, at the same time: each of them works on a chunk of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Raw = TypeVar("_Raw")
_Half = TypeVar("_Half")
_Done = TypeVar("_Done")


def chunk_ends(total: int, most: int, least: int = 128) -> Iterator[int]:
    """Where the chunks of a list begin and end. The first are small, so that the second stage starts soon; so are the
    last, so that little is left to do when it has finished.

    >>> list(chunk_ends(2048, 512))
    [0, 128, 384, 896, 1408, 1728, 1888, 2016, 2048]
    """
    end, size = 0, least
    yield end
    while end < total:
        left = total - end
        end += min(left, size, max(least, left // 2))
        size = min(2 * size, most)
        yield end


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
