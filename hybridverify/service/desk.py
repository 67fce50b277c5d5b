"""Where requests wait for their grades: one verifier for all of them.

Rows that this process can decide by itself go through the first stage in small bites, on the event loop, or in a thread
if a user's rules run in this process. What it leaves open, because a worker process or a judge has to be asked, goes to
the second stage, where the rows of many requests share batches.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from hybridverify.errors import HybridVerifyError
from hybridverify.service.fair import Entry
from hybridverify.service.stage import Stage
from hybridverify.service.turns import Turns
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict
from hybridverify.verifier import Verifier

BITE = 8
"""Rows that the first stage grades at a time, between two looks at its clock: a millisecond or two."""
SHORT_ROWS, SHORT_CHARACTERS = 2, 32_768
"""A request of this size is graded as soon as it is read."""
GRAIN = 16
"""Open rows of one request that are taken before it is another's turn."""
GATHER_S = 0.005
"""Seconds. How long the first open row waits for others to share its batch."""
BATCHES = 8
"""Open batches at a time, so that a slow judge does not delay the rows that need none."""

logger = logging.getLogger("hybridverify")

LONGEST_RETRY_S = 30

GradeMany = Callable[[Sequence[Sample]], Sequence[Grade]]


class Full(Exception):
    """There is no room for these rows now. `retry_after_s` is a guess at when there will be."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(retry_after_s)
        self.retry_after_s = retry_after_s


class Job:
    """One request's rows and their grades. Lives in the event loop that made it; threads only fill it."""

    def __init__(self, samples: Sequence[Sample], streams: bool = False) -> None:
        self.samples = samples
        self.grades: list[Grade | None] = [None] * len(samples)
        self.error: HybridVerifyError | None = None
        self.left = len(samples)
        self.fresh: list[int] = []
        """Indices that were graded since the event loop last looked."""
        self.waiting: Entry[Row] = Entry()
        self.open: Entry[Row] = Entry()
        self.over = False
        self._streams = streams
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lock = threading.Lock()

    async def changed(self) -> None:
        """Wait until the request is done, or, where it streams, until rows were graded."""
        await self._news.wait()
        self._news.clear()

    @property
    def done(self) -> bool:
        return self.left == 0 or self.error is not None

    def told(self) -> list[int]:
        """The rows that were graded since this was called last."""
        with self._lock:
            fresh, self.fresh = self.fresh, []
        return fresh

    def deliver(self, graded: Iterable[tuple[int, Grade]]) -> None:
        """Put in the grades of these rows. A row that nobody waits for any more keeps what it has: none is answered
        twice."""
        with self._lock:
            if self.over:
                return
            for index, grade in graded:
                if self.grades[index] is None:
                    self.grades[index] = grade
                    self.left -= 1
                    if self._streams:
                        self.fresh.append(index)

    def fail(self, error: HybridVerifyError) -> None:
        """The whole request cannot be answered."""
        with self._lock:
            self.error = self.error or error

    def wake(self) -> None:
        """Tell the event loop, if there is something that it waits for."""
        if self.done or self._streams:
            try:
                self._loop.call_soon_threadsafe(self._news.set)
            except RuntimeError:  # the loop is closed: the service was stopped by force
                logger.debug("a row was graded after the end of its event loop")


class Row(NamedTuple):
    """One row of a job."""

    job: Job
    at: int


class Desk:
    """Takes jobs, and grades them. `grade` is asked about the rows that the verifier cannot decide here: its own
    method by default, else another process that all of them share."""

    def __init__(
        self, verifier: Verifier, queue_rows: int = 32_768, grade: GradeMany | None = None, most: int = 256
    ) -> None:
        self._verifier = verifier
        self._queue_rows = queue_rows
        self._grade = grade or verifier.grade
        self._lock = threading.Lock()
        self._held = 0
        self._rate = Rate()
        self._jobs: set[Job] = set()
        self._bounded = verifier.bounded
        self._first: Turns[Row] | Stage[Row] = (
            Turns(self._grade_here, BITE)
            if self._bounded
            else Stage(self._grade_here, BITE, BITE, whole=True, name="hybridverify-rules")
        )
        self._open: Stage[Row] = Stage(
            self._grade_open, most, GRAIN, BATCHES, GATHER_S, name="hybridverify-open"
        )

    def hear(self) -> None:
        """Something was read from a client: what it asks for must not wait for a whole turn more."""
        if isinstance(self._first, Turns):
            self._first.heard = True

    @property
    def held(self) -> int:
        """Rows that were accepted and are not answered yet."""
        return self._held

    def ensure_room(self, rows: int) -> None:
        """Raises Full if so many rows more are too many. A request that is larger than the queue is taken where nothing
        else waits."""
        if self._held and self._held + rows > self._queue_rows:
            raise Full(self._rate.seconds_for(self._held))

    def submit(self, samples: Sequence[Sample], streams: bool = False, ensured: bool = False) -> Job:
        """Accept the rows of one request. Raises Full, unless that was `ensured`. Call it in the event loop that will
        wait for them."""
        if not ensured:
            self.ensure_room(len(samples))
        with self._lock:
            self._held += len(samples)
        job = Job(samples, streams)
        self._jobs.add(job)
        rows = [Row(job, index) for index in range(len(samples))]
        if self._bounded and short(samples):
            self._grade_here(rows)
        elif rows:
            self._first.add(rows, job.waiting)
        return job

    def finish(self, job: Job, late: str = "") -> None:
        """The request was answered, or is given up. Rows without a grade get one that says that there was no time
        (`late`), and are not begun any more."""
        with job._lock:
            if job.over:
                return
            job.over = True
        self._jobs.discard(job)
        self._first.drop(job.waiting)
        self._open.drop(job.open)
        for index, grade in enumerate(job.grades):
            if grade is None and late:
                job.grades[index] = self.ungraded(job.samples[index], Outcome.TIMED_OUT, late)
                job.fresh.append(index)
        with self._lock:
            self._held -= len(job.samples)

    def end_all(self, reason: str) -> None:
        """Answer every request that is still open with what there is."""
        for job in list(self._jobs):
            self.finish(job, reason)
            job.left = 0
            job.wake()

    def close(self) -> None:
        """Finish what was begun, and end the threads."""
        self._first.close()
        self._open.close()

    def ungraded(self, sample: Sample, outcome: Outcome, reason: str) -> Grade:
        """A grade that says that nobody could tell."""
        rule = Verdict(outcome, 0.0, "rule", "", reason)
        return Grade(
            0.0, False, outcome, rule, SKIPPED, fingerprint=self._verifier.fingerprint(sample.data_source)
        )

    def _grade_here(self, rows: Sequence[Row]) -> None:
        rows = [row for row in rows if not row.job.over]
        samples = [row.job.samples[row.at] for row in rows]
        try:
            grades = self._verifier.grade_here(samples)
        except Exception:  # one row's fault; the second stage finds it
            grades = [None] * len(rows)
        left = [row for row, grade in zip(rows, grades, strict=True) if grade is None]
        for job in dict.fromkeys(row.job for row in left):
            self._open.add([row for row in left if row.job is job], job.open)
        self._deliver([(row, grade) for row, grade in zip(rows, grades, strict=True) if grade is not None])

    def _grade_open(self, rows: Sequence[Row]) -> None:
        rows = [row for row in rows if not row.job.over]
        if not rows:
            return
        try:
            grades = self._grade([row.job.samples[row.at] for row in rows])
        except Exception as error:
            self._one_by_one(rows, error)
        else:
            self._deliver(list(zip(rows, grades, strict=True)))

    def _one_by_one(self, rows: Sequence[Row], error: Exception) -> None:
        """Find out whose fault it was: first which request's, then which row's."""
        jobs = list(dict.fromkeys(row.job for row in rows))
        if len(jobs) > 1:
            for job in jobs:
                self._grade_open([row for row in rows if row.job is job])
        elif isinstance(error, HybridVerifyError):  # asked for by the settings, such as on_judge_error: raise
            jobs[0].fail(error)
            jobs[0].wake()
        elif len(rows) > 1:
            for row in rows:
                self._grade_open([row])
        else:
            logger.warning("a row could not be graded: %s", type(error).__name__)
            reason = f"{type(error).__name__} while the row was graded"
            sample = jobs[0].samples[rows[0].at]
            self._deliver([(rows[0], self.ungraded(sample, Outcome.FAILED, reason))])

    def _deliver(self, graded: Sequence[tuple[Row, Grade]]) -> None:
        self._rate.count(len(graded))
        for job, own in itertools.groupby(graded, lambda pair: pair[0].job):
            job.deliver((row.at, grade) for row, grade in own)
            job.wake()


def short(samples: Sequence[Sample]) -> bool:
    """Whether these rows take no time worth speaking of."""
    if len(samples) > SHORT_ROWS:
        return False
    return sum(len(sample.response) + len(sample.question) for sample in samples) <= SHORT_CHARACTERS


class Rate:
    """Rows graded a second, of late."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._rows = 0
        self._per_s = 0.0
        self._lock = threading.Lock()

    def count(self, rows: int) -> None:
        with self._lock:
            self._rows += rows
            passed = self._clock() - self._since
            if passed >= 1.0:
                self._per_s, self._rows, self._since = self._rows / passed, 0, self._clock()

    def seconds_for(self, rows: int) -> int:
        """How long so many rows will take, in whole seconds."""
        if not self._per_s:
            return 1
        return max(1, min(LONGEST_RETRY_S, math.ceil(rows / self._per_s)))
