"""The first half of the flow: routes, rules, content gate, and whether a judge is wanted.

Read `RuleStage.run` top to bottom; grading.py has the second half.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from hybridverify.answers.extract import Extraction, Mark, extract
from hybridverify.conventions import Conventions
from hybridverify.gate.content import reason_against
from hybridverify.guards.judge_guards import Guards
from hybridverify.judges.base import Judge, Subject
from hybridverify.pipeline.chain import NO_REFERENCE, has_reference
from hybridverify.pipeline.isolated import PoolOf
from hybridverify.pipeline.routes import Route, Router
from hybridverify.pipeline.stats import Stats
from hybridverify.policies import OnJudgeError
from hybridverify.types import CORRECT, SURE, Outcome, Sample, Verdict

GIVEN = (Mark.BOXED, Mark.HASH, Mark.TAG, Mark.STATED)
"""Marks of a given answer. Without one, a judge is shown a line or a paragraph."""
BAD_REFERENCE = Outcome.BAD_REFERENCE
NOT_RUN = Verdict(Outcome.SKIPPED, 0.0, "rule", "", "the policy runs no rules")


GateReading: TypeAlias = tuple[Extraction, str]
"""What a response answers, and the content gate's reason against it."""


class Ruled(NamedTuple):
    """A sample after the rule stage: its route, its verdict, and whether a judge is wanted."""

    sample: Sample
    route: Route
    rule: Verdict
    gate: str
    asked: bool
    subject: Subject | None = None
    """What judges are shown; None where no judge is asked."""


class RuleStage:
    """Runs the rules of a batch, and finds the rows that a judge is asked about."""

    def __init__(
        self,
        router: Router,
        judges: Sequence[Judge],
        on_error: OnJudgeError,
        tags: tuple[str, str],
        pool: PoolOf,
        stats: Stats,
        guards: Guards,
    ) -> None:
        self.judges = tuple(judges)
        self._guards = guards
        self._guarded = all(getattr(judge, "needs_reference", True) for judge in self.judges)
        self._router = router
        self._on_error = on_error
        self._tags = tags
        self._pool = pool
        self._stats = stats

    def run(self, samples: Sequence[Sample]) -> list[Ruled]:
        """One result for each sample, in order."""
        begin = time.perf_counter()
        routes = []
        for sample in samples:
            routes.append(self._router.by_source[sample.data_source])
        alike = len(routes) > 0 and routes.count(routes[0]) == len(routes)  # nearly always true
        ruled = self._of_route(routes[0], samples) if alike else self._by_route(routes, samples)
        self._count(ruled, time.perf_counter() - begin)
        return ruled

    def run_here(self, samples: Sequence[Sample]) -> list[Ruled | None]:
        """`run` for the rows that need neither another process nor a judge; None for the others, which are not
        counted."""
        begin = time.perf_counter()
        ruled = []
        for route, run in itertools.groupby(
            samples, lambda sample: self._router.by_source[sample.data_source]
        ):
            ruled.extend(self._here(route, list(run)))
        self._count([item for item in ruled if item is not None], time.perf_counter() - begin)
        return ruled

    def _here(self, route: Route, samples: Sequence[Sample]) -> list[Ruled | None]:
        if route.form != "auto":
            samples = [_with_form(sample, route.form) for sample in samples]
        runs = self._runs_rules(route)
        verdicts = route.chain.check_here(samples) if runs else self._not_run(samples)
        items = (
            None if verdict is None else self.gated(sample, route, verdict)
            for sample, verdict in zip(samples, verdicts, strict=True)
        )
        return [None if item is None or item.asked else item for item in items]

    def warm(self) -> None:
        """Start the process from which workers are forked, without waiting for it, if the chain of a route may need
        one."""
        if any(route.chain.isolated and self._runs_rules(route) for route in self._router.routes()):
            self._pool().warm()

    def gated(self, sample: Sample, route: Route, rule: Verdict, read: GateReading | None = None) -> Ruled:
        """One sample after its rule verdict: the result of the content gate, and whether the policy asks a judge.
        `read` is given where the response went through the gate before."""
        asks = route.policy.asks_judges and _asks(route, rule)
        if rule.outcome is CORRECT or (rule.outcome in SURE and not asks):
            return Ruled(sample, route, rule, "", asks)  # no gate can change this
        reading, gate = read or self._gate(sample, route)
        if not asks or gate:
            return Ruled(sample, route, rule, gate, False)
        subject = as_subject(sample, reading, route.conventions)
        if not route.asks_again and (refusal := self._refusal(subject)):
            return Ruled(sample, route, rule, refusal, False)
        return Ruled(sample, route, rule, "", True, subject)

    def refusal(self, sample: Sample) -> str:
        """The reason why the guards keep a sample from the judges, under a policy that trusts sure rejects; or ""."""
        placed, route = self.placed(sample)
        return self._refusal(as_subject(sample, self.read(placed, route), route.conventions))

    def placed(self, sample: Sample) -> tuple[Sample, Route]:
        """The sample as the rules of its route see it."""
        route = self._router.find(sample.data_source)
        return sample if route.form == "auto" else _with_form(sample, route.form), route

    def _refusal(self, subject: Subject) -> str:
        return self._guards.refusal(subject) if self._guarded else ""

    def _gate(self, sample: Sample, route: Route) -> GateReading:
        """The answer, and why no judge may be asked about it."""
        reading = self.read(sample, route)
        return reading, reason_against(reading, sample.references, sample.question)

    def read(self, sample: Sample, route: Route) -> Extraction:
        """The answer that the response gives."""
        return extract(
            sample.response,
            str(sample.meta.get("form", "auto")),
            self._tags,
            multiple_boxes=route.conventions.multiple_boxes,
            number_fallback=route.conventions.number_fallback,
            question=sample.question,
        )

    def subject(self, item: Ruled) -> Subject:
        """The sample as judges see it."""
        return item.subject or as_subject(
            item.sample, self.read(item.sample, item.route), item.route.conventions
        )

    @property
    def need_reference(self) -> bool:
        """Whether some judge cannot do without a reference."""
        return any(getattr(judge, "needs_reference", True) for judge in self.judges)

    def _by_route(self, routes: Sequence[Route], samples: Sequence[Sample]) -> list[Ruled]:
        ruled: dict[int, Ruled] = {}
        for route in dict.fromkeys(routes):
            mine = [index for index, found in enumerate(routes) if found is route]
            ruled.update(zip(mine, self._of_route(route, [samples[index] for index in mine]), strict=True))
        return [ruled[index] for index in range(len(samples))]

    def _of_route(self, route: Route, samples: Sequence[Sample]) -> list[Ruled]:
        if route.form != "auto":
            samples = [_with_form(sample, route.form) for sample in samples]
        readings: dict[int, GateReading] = {}

        def read(index: int) -> None:
            readings[index] = self._gate(samples[index], route)

        runs = self._runs_rules(route)
        verdicts = route.chain.check(samples, read) if runs else self._not_run(samples)
        ruled = []
        for index, sample in enumerate(samples):
            ruled.append(self.gated(sample, route, verdicts[index], readings.get(index)))
        return ruled

    def _runs_rules(self, route: Route) -> bool:
        return route.policy.runs_rules or self._on_error.needs_rules

    def _not_run(self, samples: Sequence[Sample]) -> list[Verdict]:
        needed = self.need_reference
        return [NO_REFERENCE if needed and not has_reference(sample) else NOT_RUN for sample in samples]

    def _count(self, ruled: Sequence[Ruled], seconds: float) -> None:
        outcomes: dict[str, float] = {}
        for item in ruled:
            name = item.rule.outcome._value_  # `value` is a property, which takes longer than a comparison
            outcomes[name] = outcomes.get(name, 0) + 1
        self._stats.add("rules", seconds=seconds, **outcomes)
        if self.judges:
            asked, gated = sum([item.asked for item in ruled]), sum(map(_kept_from_judges, ruled))
            self._stats.add("judge", asked=asked, gated=gated)


def _asks(route: Route, rule: Verdict) -> bool:
    """Whether the policy wants a judge, whatever the gate and the guards say."""
    policy = route.policy
    return policy.asks_judges and rule.outcome is not BAD_REFERENCE and policy.asks(rule)


def as_subject(sample: Sample, reading: Extraction, conventions: Conventions) -> Subject:
    """The subject that a judge is shown, made from a reading."""
    return Subject(sample, reading.shown, reading.mark in GIVEN, reading.body, conventions)


def _kept_from_judges(item: Ruled) -> bool:
    """Whether the policy has judges, and the gate, a guard or a sure reject kept this row from them."""
    unasked = (Outcome.CORRECT, Outcome.PARTIAL, Outcome.BAD_REFERENCE)
    return item.route.policy.asks_judges and not item.asked and item.rule.outcome not in unasked


def _with_form(sample: Sample, form: str) -> Sample:
    return sample if "form" in sample.meta else replace(sample, meta={**sample.meta, "form": form})
