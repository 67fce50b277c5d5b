"""Python's garbage collector while long lists are graded: it runs more seldom.

A list of samples becomes some hundred thousand objects that are kept, none of them in a cycle. The collector looks
at the young ones after every 700 or 2,000 new ones, which took a quarter of the processor time of this side.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 200_000
"""New objects after which the collector runs."""

_lock = threading.Lock()
_inside = 0
_before: tuple[int, int, int] | None = None


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Until the block ends, in all threads that are inside of one, the collector runs more seldom. It is left alone
    where the program has switched it off or made it run as seldom; what the program sets meanwhile stays."""
    global _inside, _before
    with _lock:
        now = gc.get_threshold()
        if not _inside and 0 < now[0] < SELDOM:
            _before = now
            gc.set_threshold(SELDOM, *now[1:])
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside and _before is not None:
                if gc.get_threshold() == (SELDOM, *_before[1:]):
                    gc.set_threshold(*_before)
                _before = None
