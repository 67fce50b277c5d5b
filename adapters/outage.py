"""When the judge is down: how long to wait, and when to stop the run.

To a group-relative trainer a score of 0 means "wrong", so a dead judge would teach for hours that rescued answers are
wrong. Rows lost to the judge are therefore asked again until `wait_s` seconds have passed. Then the run is stopped by
one `JudgeUnavailable` (the fuse). A single bad row does neither: a fault of the row itself (`Verdict.fault`) is no
silence, and while the judge answers others, a row on which it fails is only a row without a grade. Settings that can
never work are reported at once: nobody waits for a model that the server does not have.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from operator import attrgetter

from hybridverify.adapters.programs import is_program

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.types import NO_ANSWER, Grade, Outcome, Verdict

logger = logging.getLogger(__name__)

WINDOW_ROWS = 1024
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
WARNING_EVERY_S = 10.0
"""Thousands of rows of a reward loop wait one by one. Their waiting is logged once, and not in one line for each."""
HOLD_S = 60.0
"""Seconds during which the error is raised again without asking: verl calls a manager that raised a second time."""
MIN_LOST_ROWS = 3
"""If the judge answers, fewer lost rows than this stop no run, whatever share of a short run they are."""
MIN_BAD_REPLY_ROWS = 256
"""Unreadable replies, and rows that fail by themselves, stop no run until this many rows have been seen: programs
(programs.py) may stand together in a small first batch."""

_graded, _asked = attrgetter("graded"), attrgetter("judge_asked")
_UNHEARD = (*NO_ANSWER, Outcome.SKIPPED)


class Outage:
    """What one process knows about one judge: whether it is silent, since when, and how many rows it cost."""

    def __init__(
        self, wait_s: float = 600.0, max_ungraded: float = 0.2, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.wait_s, self.max_ungraded, self.clock = wait_s, max_ungraded, clock
        self._lock = threading.Lock()
        self._window: deque[str] = deque(maxlen=WINDOW_ROWS)
        self._clean = 0
        """Rows since the last one that counts against the judge."""
        self._unwritten = 0
        """How many of them, the last ones, the window does not hold yet: most runs never look at it."""
        self._answers = 0
        self._dark_since: float | None = None
        self._blown: tuple[float, str] | None = None
        self._reason = ""
        self._warned_at = -math.inf

    def check(self) -> None:
        """Raise the last error again. After `HOLD_S` seconds, start afresh with an empty window."""
        if self._blown is None:  # nearly always
            return
        with self._lock:
            if self._blown is None:
                return
            at, message = self._blown
            if self.clock() - at >= HOLD_S:
                self._blown = None
                self._window.clear()
                self._clean = self._unwritten = 0
                return
        raise JudgeUnavailable(message)

    def patience(self) -> Patience:
        """Decides, for one batch, whether to wait and ask again."""
        return Patience(self, self.clock(), self._answers)

    def observe(self, grades: Sequence[Grade]) -> None:
        """Note a reply of the judge, good or bad, or its silence."""
        grades = list(filter(_asked, grades))
        if not grades:
            return
        with self._lock:
            self._reason = next((_reason(grade) for grade in grades if not grade.graded), self._reason)
            if any(answered(grade) for grade in grades):
                self._answers += 1
                self._dark_since = None
            elif self._dark_since is None and any(unavailable(grade) for grade in grades):
                self._dark_since = self.clock()

    def record(self, grades: Sequence[Grade]) -> None:
        """Count the rows as they will be paid. Raises JudgeUnavailable if too many have no grade."""
        marks = _marks(grades[-WINDOW_ROWS:])
        if not any(marks):
            self.record_graded(len(grades))
            return
        with self._lock:
            self._written().extend(marks)
            self._clean = 0
            self._judge_window()

    def record_graded(self, rows: int) -> None:
        """`record` for rows that all have a grade."""
        with self._lock:
            written_clean = self._clean - self._unwritten
            self._clean += rows
            self._unwritten += rows
            if written_clean < len(self._window):
                self._judge_window()

    def _written(self) -> deque[str]:
        """The window, complete."""
        self._window.extend([""] * min(self._unwritten, WINDOW_ROWS))
        self._unwritten = 0
        return self._window

    def _judge_window(self) -> None:
        if message := self._too_many(self._written()):
            self._blown = (self.clock(), message)
            raise JudgeUnavailable(message)

    def would_blow(self, grades: Sequence[Grade]) -> bool:
        """Whether `record` would raise."""
        with self._lock:
            window = deque(self._written(), maxlen=WINDOW_ROWS)
            window.extend(_marks(grades[-WINDOW_ROWS:]))
            return bool(self._too_many(window))

    def deadline(self, started: float) -> float:
        """At most `wait_s` after the judge went silent: the time is waited once, not once for each batch."""
        dark = self._dark_since
        return (started if dark is None else min(started, dark)) + self.wait_s

    def may_warn(self) -> bool:
        """Whether a warning is due again. Asking counts as warning."""
        with self._lock:
            due = self.clock() - self._warned_at >= WARNING_EVERY_S
            if due:
                self._warned_at = self.clock()
            return due

    def answers(self) -> int:
        """How often the judge was seen to answer. Only grows."""
        return self._answers

    def _too_many(self, window: deque[str]) -> str:
        silent, unread, own, programs = map(window.count, ("lost", "bad", "own", "program"))
        rows, theirs = len(window), silent + unread + own
        allowed = self.max_ungraded * rows
        dark = self._dark_since is not None
        blown = (silent > allowed and (dark or silent >= MIN_LOST_ROWS)) or (
            theirs + programs > allowed and rows >= MIN_BAD_REPLY_ROWS
        )
        if not blown:
            return ""
        if programs > theirs:
            return (
                f"{programs} of the last {rows} rows are programs, which nothing here runs, more than "
                f"max_ungraded={self.max_ungraded:g}. Give their data sources a route of your own, leave them "
                "out of the data, or raise max_ungraded"
            )
        told = f"{silent} not answered, {unread} not readable" + (
            f", {own} by their own fault" if own else ""
        )
        advice = f"; waited up to outage_wait_s={self.wait_s:g}. Check the judge's server and address"
        return (
            f"the judge left {theirs} of the last {rows} rows without a grade ({told}), more than "
            f"max_ungraded={self.max_ungraded:g}{advice if silent else '. Check the rows and hooks'}, or raise "
            f"max_ungraded. Last: {self._reason or 'no reason known'}"
        )


class Patience:
    """The waiting of one batch."""

    def __init__(self, outage: Outage, started: float, answers: int) -> None:
        self._outage, self._started, self._answers = outage, started, answers
        self._pause_s = FIRST_PAUSE_S

    def pause(self, grades: Sequence[Grade]) -> float:
        """Seconds to wait before the lost rows are asked again; 0.0 to keep the grades as they are."""
        silent = sum(map(unavailable, filter(_asked, grades)))
        if not silent or (self._judge_alive(grades) and not self._outage.would_blow(grades)):
            return 0.0
        left = self._outage.deadline(self._started) - self._outage.clock()
        if left <= 0:
            return 0.0
        pause = min(self._pause_s, left)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self._answers = self._outage.answers()
        if self._outage.may_warn():
            logger.warning(
                "the judge left %d row(s) without an answer (%s); asking again in %.0f s, giving up in %.0f s",
                silent,
                next(_reason(grade) for grade in grades if unavailable(grade)),
                pause,
                left,
            )
        return pause

    def _judge_alive(self, grades: Sequence[Grade]) -> bool:
        return any(answered(g) for g in grades) or self._outage.answers() > self._answers


def unavailable(grade: Grade) -> bool:
    """Whether the judge was wanted and its engine did not answer, so that asking again may help."""
    return grade.judge_asked and any(v.silent for v in _judge_verdicts(grade))


def wrong_settings(grades: Sequence[Grade]) -> str:
    """Why no judge can ever answer under these settings; "" if one may."""
    said = (v for grade in filter(_asked, grades) for v in _judge_verdicts(grade))
    refused = next((v for v in said if v.fault is Fault.SETTINGS), None)
    return f"{refused.source.replace(':', ' ', 1)}: {refused.reason}" if refused is not None else ""


def answered(grade: Grade) -> bool:
    """Whether the judge has just answered. A verdict from the cache is no sign of life."""
    return grade.judge_asked and any(
        v.outcome not in _UNHEARD and not v.cached and v.fault is not Fault.ROW
        for v in _judge_verdicts(grade)
    )


def _reason(grade: Grade) -> str:
    """The reason in the silent judge's verdict, else in the grade."""
    verdicts = _judge_verdicts(grade)
    told = next((v for v in verdicts if v.silent), grade.judge)
    return told.reason or told.outcome.value


def _judge_verdicts(grade: Grade) -> tuple[Verdict, ...]:
    return grade.votes or (grade.judge,)


def _marks(grades: Sequence[Grade]) -> list[str]:
    """What the window keeps of these rows. Of graded ones nothing: the usual batch, at a tenth of the time."""
    return [""] * len(grades) if all(map(_graded, grades)) else list(map(_mark, grades))


def _mark(grade: Grade) -> str:
    if is_program(grade):
        return "program"
    if grade.graded or not grade.judge_asked:
        return ""
    if unavailable(grade):
        return "lost"
    if all(v.sure or v.outcome is Outcome.UNDECIDED for v in _judge_verdicts(grade)):
        return ""  # a judge that cannot decide has answered
    return "own" if any(v.fault is Fault.ROW for v in (grade.judge, *grade.votes)) else "bad"
