"""One worker process, from the pool's side: hand it a job, wait as long as its clock allows, then kill it.

The other end of the pipe is child.py.
"""

from __future__ import annotations

import pickle
import signal
from dataclasses import dataclass
from typing import Any

from hybridverify.types import Outcome
from hybridverify.workers.child import ANSWER, CPU_S, KNOWN, NEW, PAUSED, RESUMED, STARTED, pickled
from hybridverify.workers.clock import TICK_S, Clock
from hybridverify.workers.nursery import ENDING_S, Nursery

PROCESSOR, ASLEEP, WALL = "processor time", "time asleep", "wall clock"
"""Which clock ended a job."""


@dataclass(frozen=True)
class Interrupted:
    """The result of a job that was interrupted: `timed_out`, `failed` or `undecided`, and the reason."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True)
class Limits:
    """The limits of one job."""

    deadline_s: float
    memory_mb: int


def timed_out(clock: str) -> Interrupted:
    """The job's deadline has passed by that clock."""
    return Interrupted(Outcome.TIMED_OUT, f"deadline exceeded: {clock}")


class Worker:
    """A child process, used by one thread at a time. After an interrupted job it may not be `usable`."""

    def __init__(self, nursery: Nursery, limits: Limits) -> None:
        self.jobs_done = 0
        self.usable = True
        self._deadline_s = limits.deadline_s
        self._function = b""
        self._pipe, self._process = nursery.worker(limits.deadline_s, limits.memory_mb)

    def run(self, function: bytes, item: Any) -> Any:
        """The result of the pickled function on the item, or an `Interrupted`."""
        try:
            job = pickled((function, item))
        except Exception as error:  # a user's object may raise anything when it is pickled
            return Interrupted(Outcome.FAILED, f"{type(error).__name__} while the job was sent")
        self.jobs_done += 1
        try:
            return self._answer(job, function)
        except (EOFError, OSError):
            return self._ending()

    def _answer(self, job: bytes, function: bytes) -> Any:
        new, self._function = function != self._function, function
        self._pipe.send_bytes((NEW if new else KNOWN) + job)
        clock = Clock(self._process.pid, self._deadline_s, paused=new)
        while not (over := self._wait(clock)):
            message = self._pipe.recv_bytes()
            if message[:1] == ANSWER:
                return self._result(message)
            if message[:1] == STARTED:
                clock.restart()
            elif message[:1] == PAUSED:
                clock.pause()
            elif message[:1] == RESUMED:
                clock.resume()
        self.usable = False
        return timed_out(over)

    def _wait(self, clock: Clock) -> str:
        """Wait for a message. Returns "" if there is one, else the name of the clock that ran out."""
        wait_s = min(self._deadline_s, TICK_S)
        while not self._pipe.poll(wait_s):
            left_s = clock.left_s()
            backstop_left_s = clock.backstop_left_s()
            if min(left_s, backstop_left_s) <= 0:
                if self._pipe.poll(0):  # it may have answered after the last look
                    return ""
                return WALL if left_s > 0 else PROCESSOR if clock.cpu_s > clock.asleep_s else ASLEEP
            wait_s = min(left_s, TICK_S)
        return ""

    def _result(self, message: bytes) -> Any:
        if CPU_S.unpack_from(message, 1)[0] > self._deadline_s:
            return timed_out(PROCESSOR)  # on a busy machine it may end before the next look
        try:
            worked, value = pickle.loads(memoryview(message)[1 + CPU_S.size :])  # noqa: S301  made by our own child
        except Exception as error:
            return Interrupted(Outcome.FAILED, f"{type(error).__name__} while the result was read")
        if worked:
            return value
        self.usable = value != "MemoryError"  # the objects that filled the memory may still be there
        return Interrupted(Outcome.FAILED, f"{value} in the worker")

    def _ending(self) -> Interrupted:
        self.usable = False
        code = self._process.end(ENDING_S)
        if code == -getattr(signal, "SIGPROF", 0):
            return timed_out(PROCESSOR)  # by the kernel's timer, see child.py
        if code == -getattr(signal, "SIGALRM", 0):
            return timed_out(WALL)
        if code is None:
            return Interrupted(Outcome.FAILED, "worker stopped answering")
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Interrupted(Outcome.FAILED, f"worker {how}")

    def exists(self) -> bool:
        """False for an idle worker whose process has ended: its pipe is closed."""
        try:
            return not self._pipe.poll(0)
        except OSError:
            return False

    def stop(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.end()

    def release(self) -> None:
        """Close the pool's end of the pipe. Only the user of the worker may do that; others just `stop` it."""
        self._pipe.close()
