"""Where requests wait for their grades: one verifier for all of them.

Rows that this process can decide by itself go through the first stage in small bites, on the event loop, or in a thread
if a user's rules run in this process. What it leaves open, because a worker process or a judge has to be asked, goes to
the second stage, where the rows of many requests share batches.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Sequence

from hybridverify.errors import HybridVerifyError
from hybridverify.service.job import Full, Job, Rate, Row
from hybridverify.service.stage import Stage
from hybridverify.service.turns import Turns
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict
from hybridverify.verifier import Verifier

BITE = 8
"""Rows that the first stage grades at a time, between two looks at its clock: a millisecond or two."""
SHORT_ROWS, SHORT_CHARACTERS = 2, 32_768
"""A request of this size is graded as soon as it is read."""
HEAVY_REFERENCES, HEAVY_REFERENCE, HEAVY_TEXT = 64, 20_000, 2_000_000
"""A row with more references, or with more characters in them or in its other texts, may take longer than the event
loop can be spared. It goes to the threads of the second stage at once."""
GRAIN = 16
"""Open rows of one request that are taken before it is another's turn."""
GATHER_S = 0.005
"""Seconds. How long the first open row waits for others to share its batch."""
BATCHES = 8
"""Open batches at a time, so that a slow judge does not delay the rows that need none."""

logger = logging.getLogger("hybridverify")

GradeMany = Callable[[Sequence[Sample]], Sequence[Grade]]


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
            if not self._held:
                self._rate.begin()
            self._held += len(samples)
        job = Job(samples, streams)
        self._jobs.add(job)
        rows = [Row(job, index) for index in range(len(samples))]
        if long := [row for row in rows if heavy(samples[row.at])]:
            self._open.add(long, job.open)
            rows = [row for row in rows if not heavy(samples[row.at])]
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
            if not self._held:
                self._rate.rest()

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
        self._pass_on([row for row, grade in zip(rows, grades, strict=True) if grade is None])
        self._deliver([(row, grade) for row, grade in zip(rows, grades, strict=True) if grade is not None])

    def _pass_on(self, rows: Sequence[Row]) -> None:
        """Leave rows to the second stage, those of each request together."""
        for job in dict.fromkeys(row.job for row in rows):
            self._open.add([row for row in rows if row.job is job], job.open)

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


def heavy(sample: Sample) -> bool:
    """Whether this row alone may take long."""
    references = sample.references
    return (
        len(references) > HEAVY_REFERENCES
        or sum(map(len, references)) > HEAVY_REFERENCE
        or len(sample.response) + len(sample.question) > HEAVY_TEXT
    )


def short(samples: Sequence[Sample]) -> bool:
    """Whether these rows take no time worth speaking of."""
    if len(samples) > SHORT_ROWS:
        return False
    return sum(len(sample.response) + len(sample.question) for sample in samples) <= SHORT_CHARACTERS
