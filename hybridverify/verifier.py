"""The batch flow: rules, content gate, policy, judges, combination. Read `_rules` and `_finish` top to bottom."""

from __future__ import annotations

import asyncio
import itertools
import os
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from hybridverify import arguments
from hybridverify.arguments import make_cache, make_conventions, make_reward
from hybridverify.cache import Cache
from hybridverify.chain import NO_REFERENCE, SURE, RuleChain, has_reference
from hybridverify.checkers.conventions import Conventions
from hybridverify.checkers.extract import Extraction, Mark, extract
from hybridverify.checkers.gate import gate_reason
from hybridverify.errors import ConfigError
from hybridverify.explain import Explanation, explain
from hybridverify.fingerprint import fingerprint
from hybridverify.isolation import shared_pool
from hybridverify.judges.base import Judge, Subject
from hybridverify.judging import JudgeStage
from hybridverify.panel import Panel
from hybridverify.policies import Decision, OnJudgeError, Policy, Reward, make_policy
from hybridverify.registry import make_checkers, make_judge
from hybridverify.routing import Route, Router
from hybridverify.settle import settle
from hybridverify.stats import Stats
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

THINKING_TAGS = ("<think>", "</think>")
CHUNK_SIZE = 1024
GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)
"""Marks under which the response gives its answer; without one a judge sees a line or a paragraph."""
CORRECT, BAD_REFERENCE = Outcome.CORRECT, Outcome.BAD_REFERENCE
NAMES = {outcome: outcome.value for outcome in Outcome}
"""Members and their values are looked up once: Python 3.11 takes longer for that than for a whole comparison."""
NOT_RUN = Verdict(Outcome.SKIPPED, 0.0, "rule", "", "the policy runs no rules")


class Ruled(NamedTuple):
    """A sample after the rule stage: its route, its verdict, and whether a judge is wanted."""

    sample: Sample
    route: Route
    rule: Verdict
    gate: str
    asked: bool


class Verifier:
    """Grades samples with a chain of rules, a policy, and judges where the policy asks for them.

    `rules`: "default" or a list of checkers, names and `module:function`. `judges`: entries (`{"preset": ...,
    "backend": ...}`) or Judge objects. `policy`: a name, `{"name": ..., ...}` or a Policy. `cache`: None, a
    folder, `{"path": ..., "namespace": ...}` or a ScoreCache. `routes`: by `data_source`, each with its own
    `rules`, `policy`, `form`, `conventions`. `workers`: processes for isolated rules (default: the cores).
    `max_calls`: the most judge requests this object ever sends (0: no bound). `stop_on_outage`: raise
    JudgeUnavailable when a judge's engine is down, where otherwise its rows are `failed`.

    Every fault of configuration raises ConfigError here; `grade` raises only for what stops a whole batch.

    >>> with Verifier() as verifier:
    ...     [grade.score for grade in verifier.grade([Sample("#### 7", "7"), Sample("#### 8", "7")])]
    [1.0, 0.0]
    """

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
        reward: Mapping[str, float] | Reward | None = None,
        thinking_tags: Sequence[str] = THINKING_TAGS,
        rule_deadline_s: float = 1.0,
        max_calls: int = 0,
        stop_on_outage: bool = False,
    ) -> None:
        self._arguments = {
            name: value for name, value in locals().items() if name not in ("self", "__class__")
        }
        self._stats = Stats()
        self._cache, self._namespace = make_cache(cache)
        self._tags = arguments.thinking_tags(thinking_tags)
        self._conventions = make_conventions("conventions", conventions)
        self._on_error = OnJudgeError.from_setting(on_judge_error, neutral_score)
        self._reward = make_reward(reward)
        workers = arguments.whole_number("workers", workers, 1)
        self._pool = partial(shared_pool, workers, arguments.seconds("rule_deadline_s", rule_deadline_s))
        self._judges = JudgeStage(
            [make_judge(judge) for judge in arguments.judge_entries(judges)],
            self._cache,
            self._stats,
            self._namespace,
            arguments.whole_number("max_calls", max_calls, 0) or 0,
            stop_on_outage,
        )
        self._panel = Panel.from_setting(panel, len(self._judges.judges)) if panel else None
        if self._panel is None and len(self._judges.judges) > 1:
            self._panel = Panel()
        make = partial(self._route, rules, make_policy(policy))
        self._router = Router(routes or {}, make, unknown_source)
        self._threads: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self._warmed = False

    @classmethod
    def from_config(cls, source: str | os.PathLike[str] | Mapping[str, Any], **overrides: Any) -> Verifier:
        """Build from a YAML, TOML or JSON file, or a mapping; `overrides` replace its top-level keys.

        Without a `cache` key the default store is used; `cache: null` is none. Raises ConfigError; unknown
        keys are refused with the nearest name.
        """
        from hybridverify.config import load_settings

        return cls(**load_settings(source, overrides))

    def grade(self, samples: Iterable[Sample], progress: bool = False) -> list[Grade]:
        """A grade for each sample, same length and order. Raises JudgeUnavailable, or JudgeError on request."""
        items = list(samples)
        if not progress:
            return self._finish(self._rules(items))
        from rich.progress import track

        return list(track(self.grade_iter(items), total=len(items), description="grading"))

    def grade_iter(
        self, samples: Iterable[Sample], chunk_size: int = CHUNK_SIZE
    ) -> Generator[Grade, None, None]:
        """Grades in order and in constant memory; the rules of one chunk run while another is being judged."""
        if chunk_size < 1:
            raise ConfigError(f"chunk_size: expected at least 1, got {chunk_size}")
        source = iter(samples)
        chunks = iter(lambda: list(itertools.islice(source, chunk_size)), [])
        with ThreadPoolExecutor(1, thread_name_prefix="hybridverify-rules") as ahead:
            waiting = None
            for chunk in chunks:
                coming = ahead.submit(self._rules, chunk)
                if waiting is not None:
                    yield from self._finish(waiting.result())
                waiting = coming
            if waiting is not None:
                yield from self._finish(waiting.result())

    async def agrade(self, samples: Iterable[Sample]) -> list[Grade]:
        """`grade` without blocking the event loop."""
        items = list(samples)
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(32, thread_name_prefix="hybridverify-grade")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.grade, items)

    def explain(self, sample: Sample) -> Explanation:
        """Every tier's reading, verdict and reason, and the grade; asks a judge where the policy does."""
        (ruled,) = self._rules([sample])
        (grade,) = self._finish([ruled])
        reading = self._read(ruled.sample, ruled.route)
        return explain(ruled.sample, ruled.route, reading, ruled.gate, grade)

    def fingerprint(self, data_source: str = "") -> str:
        """What the grades of this data source carry as their fingerprint."""
        return self._router.find(data_source).fingerprint

    @property
    def stats(self) -> dict[str, Mapping[str, float]]:
        """Counters by stage: `samples`, `rules` (outcomes, cached, seconds), `judge` (asked, gated, cached,
        deduplicated, called, failed, seconds, tokens)."""
        counts = self._stats.snapshot()
        judge = dict(counts.get("judge", {}))
        for name in ("asked", "gated", "cached", "deduplicated", "called", "failed"):
            judge.setdefault(name, 0)
        return {"samples": {}, "rules": {}, **counts, "judge": {**judge, **self._judges.usage()}}

    def ensure_ready(self, timeout_s: float = 90.0) -> None:
        """Check that every judge a policy may ask can be reached. Raises JudgeUnavailable."""
        for judge in self._judges.judges:
            check = getattr(judge, "ensure_ready", None)
            if check is not None:
                check(timeout_s)

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

    # ---- the flow

    def _rules(self, samples: Sequence[Sample]) -> list[Ruled]:
        begin = time.perf_counter()
        routes = list(map(self._router.find, map(attrgetter("data_source"), samples)))
        placed = list(map(_with_form, samples, routes))
        alike = routes and routes.count(routes[0]) == len(routes)  # as nearly always
        verdicts = self._rule_verdicts(routes[0], placed) if alike else self._by_route(routes, placed)
        ruled = list(map(self._gated, placed, routes, verdicts))
        self._count(ruled, time.perf_counter() - begin)
        return ruled

    def _by_route(self, routes: list[Route], samples: list[Sample]) -> list[Verdict]:
        verdicts: list[Verdict] = [NOT_RUN] * len(samples)
        for route in dict.fromkeys(routes):
            mine = [index for index, found in enumerate(routes) if found is route]
            found = self._rule_verdicts(route, [samples[index] for index in mine])
            for index, verdict in zip(mine, found, strict=True):
                verdicts[index] = verdict
        return verdicts

    def _rule_verdicts(self, route: Route, samples: list[Sample]) -> list[Verdict]:
        if route.policy.runs_rules or self._on_error.needs_rules:
            if not self._warmed:
                self._warm(route)
            return route.chain.check(samples)
        needed = any(getattr(judge, "needs_reference", True) for judge in self._judges.judges)
        return [NO_REFERENCE if needed and not has_reference(sample) else NOT_RUN for sample in samples]

    def _warm(self, route: Route) -> None:
        """Have a worker import sympy while the cheap rules run: once, and only where the chain may need one."""
        if route.chain.isolated:
            self._warmed = True
            self._pool().warm()

    def _gated(self, sample: Sample, route: Route, rule: Verdict) -> Ruled:
        asks = rule.outcome is not BAD_REFERENCE and route.policy.asks(rule)
        if rule.outcome is CORRECT or (rule.outcome in SURE and not asks):
            return Ruled(sample, route, rule, "", asks)  # its content cannot change a thing
        gate = gate_reason(self._read(sample, route), sample.references)
        return Ruled(sample, route, rule, gate, asks and not gate)

    def _read(self, sample: Sample, route: Route) -> Extraction:
        return extract(
            sample.response,
            str(sample.meta.get("form", "auto")),
            self._tags,
            multiple_boxes=route.conventions.multiple_boxes,
            number_fallback=route.conventions.number_fallback,
        )

    def _subject(self, item: Ruled) -> Subject:
        reading = self._read(item.sample, item.route)
        return Subject(item.sample, reading.shown, reading.mark in GIVEN, reading.body)

    def _finish(self, batch: Sequence[Ruled]) -> list[Grade]:
        votes = self._votes(batch) if self._judges.judges else iter(())
        grades, graded = [], 0
        for item in batch:
            grade = self._settled(item, next(votes) if item.asked else ())
            graded += grade.graded
            grades.append(grade)
        self._stats.add("samples", graded=graded, ungraded=len(grades) - graded)
        return grades

    def _votes(self, batch: Sequence[Ruled]) -> Iterator[tuple[Verdict, ...]]:
        """For each sample that is asked about, in order, a verdict of every judge."""
        return iter(self._judges.ask([self._subject(item) for item in batch if item.asked]))

    def _settled(self, item: Ruled, votes: tuple[Verdict, ...]) -> Grade:
        policy = item.route.policy
        if item.rule.outcome is BAD_REFERENCE:
            judge, decision = SKIPPED, Decision(0.0, False, BAD_REFERENCE)
        elif item.gate:
            judge = replace(SKIPPED, reason=f"gate: {item.gate}")
            decision = Decision(0.0, True, Outcome.INCORRECT)
        elif item.asked:
            weights = [judge.weight for judge in self._judges.judges]
            judge, decision = settle(policy, self._panel, self._on_error, item.rule, votes, weights)
        else:
            judge, decision = SKIPPED, policy.combine(item.rule, SKIPPED)
        return Grade(
            score=self._reward.of(decision),
            graded=decision.graded,
            outcome=decision.outcome,
            rule=item.rule,
            judge=judge,
            votes=votes,
            policy=policy.name,
            fingerprint=item.route.fingerprint,
            judge_asked=item.asked,
        )

    def _count(self, ruled: Sequence[Ruled], seconds: float) -> None:
        outcomes: dict[str, float] = {}
        for item in ruled:
            name = NAMES[item.rule.outcome]
            outcomes[name] = outcomes.get(name, 0) + 1
        self._stats.add("rules", seconds=seconds, **outcomes)
        if self._judges.judges:
            asked, gated = sum(item.asked for item in ruled), sum(map(_kept_from_judges, ruled))
            self._stats.add("judge", asked=asked, gated=gated)

    # ---- building

    def _route(
        self, rules: str | Sequence[object], policy: Policy, name: str, settings: Mapping[str, Any]
    ) -> Route:
        conventions = self._conventions
        if settings.get("conventions") is not None:
            conventions = make_conventions(f"routes.{name}.conventions", settings["conventions"])
        chosen = make_policy(settings.get("policy") or policy)
        if chosen.asks_judges and not self._judges.judges:
            raise ConfigError(f"policy {chosen.name} asks a judge, and none is configured; add one to judges")
        checkers = make_checkers(settings.get("rules") or rules, conventions, self._tags)
        chain = RuleChain(checkers, self._pool, self._cache, self._stats, self._namespace)
        text = fingerprint(
            checkers, conventions, self._judges.judges, chosen, self._panel, self._on_error, self._reward
        )
        return Route(name, chain, chosen, str(settings.get("form") or "auto"), conventions, text)


def _kept_from_judges(item: Ruled) -> bool:
    """Refused by the content gate or by a sure reject, where the policy has judges."""
    unasked = (Outcome.CORRECT, Outcome.PARTIAL, Outcome.BAD_REFERENCE)
    return item.route.policy.asks_judges and not item.asked and item.rule.outcome not in unasked


def _with_form(sample: Sample, route: Route) -> Sample:
    if route.form == "auto" or "form" in sample.meta:
        return sample
    return replace(sample, meta={**sample.meta, "form": route.form})


_default: dict[int, Verifier] = {}
_default_lock = threading.Lock()


def verify(response: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Grade one pair with the default rules and no judge.

    >>> verify("the answer is 12", "12").outcome
    <Outcome.CORRECT: 'correct'>
    """
    verifier = _default.get(os.getpid()) or _default_verifier()
    (grade,) = verifier.grade([Sample(response, reference, question)])
    return grade


def _default_verifier() -> Verifier:
    """One for each process: a forked child has no use for its parent's threads and locks."""
    pid = os.getpid()
    with _default_lock:
        if pid not in _default:
            _default[pid] = Verifier()
        return _default[pid]


def _rebuild(arguments: dict[str, Any]) -> Verifier:
    return Verifier(**arguments)
