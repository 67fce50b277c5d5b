"""The nursery's own process: it imports what jobs need, then forks, ends and waits for workers on request."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from typing import Any

from hybridverify.workers.child import pickled, preload, serve, share

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
Surroundings = tuple[list[str], str, dict[str, str]]
"""Where modules are found, the working folder and the environment."""


def raise_children(control: Connection) -> None:
    ahead = preload()
    children: set[int] = set()
    try:
        control.send_bytes(pickled(may_fork()))
        while True:
            _work_ahead(ahead, control)
            what, arguments = pickle.loads(control.recv_bytes())  # noqa: S301  made by our own parent
            if what == "fork":
                answer: object = _fork(control, *arguments)
                if isinstance(answer, int):
                    children.add(answer)
            elif arguments[0] in children:
                answer = _end(*arguments)
                children.discard(arguments[0])
            else:
                answer = None  # waited for before: the number may belong to another process now
            control.send_bytes(pickled(answer))
    except (EOFError, OSError):  # the pool was closed, or its process is gone
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, KILL)


def _work_ahead(steps: list[Callable[[], object]], control: Connection) -> None:
    """Take steps while there is no request."""
    if not steps:
        return
    while steps and not control.poll(0):
        with contextlib.suppress(Exception):  # a missing parser
            steps.pop(0)()
    share()


def may_fork() -> bool:
    """Whether the process has a single thread. A fork copies one thread and leaves the locks of the others as they
    are."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return True  # without /proc, Python's own count


def _fork(control: Connection, surroundings: Surroundings, *limits: Any) -> int | OSError:
    handle = recv_handle(control)
    try:
        pid = os.fork()
    except OSError as error:
        os.close(handle)
        return error
    if pid:
        os.close(handle)
        return pid
    try:  # the child: it never returns from here
        control.close()
        _move_to(surroundings)
        serve(Connection(handle), *limits)
    finally:
        os._exit(0)


def _move_to(surroundings: Surroundings) -> None:
    sys.path[:], folder, environment = surroundings
    os.environ.clear()
    os.environ.update(environment)
    with contextlib.suppress(OSError):
        os.chdir(folder)


def _end(pid: int, patience_s: float) -> int | None:
    until = time.monotonic() + patience_s
    try:
        while time.monotonic() < until:
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.001)
        os.kill(pid, KILL)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except (ChildProcessError, ProcessLookupError):
        return None


def preload_and_serve(pipe: Connection, deadline_s: float, memory_mb: int) -> None:
    for step in preload():
        with contextlib.suppress(Exception):  # a missing parser
            step()
    serve(pipe, deadline_s, memory_mb)
