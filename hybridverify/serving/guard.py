"""Runs an engine as its child and leaves no process of it running, whatever happens to the process that asked.

A script of its own, run with `-I`, because only another process can notice that its parent was killed. It imports
nothing of the library, so that it starts in milliseconds and stays small.

    python -I guard.py PARENT_PID GRACE_S COMMAND...
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

_POLL_S = 0.1
_AFTER_KILL_S = 5.0  # a process inside the kernel may not die at once, and waiting for ever does not help
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
NOT_STARTED = 127


class Guard:
    """One engine. It ends when the engine ends, when it is told to (SIGTERM), or when its parent is gone."""

    def __init__(self, parent: int, grace_s: float) -> None:
        self._parent = parent
        self._grace_s = grace_s
        self._told = False
        self._engine = 0
        self._code: int | None = None

    def run(self, command: Sequence[str]) -> int:
        """The engine's exit code; 128 + the signal if a signal ended it."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._tell)
        _prctl(
            _PR_SET_CHILD_SUBREAPER, 1
        )  # the engine's orphans become children of this process: found and reaped
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=lambda: _prctl(
                    _PR_SET_PDEATHSIG, signal.SIGTERM
                ),  # in case this process itself is killed
            )
        except OSError as error:
            sys.stderr.write(f"{command[0]}: {error.strerror}\n")
            return NOT_STARTED
        self._engine = process.pid  # reaped here with all others, never through `process`
        while self._code is None and not self._told and os.getppid() == self._parent:
            time.sleep(_POLL_S)
            self._reap()
        self._end()
        code = self._code if self._code is not None else -signal.SIGKILL
        return code if code >= 0 else 128 - code

    def _tell(self, number: int, frame: FrameType | None) -> None:
        self._told = True

    def _end(self) -> None:
        """Send TERM to the whole group, wait, then KILL every process that is left, in whatever group it is."""
        _signal_group(self._engine, signal.SIGTERM)
        self._wait_until_gone(self._grace_s, kill=False)
        self._wait_until_gone(_AFTER_KILL_S, kill=True)

    def _wait_until_gone(self, limit_s: float, kill: bool) -> None:
        deadline = time.monotonic() + limit_s
        while self._any_left() and time.monotonic() < deadline:
            if kill:
                _signal_group(self._engine, signal.SIGKILL)
                for orphan in _children():
                    _signal(orphan, signal.SIGKILL)
            time.sleep(_POLL_S / 2)

    def _any_left(self) -> bool:
        self._reap()
        return self._code is None or bool(_children()) or _signal_group(self._engine, 0)

    def _reap(self) -> None:
        """Take the exit status of the engine and of every orphan: no other process would."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid == self._engine:
                self._code = os.waitstatus_to_exitcode(status)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _children() -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []  # Send the signal to the group. Returns whether it still has a process.


def _signal_group(group: int, number: int) -> bool:
    """Whether there is still a process in the group."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        return False
    return True


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    sys.exit(Guard(int(sys.argv[1]), float(sys.argv[2])).run(sys.argv[3:]))
