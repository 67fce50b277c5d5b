"""Two stages over a stream of chunks. The first runs one chunk ahead, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Raw = TypeVar("_Raw")
_Half = TypeVar("_Half")
_Done = TypeVar("_Done")


def overlapped(
    chunks: Iterator[_Raw], first: Callable[[_Raw], _Half], second: Callable[[_Half], list[_Done]]
) -> Iterator[_Done]:
    """Yields the items of `second(first(chunk))` for each chunk, in order and in constant memory.

    >>> list(overlapped(iter(["ab", "c"]), str.upper, list))
    ['A', 'B', 'C']
    """
    with ThreadPoolExecutor(1, thread_name_prefix="hybridverify-rules") as ahead:
        waiting = None
        for chunk in chunks:
            coming = ahead.submit(first, chunk)
            if waiting is not None:
                yield from second(waiting.result())
            waiting = coming
        if waiting is not None:
            yield from second(waiting.result())
