"""Ctrl-C and SIGTERM end a run in order; a second one ends it at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143
_GRACE_S = 8.0  # seconds until requests in flight are given up; by then all finished rows are on disk


class Stopped(BaseException):
    """The process was asked to end. Not an Exception, so that no handler of faults catches it."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def stoppable() -> Iterator[None]:
    """Inside the block, SIGINT and SIGTERM raise Stopped, once. After it they do what they did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    codes = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
    before = {number: signal.getsignal(number) for number in codes}

    def stop(number: int, frame: FrameType | None) -> None:
        for each in codes:
            signal.signal(each, signal.SIG_DFL)
        raise Stopped(codes[signal.Signals(number)])

    for number in codes:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_within_grace(code: int) -> None:
    """End the process even if a thread that waits for a judge would prevent it."""
    timer = threading.Timer(_GRACE_S, os._exit, (code,))
    timer.daemon = True
    timer.start()
