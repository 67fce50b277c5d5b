"""How much of its deadline a job has used: its processor time, and the time that it slept by itself.

Time in the run queue, throttled, stopped or waiting for a disk does not count: it depends on the machine's load and
not on the job. Linux tells all this in /proc. Elsewhere only the kernel's timer for processor time (see `child.py`)
and the wall backstop end a job.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

BACKSTOP_S = 20.0
BACKSTOP_DEADLINES = 20
"""Of wall time a job may take the larger of the two. For workers that are lost, or get no processor time."""
START_LIMIT_S = 120.0
"""The same for steps that are not part of a job and take about a second: starting a process, unpickling, an import."""
TICK_S = 0.05
"""Seconds between two looks at a running job. Its state then stands for the time since the last look."""
ASLEEP = "S"


def backstop_s(deadline_s: float) -> float:
    """Seconds of wall time after which a job is given up."""
    return max(BACKSTOP_S, BACKSTOP_DEADLINES * deadline_s)


@dataclass(frozen=True)
class Reading:
    """The kernel's figures for a process: seconds, and the state of its threads."""

    wall_s: float
    cpu_s: float
    queued_s: float
    state: str


def read(process_id: int) -> Reading | None:
    """The process at this moment; None if the system does not tell."""
    wall_s = time.monotonic()
    try:
        threads = list(Path(f"/proc/{process_id}/task").iterdir())
        stats = [(thread / "stat").read_text().rpartition(")")[2].split() for thread in threads]
        process = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
        cpu_s = (int(process[11]) + int(process[12])) / os.sysconf("SC_CLK_TCK")
        states = [fields[0] for fields in stats]
    except (OSError, IndexError, ValueError):
        return None
    return Reading(wall_s, cpu_s, sum(map(_queued_s, threads)), _together(states))


def _queued_s(thread: Path) -> float:
    """Seconds in the run queue; 0 if the kernel does not count them."""
    try:
        return int((thread / "schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _together(states: list[str]) -> str:
    """One state for all threads: asleep only if every thread sleeps."""
    return next((state for state in states if state != ASLEEP), ASLEEP)


class Clock:
    """The deadline of one job in the process `process_id`. `left_s` may be called at any time.

    It counts from the first look on. Most jobs end before that, and a look costs more than they do. The kernel's
    timer counts all their processor time in any case. Pausing is for imports, whose time depends on earlier jobs of
    the process and on the disk.
    """

    def __init__(self, process_id: int, deadline_s: float, paused: bool = False) -> None:
        self.deadline_s = deadline_s
        self._id = process_id
        self.restart()
        if paused:
            self.pause()

    def restart(self) -> None:
        """Start anew: only now the job itself runs."""
        self.cpu_s = self.asleep_s = 0.0
        self._begin = time.monotonic()
        self._last: Reading | None = None
        self._paused_at: float | None = None

    def pause(self) -> None:
        """Stop counting until `resume`."""
        if self._last is not None:
            self._count()
        self._paused_at = time.monotonic()

    def resume(self) -> None:
        """Count again from now on. The pause does not count for the wall backstop either."""
        if self._paused_at is not None:
            self._begin += time.monotonic() - self._paused_at
        self._last = self._paused_at = None

    def left_s(self) -> float:
        """Seconds that are left of the deadline. At 0 or less it is used up."""
        self._count()
        return self.deadline_s - self.cpu_s - self.asleep_s

    def backstop_left_s(self) -> float:
        """Seconds of wall time until the job, or its pause, is given up in any case."""
        if self._paused_at is not None:
            return START_LIMIT_S - (time.monotonic() - self._paused_at)
        return backstop_s(self.deadline_s) - (time.monotonic() - self._begin)

    def _count(self) -> None:
        if self._paused_at is not None:
            return
        now, last = read(self._id), self._last
        if now is not None and last is not None:
            used = max(0.0, now.cpu_s - last.cpu_s)
            self.cpu_s += used
            if now.state == ASLEEP:
                queued = max(0.0, now.queued_s - last.queued_s)
                self.asleep_s += max(0.0, now.wall_s - last.wall_s - used - queued)
        self._last = now
