"""The nursery: a process that has imported what jobs need, and forks a worker on request.

Forking is safe there because the process has one thread and runs no code of the user's. If it cannot fork (Windows,
or an import started a thread), each worker is a process of its own that imports everything anew.

The nursery waits for its children, so that the number of an ended process is not given to another before the pool has
asked how it ended. When the pool's process is gone, the nursery kills its children and ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing.process
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from typing import Any, Protocol

from hybridverify.workers.child import pickled
from hybridverify.workers.clock import START_LIMIT_S
from hybridverify.workers.forking import KILL, Surroundings, preload_and_serve, raise_children

ENDING_S = 1.0
"""Seconds to wait for the exit code of a process whose pipe has closed."""


class StartFailed(OSError):
    """A process did not start. The text says how it ended."""


class Process(Protocol):
    """A worker process as its pool sees it."""

    pid: int

    def end(self, patience_s: float = 0.0) -> int | None:
        """Kill it, after `patience_s` unless it ends by itself. Returns the exit code, or None if it is unknown."""


class Nursery:
    """The pool's end of the nursery. Starting takes a second, in its own process: only the first `worker` waits for
    it."""

    def __init__(self) -> None:
        self._control, far = _context().Pipe()
        with contextlib.ExitStack() as undo:
            undo.callback(self._control.close)
            with far:
                self._process = _started(raise_children, far, env={"PYTHONHASHSEED": "0"})
            undo.pop_all()
        self._lock = threading.Lock()
        self._forks: bool | None = None

    def worker(self, deadline_s: float, memory_mb: int) -> tuple[Connection, Process]:
        """The pipe and the process of a new worker. Raises OSError if none can be started."""
        near, far = _context().Pipe()
        with contextlib.ExitStack() as undo:
            undo.callback(near.close)
            with far:
                process = self._process_at(far, deadline_s, memory_mb)
            undo.pop_all()
        return near, process

    def _process_at(self, far: Connection, deadline_s: float, memory_mb: int) -> Process:
        """A new process at the far end of a pipe."""
        try:
            with self._lock:
                if self._can_fork():
                    pid = self._ask("fork", (_surroundings(), deadline_s, memory_mb), far)
                    return _Forked(pid, self)
        except EOFError as error:
            raise StartFailed(f"the process that starts workers {self._ending()}") from error
        return _Spawned(far, deadline_s, memory_mb)

    def exit_code(self, pid: int, patience_s: float) -> int | None:
        """The exit code of a worker, which is killed after `patience_s` unless it ends by itself."""
        try:
            with self._lock:
                code: int | None = self._ask("end", (pid, patience_s))
                return code
        except (EOFError, OSError):
            return None  # the nursery is gone, and its children with it

    def exists(self) -> bool:
        """Whether the process is alive."""
        return bool(self._process.is_alive())

    def close(self) -> None:
        """End the nursery, and with it all its workers."""
        _kill(self._process)
        self._control.close()

    def forget(self) -> None:
        """Drop it in a forked child: the parent still uses it."""
        self._control.close()

    def _can_fork(self) -> bool:
        if self._forks is None:
            if not self._control.poll(START_LIMIT_S):
                raise StartFailed("the process that starts workers did not come up")
            self._forks = bool(pickle.loads(self._control.recv_bytes()))  # noqa: S301  made by our own child
        return self._forks

    def _ask(self, what: str, arguments: tuple[Any, ...], handed: Connection | None = None) -> Any:
        self._control.send_bytes(pickled((what, arguments)))
        if handed is not None:
            send_handle(self._control, handed.fileno(), self._process.pid)
        answer = pickle.loads(self._control.recv_bytes())  # noqa: S301  made by our own child
        if isinstance(answer, OSError):
            raise answer
        return answer

    def _ending(self) -> str:
        self._process.join(ENDING_S)
        return f"ended with exit code {self._process.exitcode}"


class _Forked:
    """A worker that is a child of the nursery."""

    def __init__(self, pid: int, nursery: Nursery) -> None:
        self.pid = pid
        self._nursery = nursery

    def end(self, patience_s: float = 0.0) -> int | None:
        return self._nursery.exit_code(self.pid, patience_s)


class _Spawned:
    """A worker that is a process of its own."""

    def __init__(self, pipe: Connection, deadline_s: float, memory_mb: int) -> None:
        self._process = _started(preload_and_serve, pipe, deadline_s, memory_mb)
        self.pid = int(self._process.pid)

    def end(self, patience_s: float = 0.0) -> int | None:
        self._process.join(patience_s)
        _kill(self._process)
        code: int | None = self._process.exitcode
        return code


def _surroundings() -> Surroundings:
    """The settings of this process now: they may have changed since the nursery was started."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        folder = ""
    return list(sys.path), folder, dict(os.environ)


def _context() -> Any:
    from loky.backend.context import LokyContext

    return LokyContext()  # by its class: joblib registers its own copy of loky under the name "loky"


def _started(target: Any, *args: Any, env: dict[str, str] | None = None) -> Any:
    process = _context().Process(target=target, args=args, daemon=True, env=env)
    with _allowed_while_importing():
        process.start()
    # The library ends its processes itself. multiprocessing's exit handler would, in a child of os.fork() that exits
    # normally, terminate the parent's.
    multiprocessing.process._children.discard(process)  # type: ignore[attr-defined]
    return process


@contextlib.contextmanager
def _allowed_while_importing() -> Iterator[None]:
    """A process that multiprocessing has spawned may start no other while it imports its script, because a child of
    it might run the script again. Ours never do, and scripts make their verifiers at the top."""
    current: Any = multiprocessing.process.current_process()
    importing = getattr(current, "_inheriting", False)
    if importing:
        current._inheriting = False
    try:
        yield
    finally:
        if importing:
            current._inheriting = True


def _kill(process: Any) -> None:
    """Kill it, whatever it is doing, and wait for its end."""
    if process.is_alive():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, KILL)
    process.join()
