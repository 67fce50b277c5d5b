"""The verdict of every tier on one sample: the rows that `hybridverify explain` prints."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from hybridverify.answers.extract import Extraction
from hybridverify.conventions import Conventions
from hybridverify.pipeline.chain import applies, guarded
from hybridverify.pipeline.isolated import prepare
from hybridverify.pipeline.routes import Route
from hybridverify.rules.base import Checker
from hybridverify.types import Grade, Outcome, Sample, Verdict

_OPTIONS = frozenset(field.name for field in fields(Conventions))


@dataclass(frozen=True)
class Step:
    """One tier: how it read the answer, its verdict and reason, and the convention that decided."""

    tier: str
    reading: str
    outcome: str
    reason: str
    option: str = ""


@dataclass(frozen=True)
class Explanation:
    """All steps in order, then the grade."""

    steps: tuple[Step, ...]
    grade: Grade


def explain(sample: Sample, route: Route, reading: Extraction, gate: str, grade: Grade) -> Explanation:
    """Run every tier of the route, also those after the one that decided."""
    steps = [Step("extract", reading.answer or reading.shown, reading.mark.value, reading.problem)]
    if route.policy.runs_rules:
        steps += [_rule_step(route, checker, sample) for checker in route.chain.checkers]
    if gate:
        steps.append(Step("gate", reading.shown, "gated", gate))
    votes = grade.votes or ((grade.judge,) if grade.judge.outcome is not Outcome.SKIPPED else ())
    steps += [_step(vote.source, vote.answer, vote) for vote in votes]
    steps += [_step(check.source, check.answer, check) for check in grade.checks]
    if len(grade.votes) > 1:
        steps.append(_step(grade.judge.source, "", grade.judge))
    return Explanation(tuple(steps), grade)


def rule_verdicts(sample: Sample, route: Route) -> list[Verdict]:
    """What every rule of the route says that runs in this process, also those after the one that decided. A rule that
    needs a worker is skipped."""
    found = []
    for checker in route.chain.checkers:
        if checker.isolated or not applies(checker, sample):
            found.append(Verdict(Outcome.SKIPPED, 0.0, f"rule:{checker.name}"))
        else:
            found.append(guarded(checker, sample))
    return found


def _rule_step(route: Route, checker: Checker, sample: Sample) -> Step:
    if not applies(checker, sample):
        return Step(f"rule:{checker.name}", "", Outcome.BAD_REFERENCE.value, "no reference to compare with")
    verdict = _verdict(route, checker, sample)
    typed = getattr(checker, "reading", None)
    return _step(f"rule:{checker.name}", typed(sample) if typed else verdict.answer, verdict)


def _verdict(route: Route, checker: Checker, sample: Sample) -> Verdict:
    if not checker.isolated:
        return guarded(checker, sample)
    prepared = prepare(checker, sample)
    if isinstance(prepared, Verdict):
        return prepared
    (result,) = route.chain.pool().run(checker.check, [prepared])
    if isinstance(result, Verdict):
        return result
    return Verdict(result.outcome, 0.0, f"rule:{checker.name}", "", result.reason)


def _step(tier: str, reading: str, verdict: Verdict) -> Step:
    named = [word for word in re.findall(r"[a-z_]+", verdict.reason) if word in _OPTIONS]
    return Step(tier, reading, verdict.outcome.value, verdict.reason, named[0] if named else "")
