"""The verifier of an adapter, which waits for its judge. graders.py keeps one for each process and set of options."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from operator import attrgetter
from typing import Any

from hybridverify.adapters.engines import check_engines
from hybridverify.adapters.metrics import total_metrics
from hybridverify.adapters.options import Options
from hybridverify.adapters.outage import Outage, Patience, unavailable, wrong_settings
from hybridverify.adapters.own_tokens import CutRows
from hybridverify.adapters.programs import Programs, ungraded
from hybridverify.adapters.served import Served
from hybridverify.adapters.service import ServiceVerifier
from hybridverify.adapters.status import failed_grade

from hybridverify._version import __version__
from hybridverify.config.registry import make_judge
from hybridverify.errors import Fault, HybridVerifyError, JudgeUnavailable
from hybridverify.pipeline.batcher import Batcher
from hybridverify.types import Grade, Outcome, Sample
from hybridverify.verifier import Verifier

logger = logging.getLogger(__name__)

_graded, _asked = attrgetter("graded"), attrgetter("judge_asked")

MAX_RUNNING = 8
"""How many batches of single rows are in flight, so that a slow judge does not delay the rows that need none."""
MAX_WAITING = 64
"""How many awaited calls with several rows are graded at a time, so that groups which wait for a judge meet there."""


class Grader:
    """Grades batches and single rows. Waits while the judge is silent, then stops the run (outage.py).

    Raises ConfigError if the options are wrong, JudgeUnavailable when the waiting is over or if the judge can never
    answer under these settings, and JudgeError if `on_judge_error` asks for it. A row with a fault gets a grade that
    says so.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        check_engines(options.settings.get("judges") or ())
        self._served = Served(options.settings, options.unsaid)
        self._settling = threading.Lock()
        self._retired: list[Verifier | ServiceVerifier] = []
        self._make(options.settings.get("judges") or ())
        self.programs = Programs(options.settings)
        self.outage = Outage(options.outage_wait_s, options.max_ungraded)
        self._batcher = Batcher(self._ask, options.max_batch, options.max_wait_s, MAX_RUNNING)
        self._single_calls = 0
        self._told: set[Outcome] = set()
        self.cut = CutRows()
        # A warning, because trainers show nothing less. It shows whether the configuration arrived at all.
        logger.warning("hybridverify %s: %s", __version__, options.describe())

    def _make(self, judges: Iterable[Any]) -> None:
        settings = self.options.settings
        self.verifier: Verifier | ServiceVerifier
        if self.options.service:
            self.judges = []
            self._may_ask = True
            self.verifier = ServiceVerifier(self.options.service, self.options.service_token_env)
            return
        self.judges = [make_judge(judge) for judge in judges]
        self._may_ask = bool(self.judges)
        monitor = {"act": self.options.training, **(settings.get("monitor") or {})}
        self.verifier = Verifier.from_config({**settings, "judges": self.judges, "monitor": monitor})
        self.verifier.warm()

    def grade(self, samples: Sequence[Sample]) -> list[Grade]:
        """A grade for each sample, same length and order."""
        self.outage.check()
        patience = self.outage.patience() if self._may_ask else None
        grades = self._ask_readable(samples)
        if patience is not None and any(map(_asked, grades)):
            return self._waited(samples, grades, patience)
        if all(map(_graded, grades)):  # nearly always, and a small batch would feel the rest
            self.outage.record_graded(len(grades))
        else:
            self._end(grades)
        return grades

    def _waited(self, samples: Sequence[Sample], grades: list[Grade], patience: Patience) -> list[Grade]:
        """The grades of rows of which a judge saw some: where it was silent, it is asked again."""
        self._heard(grades)
        while pause := patience.pause(grades):
            time.sleep(pause)
            self.outage.check()
            grades = _merged(grades, self._ask(_lost(samples, grades)))
        self._end(grades)
        return grades

    def grade_rows(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        """`grade`, but the rows that could not be read are `failed`, with the reason in `problems`."""
        if not problems:
            return self.grade(samples)
        grades = iter(self.grade([sample for i, sample in enumerate(samples) if i not in problems]))
        return [self.unread(problems[i]) if i in problems else next(grades) for i in range(len(samples))]

    async def agrade_rows(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        """`grade_rows` without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self.grade_rows, samples, problems
        )

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        """Of its own: the loop's have as many threads as there are cores, and these only wait."""
        return ThreadPoolExecutor(MAX_WAITING, "hybridverify-reward")

    def unread(self, problem: str) -> Grade:
        """The grade of a row that could not be read."""
        grade = failed_grade(problem)
        self._tell([grade])
        return grade

    def grade_one(self, sample: Sample) -> Grade:
        """Grade one row. Concurrent calls from several threads share a batch."""
        patience = self._begin()
        grade = self._ask_one(sample)
        while pause := patience.pause([grade]):
            time.sleep(pause)
            self.outage.check()
            grade = self._ask_one(sample)
        self._end([grade])
        return grade

    async def agrade_one(self, sample: Sample) -> Grade:
        """Grade one row without blocking the event loop. Rows that wait at the same time share a batch."""
        patience = self._begin()
        grade = await self._batcher.acall(sample)
        while pause := patience.pause([grade]):
            await asyncio.sleep(pause)
            self.outage.check()
            grade = await self._batcher.acall(sample)
        self._end([grade])
        return grade

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Inside the block, the engine of this process stays awake. Outside it sleeps, if it can, and frees memory.
        If there are several engines, none stays awake: they seldom fit side by side, so each wakes for its own
        turn."""
        backends: list[Any] = [getattr(judge, "backend", None) for judge in self.judges]
        engines = [backend for backend in backends if hasattr(backend, "sleep") and hasattr(backend, "wake")]
        held = engines if len(engines) == 1 else []
        for engine in held:
            engine.wake()
        try:
            yield
        finally:
            for engine in held:
                engine.sleep()

    def metrics(self) -> dict[str, float]:
        """This process's counters so far, only numbers (metrics.py)."""
        return total_metrics({**self.verifier.stats, "rows": {"without_tools": self.cut.rows}})

    def close(self) -> None:
        """Close the verifier."""
        self._batcher.close()
        if "_threads" in self.__dict__:
            self._threads.shutdown()
        for verifier in (self.verifier, *self._retired):
            verifier.close()

    def _begin(self) -> Patience:
        self.outage.check()
        return self.outage.patience()

    def _end(self, grades: Sequence[Grade]) -> None:
        self._tell(grades)
        self.outage.record(grades)

    def _tell(self, grades: Sequence[Grade]) -> None:
        """Warn of the first row without a grade of each kind: if a column has another name than expected, all rows
        lack a grade, and a trainer shows only zeros."""
        if all(map(_graded, grades)):
            return
        for grade in grades:
            if not grade.graded and grade.outcome not in self._told:
                self._told.add(grade.outcome)
                reason = (grade.judge.reason or grade.rule.reason or "no reason known")[:200]
                logger.warning(
                    "a row has no grade, %s: %s. Logged once for each process; hv_graded and hv_status tell it "
                    "for every row",
                    grade.outcome,
                    reason,
                )

    def _ask_one(self, sample: Sample) -> Grade:
        """Use the batcher only if other callers wait too: a serial caller would wait for nobody."""
        self._single_calls += 1
        try:
            if self._single_calls > 1:
                return self._batcher.call(sample)
            (grade,) = self._ask([sample])
            return grade
        finally:
            self._single_calls -= 1

    def _ask(self, samples: Sequence[Sample]) -> list[Grade]:
        grades = self._ask_readable(samples)
        if any(map(_asked, grades)):
            self._heard(grades)
        return grades

    def _heard(self, grades: Sequence[Grade]) -> None:
        """Note what the judge said, or that it was silent. Raises JudgeUnavailable if it can never answer."""
        if reason := wrong_settings(grades):
            raise JudgeUnavailable(reason, Fault.SETTINGS)
        self.outage.observe(grades)

    def _ask_readable(self, samples: Sequence[Sample]) -> list[Grade]:
        """Grade all rows but the programs, which nothing here can run."""
        barred = self.programs.among(samples)
        if not barred:
            return self._ask_verifier(samples)
        grades = iter(self._ask_verifier([sample for i, sample in enumerate(samples) if i not in barred]))
        return [ungraded(sample) if i in barred else next(grades) for i, sample in enumerate(samples)]

    def _settle(self, samples: Sequence[Sample]) -> None:
        """Find out what the server serves, before the first row is sent. Raises JudgeUnavailable."""
        with self._settling:
            before = self._served.entry
            if self._served.unsaid and self._served.settled(samples) not in (None, before):
                self._retired.append(self.verifier)  # other threads may be grading by its rules
                self._make([self._served.entry])

    def _ask_verifier(self, samples: Sequence[Sample]) -> list[Grade]:
        try:
            if self._served.unsaid:
                self._settle(samples)
            return self.verifier.grade(samples)
        except JudgeUnavailable as error:
            if error.fault is Fault.SETTINGS:
                raise
            return [failed_grade(str(error), judge_asked=True) for _ in samples]
        except HybridVerifyError:
            raise
        except Exception as error:  # the border to a trainer: find the row at fault, keep the others
            if len(samples) == 1:
                return [failed_grade(f"{type(error).__name__}: {error}")]
            logger.exception("grading %d rows failed; they are graded one by one", len(samples))
            return [grade for sample in samples for grade in self._ask_verifier([sample])]


def _lost(samples: Sequence[Sample], grades: Sequence[Grade]) -> list[Sample]:
    return [sample for sample, grade in zip(samples, grades, strict=True) if unavailable(grade)]


def _merged(grades: Sequence[Grade], again: Sequence[Grade]) -> list[Grade]:
    """The first grades, with the lost ones replaced, in order."""
    replacements = iter(again)
    return [next(replacements) if unavailable(grade) else grade for grade in grades]
