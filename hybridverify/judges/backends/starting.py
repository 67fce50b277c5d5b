"""What this process waits for while an engine starts, so that a command can say so, and where the engine's log goes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_lock = threading.Lock()
_starts: list[Start] = []
_listeners: list[Callable[[Start], None]] = []
_log_folder: Path | None = None


@dataclass(frozen=True, eq=False)
class Start:
    """An engine that is starting. `log` is the file that holds its own words, if there is one."""

    what: str
    log: Path | None
    began: float

    def told(self, now: float) -> str:
        """One line.

        >>> Start("vllm to load m", None, 3.0).told(45.5)
        'waiting for vllm to load m (42 s)'
        """
        log = f"; its log: {self.log}" if self.log else ""
        return f"waiting for {self.what} ({now - self.began:.0f} s){log}"

    @property
    def over(self) -> bool:
        """Whether it has started, or failed."""
        return self not in _starts


@contextmanager
def starting(what: str, log: Path | None = None) -> Iterator[None]:
    """Say that the block waits for an engine."""
    start = Start(what, log, time.monotonic())
    with _lock:
        _starts.append(start)
        listeners = list(_listeners)
    try:
        for listener in listeners:
            listener(start)
        yield
    finally:
        with _lock:
            _starts.remove(start)


def waited_for() -> str:
    """What is waited for at present, in one line; "" if nothing is."""
    with _lock:
        return _starts[0].told(time.monotonic()) if _starts else ""


@contextmanager
def listening(listener: Callable[[Start], None]) -> Iterator[None]:
    """Inside the block, `listener` is called when an engine begins to start."""
    with _lock:
        _listeners.append(listener)
    try:
        yield
    finally:
        with _lock:
            _listeners.remove(listener)


@contextmanager
def logs_in(folder: Path) -> Iterator[None]:
    """Inside the block, engines that start here write their logs into files of this folder."""
    global _log_folder
    before, _log_folder = _log_folder, folder
    try:
        yield
    finally:
        _log_folder = before


def log_file(engine: str) -> Path | None:
    """The file for this engine's log; None if nobody asked for one."""
    return _log_folder / f"hybridverify-{engine}-{os.getpid()}.log" if _log_folder is not None else None
