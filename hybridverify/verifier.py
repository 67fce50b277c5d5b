"""What users hold: settings in, grades out. The flow itself is in the package `pipeline`."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from hybridverify.answers.thinking import THINKING_TAGS
from hybridverify.cache import Cache
from hybridverify.config.assembly import Assembly
from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError
from hybridverify.guards.audit import AuditSettings
from hybridverify.guards.judge_guards import Guards
from hybridverify.guards.monitor import Watch
from hybridverify.guards.monitor_report import MonitorReport
from hybridverify.judges.base import Judge
from hybridverify.objects import arguments_of
from hybridverify.pipeline.collecting import seldom_collected
from hybridverify.pipeline.explain import Explanation, explain, rule_verdicts
from hybridverify.pipeline.rule_stage import RuleStage
from hybridverify.pipeline.streaming import chunk_ends, overlapped
from hybridverify.policies import Policy, Reward
from hybridverify.policies.panel import Panel
from hybridverify.records.given import iter_samples, one_sample, samples_of
from hybridverify.types import Grade, Sample, Verdict

CHUNK_SIZE = 1024
JUDGED_CHUNK = 512
"""The most samples that are graded together where an engine works on several batches at a time."""


class Verifier:
    """Grades samples with a chain of rules, a policy, and judges where the policy asks for them.

    `rules`: "default" or a list of checkers, names and `module:function`. `judges`: entries (`{"preset": ...,
    "backend": ...}`) or Judge objects. `cascade`: their names in the order in which they are asked, each about what
    those before it left open; otherwise all are asked, and `panel` says how they vote. `policy`: a name,
    `{"name": ..., ...}` or a Policy. `cache`: None, a folder, `{"path": ..., "namespace": ...}` or a ScoreCache.
    `routes`: by `data_source`, each with its own `rules` or `grader`, `policy`, `form`, `conventions`. `workers`:
    processes for isolated rules (default: the cores). `grader`: a preset that gives another system's numbers, in place
    of `rules`; see `config.graders`.
    `max_calls`: the most judge requests this object ever sends (0: no bound). `stop_on_outage`: raise
    JudgeUnavailable when a judge's engine is down, where otherwise its rows are `failed`. `probe`: raise
    NoUsableReply if none of a judge's first eight replies can be read. `guards`: what a judge
    is not asked about, and which of its accepts are asked again, see `Guards`. `monitor`: when what judges rescue
    counts as suspicious, and whether it holds accepts back (off), see `Watch`. `audit`: a file for a sample of the
    judged rows, see `AuditSettings`.

    Every fault of configuration raises ConfigError here; `grade` raises only for what stops a whole batch.

    >>> with Verifier() as verifier:
    ...     [grade.score for grade in verifier.grade([Sample("#### 7", "7"), Sample("#### 8", "7")])]
    [1.0, 0.0]
    """

    _stage: ClassVar[type[RuleStage]] = RuleStage

    def __init__(
        self,
        rules: str | Sequence[object] = "default",
        judges: Sequence[Mapping[str, Any] | Judge] = (),
        policy: str | Mapping[str, Any] | Policy = "rule_only",
        cache: str | os.PathLike[str] | Mapping[str, Any] | Cache | None = None,
        routes: Mapping[str, Mapping[str, Any]] | None = None,
        unknown_source: str = "default",
        conventions: Mapping[str, Any] | Conventions | None = None,
        on_judge_error: str | Mapping[str, str] = "mask",
        neutral_score: float = 0.5,
        workers: int | None = None,
        panel: Mapping[str, Any] | Panel | None = None,
        cascade: Sequence[str] | None = None,
        reward: Mapping[str, float] | Reward | None = None,
        thinking_tags: Sequence[str] = THINKING_TAGS,
        rule_deadline_s: float = 1.0,
        max_calls: int = 0,
        stop_on_outage: bool = False,
        probe: bool | None = None,
        guards: Mapping[str, Any] | Guards | None = None,
        monitor: Mapping[str, Any] | Watch | None = None,
        audit: str | os.PathLike[str] | Mapping[str, Any] | AuditSettings | None = None,
        grader: str | None = None,
    ) -> None:
        self._arguments = arguments_of(locals())
        parts = Assembly(self._arguments, self._stage)
        self._stats, self._recording, self._cache = parts.stats, parts.recording, parts.cache
        self._judges, self._panel, self._guards = parts.judges, parts.panel, parts.guards
        self._router, self._monitor = parts.router, parts.monitor
        self._rule_stage, self._grading = parts.rule_stage, parts.grading
        self._threads: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    @classmethod
    def from_config(cls, source: str | os.PathLike[str] | Mapping[str, Any], **overrides: Any) -> Verifier:
        """Build from a YAML, TOML or JSON file, or a mapping; `overrides` replace its top-level keys.

        Without a `cache` key the default store is used; `cache: null` is none. Raises ConfigError; unknown
        keys are refused with the nearest name.
        """
        from hybridverify.config import load_settings

        return cls(**load_settings(source, overrides))

    def grade(
        self,
        samples: Iterable[Any],
        references: Sequence[Any] | bool | None = None,
        questions: Sequence[Any] | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        progress: bool = False,
    ) -> list[Grade]:
        """A grade for each sample, same length and order. Raises JudgeUnavailable, or JudgeError on request.

        In place of samples: rows as dicts, or a table of pandas, polars, Arrow or `datasets`, whose columns are found
        as on the command line, or named by `columns` (`{"response": "completion"}`); or a list of responses with a list
        of `references`, and of `questions` if there are any. Raises SampleError for anything else.
        """
        if isinstance(references, bool):  # `grade(samples, progress)`
            progress, references = references, None
        plain = references is None and questions is None and type(samples) is list
        if not (plain and set(map(type, samples)) == {Sample}):  # nearly always true
            samples = samples_of(samples, references, questions, columns)
        items = list(samples)
        if not progress:
            if len(items) > JUDGED_CHUNK and self._grading.batches_at_once > 1:
                return self._side_by_side(items)
            return self._grading.finish(self._rule_stage.run(items))
        from rich.progress import track

        return list(track(self.grade_iter(items), total=len(items), description="grading"))

    def grade_here(self, samples: Sequence[Sample]) -> list[Grade | None]:
        """The grades that this process can give without waiting: None where a worker process or a judge has to be
        asked, which is `grade`'s work. For servers, so that such rows do not hold up the others."""
        ruled = self._rule_stage.run_here(samples)
        grades = iter(self._grading.finish([item for item in ruled if item is not None]))
        return [None if item is None else next(grades) for item in ruled]

    @property
    def bounded(self) -> bool:
        """Whether `grade_here` takes milliseconds a row: it does unless rules of the user's run in this process."""
        return all(route.chain.bounded for route in self._router.routes())

    def grade_iter(
        self,
        samples: Iterable[Any],
        chunk_size: int = CHUNK_SIZE,
        *,
        columns: Mapping[str, str] | None = None,
    ) -> Generator[Grade, None, None]:
        """Grades in order and in constant memory; the rules of one chunk run while another is being judged. Rows and
        tables are taken as by `grade`."""
        if chunk_size < 1:
            raise ConfigError(f"chunk_size: expected at least 1, got {chunk_size}")
        # One chunk is judged at a time: what an outage or an interruption may lose is one chunk's answers.
        yield from self._chunked(iter_samples(samples, columns), chunk_size)

    def _side_by_side(self, items: Sequence[Sample]) -> list[Grade]:
        """The grades of a long list, in several batches at a time."""
        ends = chunk_ends(len(items), JUDGED_CHUNK)
        chunks = (list(items[begin:end]) for begin, end in itertools.pairwise(ends))
        at_once = self._grading.batches_at_once
        with self._judges.sharing(), seldom_collected():
            return list(overlapped(chunks, self._rule_stage.run, self._grading.finish, at_once))

    def _chunked(self, samples: Iterable[Sample], chunk_size: int) -> Generator[Grade, None, None]:
        source = iter(samples)
        chunks = iter(lambda: list(itertools.islice(source, chunk_size)), [])
        yield from overlapped(chunks, self._rule_stage.run, self._grading.finish)

    async def agrade(
        self,
        samples: Iterable[Any],
        references: Sequence[Any] | None = None,
        questions: Sequence[Any] | None = None,
        *,
        columns: Mapping[str, str] | None = None,
    ) -> list[Grade]:
        """`grade` without blocking the event loop."""
        import asyncio  # its caller has it already

        items = samples_of(samples, references, questions, columns)
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(32, thread_name_prefix="hybridverify-grade")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.grade, items)

    def explain(self, sample: Sample) -> Explanation:
        """Every tier's reading, verdict and reason, and the grade; asks a judge where the policy does."""
        sample = one_sample(sample, "explain")
        (ruled,) = self._rule_stage.run([sample])
        (grade,) = self._grading.finish([ruled])
        reading = self._rule_stage.read(ruled.sample, ruled.route)
        return explain(ruled.sample, ruled.route, reading, ruled.gate, grade)

    def record_rules(self) -> None:
        """From now on `Grade.rule.said` holds what every rule that was asked said. For pages that show many rows."""
        self._recording.on = True

    def rule_verdicts(self, sample: Sample) -> list[Verdict]:
        """What every rule says of a sample, also those after the one that decides; none asks a worker or a judge. For
        pages that show many rows."""
        placed, route = self._rule_stage.placed(sample)
        return rule_verdicts(placed, route) if route.policy.runs_rules else []

    def fingerprint(self, data_source: str = "") -> str:
        """What the grades of this data source carry as their fingerprint: all settings that may change a grade. A
        monitor is part of it where it acts; such grades also depend on the rows before them."""
        return self._router.find(data_source).fingerprint

    def adopts(self, data_source: str, fingerprint: str) -> bool:
        """Whether these settings can have made this fingerprint, in another form that a judge's server asked for. If
        so, judges are asked in that form from the start."""
        return self._router.find(data_source).told.adopt(fingerprint)

    @property
    def stats(self) -> dict[str, Mapping[str, float]]:
        """Counters by stage: `samples`, `rules` (outcomes, cached, seconds), `judge` (asked, gated, cached,
        deduplicated, called, failed, seconds, tokens; where guards ask again, swap_asked, swap_disagreed,
        canary_asked, canary_broken; where the monitor acts, monitor_held), `monitor` (the numbers of `monitor`, where
        there is a judge)."""
        counts = self._stats.snapshot()
        judge = dict(counts.get("judge", {}))
        for name in ("asked", "gated", "cached", "deduplicated", "called", "failed"):
            judge.setdefault(name, 0)
        stages = {"samples": {}, "rules": {}, **counts, "judge": {**judge, **self._judges.usage()}}
        return {**stages, "monitor": self._monitor.numbers()} if self._judges.judges else stages

    @property
    def monitor(self) -> MonitorReport:
        """What judges rescued, as numbers and words: rates, lengths, the most repeated texts, alarms."""
        return self._monitor.report()

    def ensure_ready(self, timeout_s: float = 90.0) -> None:
        """Check that every judge a policy may ask can be reached, and `warm` meanwhile. Raises JudgeUnavailable."""
        self.warm()
        for judge in self._judges.judges:
            check = getattr(judge, "ensure_ready", None)
            if check is not None:
                check(timeout_s)

    def warm(self) -> None:
        """Start the process that rules in workers need, without waiting for it: its imports take a second.

        Without this it starts with the first sample that the rules in this process leave to such a rule.
        """
        self._rule_stage.warm()

    def close(self) -> None:
        """Give back engines, connections and the store. Closing twice is fine."""
        self._judges.close()
        self._cache.close()
        with self._lock:
            threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=True)

    def __enter__(self) -> Verifier:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._arguments,)


def _rebuild(arguments: dict[str, Any]) -> Verifier:
    return Verifier(**arguments)
