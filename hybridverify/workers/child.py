"""The code of a worker process: it takes jobs from its pipe and answers until the pipe closes.

Messages to the parent begin with one byte: STARTED (a new function is unpickled, the job itself begins), PAUSED and
RESUMED (around an import, which does not count as work of the job), ANSWER (its processor time and the pickled result
follow).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import logging
import pickle
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any

from hybridverify.workers.clock import START_LIMIT_S, backstop_s

NEW, KNOWN = b"n", b"k"
"""The first byte of a job: whether this worker sees its function for the first time."""
STARTED, PAUSED, RESUMED, ANSWER = b"s", b"p", b"r", b"a"
CPU_S = struct.Struct("d")
BACKSTOP_GRACE_S = 5.0
"""Seconds after the backstop at which the kernel ends a job, in case no process is left to kill the worker."""
NOT_COUNTING = (0.0, START_LIMIT_S + BACKSTOP_GRACE_S)
"""No limit of processor time, and the wall limit for steps that are not part of a job."""


def pickled(value: object) -> bytes:
    """loky's pickler sends a user's definitions in `__main__` by value, so no child runs that script again."""
    from loky.backend.reduction import dumps

    return bytes(dumps(value))


def preload() -> list[Callable[[], object]]:
    """Import what jobs need. Returns steps that save later jobs more time, to be taken while nobody waits.

    From here on nothing is printed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    if hasattr(signal, "setitimer"):  # see `_Timers`; "ignored" would be inherited
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    logging.disable(logging.CRITICAL)  # math-verify logs a traceback for every text that it cannot parse
    sys.unraisablehook = lambda _: None  # a proof may be interrupted within a destructor
    try:
        from hybridverify.rules.sympy_tier import prepare_worker

        return prepare_worker()
    except Exception:  # the checker that needs a missing parser reports it
        return []
    finally:
        share()


def share() -> None:
    """Exclude all present objects from garbage collection, so that a child's collections do not write to shared
    memory."""
    gc.collect()
    gc.freeze()


def serve(pipe: Connection, deadline_s: float, memory_mb: int) -> None:
    """Answer jobs until the pool closes the pipe or is gone."""
    _cap_memory(memory_mb)
    desk = _Desk(pipe, deadline_s)
    with contextlib.suppress(EOFError, OSError), _imports_told(desk):
        while True:
            desk.answer(pipe.recv_bytes())


class _Desk:
    """Runs one job at a time, and tells the parent when the job's clock runs."""

    def __init__(self, pipe: Connection, deadline_s: float) -> None:
        self._pipe = pipe
        self._timers = _Timers(deadline_s)
        self._imports = 0
        self._imported_s = 0.0

    def answer(self, message: bytes) -> None:
        self._imported_s, begin = 0.0, time.process_time()
        try:
            self._timers.start(counting=message[:1] == KNOWN)
            function, item = pickle.loads(memoryview(message)[1:])  # noqa: S301  made by our own parent
            call = _function(function)
            if message[:1] == NEW:
                self._timers.start()
                self._imported_s, begin = 0.0, time.process_time()
                self._pipe.send_bytes(STARTED)
            reply = pickled((True, call(item)))
        except (
            BaseException
        ) as error:  # MemoryError, RecursionError and SystemExit end the job, not the worker
            reply = pickled((False, type(error).__name__))
        finally:
            self._timers.stop()
        cpu_s = time.process_time() - begin - self._imported_s
        self._pipe.send_bytes(ANSWER + CPU_S.pack(cpu_s) + reply)

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """Around an import. An import within another changes nothing."""
        if self._imports or not self._timers.counting:
            yield
            return
        self._imports, begin = 1, time.process_time()
        left = self._timers.pause()
        self._pipe.send_bytes(PAUSED)
        try:
            yield
        finally:
            self._imports = 0
            self._imported_s += time.process_time() - begin
            self._pipe.send_bytes(RESUMED)
            self._timers.resume(left)


class _Timers:
    """The kernel's timers. They end this process even if it holds the interpreter lock or no parent is left to kill
    it."""

    def __init__(self, deadline_s: float) -> None:
        self._deadline_s = deadline_s
        self._backstop_s = backstop_s(deadline_s) + BACKSTOP_GRACE_S
        self._known = hasattr(signal, "setitimer")
        self.counting = False

    def start(self, counting: bool = True) -> None:
        """Start both timers anew. If not `counting`, only the wall clock runs, as in a pause."""
        self.counting = counting
        self._set(*((self._deadline_s, self._backstop_s) if counting else NOT_COUNTING))

    def stop(self) -> None:
        self.counting = False
        self._set(0.0, 0.0)

    def pause(self) -> tuple[float, float]:
        """Stop the deadline. Returns the rest of it, and of the wall backstop."""
        if not self._known:
            return 0.0, 0.0
        left = signal.getitimer(signal.ITIMER_PROF)[0], signal.getitimer(signal.ITIMER_REAL)[0]
        self._set(*NOT_COUNTING)
        return left

    def resume(self, left: tuple[float, float]) -> None:
        self._set(*left)

    def _set(self, cpu_s: float, wall_s: float) -> None:
        if self._known:
            signal.setitimer(signal.ITIMER_PROF, cpu_s)
            signal.setitimer(signal.ITIMER_REAL, wall_s)


@contextlib.contextmanager
def _imports_told(desk: _Desk) -> Iterator[None]:
    """Stop the job's clock while a module is loaded: whether it has to be loaded depends on earlier jobs of this
    process.

    Every way of importing calls `_find_and_load` for a module that is not loaded yet, and only then. In an
    interpreter without this function, imports count.
    """
    loader: Any = getattr(importlib, "_bootstrap", None)
    load = getattr(loader, "_find_and_load", None)
    if load is None:
        yield
        return

    def find_and_load(*args: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return load(*args)
        with desk.importing():
            return load(*args)

    loader._find_and_load = find_and_load
    try:
        yield
    finally:
        loader._find_and_load = load


def _cap_memory(memory_mb: int) -> None:
    # no `resource` on Windows; the hard limit may be lower
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 2**20, hard))


@lru_cache(maxsize=8)
def _function(data: bytes) -> Callable[[Any], object]:
    function: Callable[[Any], object] = pickle.loads(data)  # noqa: S301  made by our own parent
    return function
