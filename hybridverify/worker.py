"""One killable worker process: our end of the pipe to it (`Worker`), and what runs at the other end.

The pool that hands out jobs is isolation.py.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from hybridverify.types import Outcome

START_LIMIT_S = 60.0
"""A worker that is not ready by then (its imports take about a second) is given up."""
PATIENCE = 10
"""How many deadlines a job may take on a machine so busy that the worker hardly got any processor time."""
ORPHAN_GRACE_S = 1.0
"""How long after its last moment a job ends its own worker, should nobody be left to kill it."""


@dataclass(frozen=True)
class Interrupted:
    """What stands in the place of a job's result: `timed_out`, `failed` or `undecided`, and why."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True)
class Limits:
    """What one job may use."""

    deadline_s: float
    memory_mb: int


class Worker:
    """A child process, used by one thread at a time. After an interrupted job it may not be `usable`."""

    def __init__(self, limits: Limits) -> None:
        from loky.backend.context import LokyContext

        self.jobs_done = 0
        self.usable = True
        self._limits = limits
        self._cpu_s = -1.0  # processor time up to the last reply; below zero: not ready
        context = LokyContext()  # by its class: joblib puts its own copy of loky behind the name "loky"
        self._pipe, childs_end = context.Pipe()
        try:
            self._process = context.Process(target=_serve, args=(childs_end, limits), daemon=True)
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            childs_end.close()
        # The pool ends its workers itself. multiprocessing's own exit handler would, in a child made by
        # os.fork() that exits normally, terminate the workers of its parent.
        multiprocessing.process._children.discard(self._process)  # type: ignore[attr-defined]

    def start_up(self) -> Interrupted | None:
        """Wait until a job can be taken."""
        try:
            if self._cpu_s >= 0:
                return None
            if self._pipe.poll(START_LIMIT_S):
                self._cpu_s = pickle.loads(self._pipe.recv_bytes())  # noqa: S301  made by our own child
                return None
        except (EOFError, OSError):
            return Interrupted(Outcome.FAILED, f"{self._ending()} while it started")
        self.usable = False
        return Interrupted(Outcome.FAILED, "worker did not start")

    def run(self, job: bytes) -> Any:
        """The result of the job, or an `Interrupted`."""
        self.jobs_done += 1
        try:
            self._pipe.send_bytes(job)
            if not self._replies_in_time():
                self.usable = False
                return Interrupted(Outcome.TIMED_OUT, "deadline exceeded")
            reply = self._pipe.recv_bytes()
        except (EOFError, OSError):
            return Interrupted(Outcome.FAILED, self._ending())
        return self._result(reply)

    def _replies_in_time(self) -> bool:
        for _ in range(PATIENCE):
            if self._pipe.poll(self._limits.deadline_s):
                return True
            if not self._starved():
                break
        return bool(self._pipe.poll(0))  # it may have replied while we looked

    def _starved(self) -> bool:
        """True where the job wants to run and got less than a quarter of its deadline in processor time (Linux)."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            cpu_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return False
        return fields[0] in "RD" and cpu_s - self._cpu_s < self._limits.deadline_s / 4

    def _result(self, reply: bytes) -> Any:
        try:
            worked, value, self._cpu_s = pickle.loads(reply)  # noqa: S301  made by our own child
        except Exception as error:
            return Interrupted(Outcome.FAILED, f"{type(error).__name__} while the result was read")
        if worked:
            return value
        self.usable = value != "MemoryError"  # what filled the memory may still be held
        return Interrupted(Outcome.FAILED, f"{value} in the worker")

    def _ending(self) -> str:
        self.usable = False
        self._process.join(1.0)
        code = self._process.exitcode
        if code is None:
            return "worker stopped answering"
        return f"worker was killed by signal {-code}" if code < 0 else f"worker ended with exit code {code}"

    def exists(self) -> bool:
        """False when the process has ended."""
        return bool(self._process.is_alive())

    def stop(self) -> None:
        """Kill the process, whatever it is doing, and wait for its end."""
        if self._process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._process.join()

    def release(self) -> None:
        """Close our end of the pipe. Only whoever uses the worker may do that: others just `stop` it."""
        self._pipe.close()


def pickled(value: object) -> bytes:
    """loky's pickler sends what a user defined in `__main__` by value: no child runs that script again."""
    from loky.backend.reduction import dumps

    return bytes(dumps(value))


# ---- in the child ----


def _serve(pipe: Connection, limits: Limits) -> None:
    _prepare_child(limits.memory_mb)
    try:
        pipe.send_bytes(pickled(time.process_time()))
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes(), limits.deadline_s))
    except (EOFError, OSError):  # the pool was closed, or the parent is gone
        return


def _prepare_child(memory_mb: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    if hasattr(signal, "setitimer"):  # see `_end_after`; "ignored" would be inherited
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    logging.disable(logging.CRITICAL)  # math-verify logs a trace for whatever it cannot parse
    with contextlib.suppress(Exception):  # a missing parser is reported by the checker that needs it
        from hybridverify.checkers.sympy_tier import warm_up

        warm_up()
    with contextlib.suppress(
        ImportError, ValueError, OSError
    ):  # no `resource` on Windows, a lower hard limit
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 2**20, hard))


def _answer(job: bytes, deadline_s: float) -> bytes:
    _end_after(deadline_s + ORPHAN_GRACE_S, PATIENCE * deadline_s + ORPHAN_GRACE_S)
    try:
        function, item = pickle.loads(job)  # noqa: S301  made by our own parent
        return pickled((True, _function(function)(item), time.process_time()))
    except BaseException as error:  # MemoryError, RecursionError and SystemExit end the job, not the worker
        return pickled((False, type(error).__name__, time.process_time()))
    finally:
        _end_after(0.0, 0.0)


def _end_after(cpu_s: float, wall_s: float) -> None:
    """Let the kernel end this process then, whatever holds the interpreter lock; zeros call it off."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
        signal.setitimer(signal.ITIMER_REAL, wall_s)


@lru_cache(maxsize=8)
def _function(data: bytes) -> Callable[[Any], object]:
    function: Callable[[Any], object] = pickle.loads(data)  # noqa: S301  made by our own parent
    return function
