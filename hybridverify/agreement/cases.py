"""One pass over labelled rows that keeps every verdict that any policy could use.

The judge is asked about everything that passes the content gate. `replay` then finds the decision of each policy
without asking again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from hybridverify.agreement.judges import ReachedLate
from hybridverify.agreement.rows import LabelledRow
from hybridverify.config.arguments import judge_entries
from hybridverify.config.registry import make_judge
from hybridverify.errors import ConfigError
from hybridverify.gate.content import gate_reason
from hybridverify.pipeline.chain import NO_REFERENCE, has_reference
from hybridverify.pipeline.grading import combine
from hybridverify.pipeline.routes import REFUSED, Route
from hybridverify.pipeline.rule_stage import NOT_RUN, GateReading, Ruled, RuleStage
from hybridverify.policies import Decision, OnJudgeError, Policy, RuleOnly, make_policy
from hybridverify.policies.panel import Panel
from hybridverify.types import SKIPPED, Outcome, Sample, Verdict
from hybridverify.verifier import Verifier

CHUNK_ROWS = 256
_MAX_SHOWN = 600  # characters of a text in reports; whole responses of a large set would not fit into memory


@dataclass(frozen=True)
class AskAll(Policy):
    """Runs the rules and asks about every row. `configured` is the policy that the configuration names."""

    name: ClassVar[str] = "ask_all"

    configured: Policy = field(default_factory=RuleOnly)

    def describe(self) -> str:
        return self.name  # what is configured changes no verdict

    def asks(self, rule: Verdict) -> bool:
        return True

    def combine(self, rule: Verdict, judge: Verdict) -> Decision:
        return RuleOnly().combine(rule, judge)


@dataclass(frozen=True)
class Case:
    """One labelled row with every verdict. `gate` is the reason why the content gate refuses it, or "". `refused` is
    the reason why the guards do, under policies that trust sure rejects."""

    label: bool
    rule: Verdict
    votes: tuple[Verdict, ...] = ()
    gate: str = ""
    referenced: bool = True
    configured: Policy = field(default_factory=RuleOnly)
    groups: Mapping[str, str] = field(default_factory=dict)
    number: int = 0
    place: str = ""
    question: str = ""
    reference: str = ""
    response: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Setup:
    """The settings that decide besides the verdicts: the default policy, panel, error actions, and the judges."""

    policy: Policy = field(default_factory=RuleOnly)
    panel: Panel | None = None
    on_error: OnJudgeError = field(default_factory=OnJudgeError)
    weights: tuple[float, ...] = ()
    judges: tuple[str, ...] = ()
    judges_need_reference: bool = True
    routed: bool = False
    """Whether routes name policies of their own."""
    fingerprint: str = ""
    """The fingerprint of the default route."""


@dataclass(frozen=True)
class Replayed:
    """A policy's decision on a case. `judge` is the verdict of the panel or of the single judge, or skipped."""

    decision: Decision
    asked: bool
    judge: Verdict


def replay(case: Case, policy: Policy, setup: Setup) -> Replayed:
    """The decision that a run under this policy would make, from stored verdicts."""
    rule = _seen(case, policy, setup)
    if rule.outcome is Outcome.BAD_REFERENCE:
        return Replayed(Decision(0.0, False, Outcome.BAD_REFERENCE), False, SKIPPED)
    asks = policy.asks(rule)
    unchanging = rule.outcome is Outcome.CORRECT or (rule.sure and not asks)
    refused = case.gate or (case.refused if asks and not policy.asks(REFUSED) else "")
    if refused and not unchanging:
        return Replayed(Decision(0.0, True, Outcome.INCORRECT), False, SKIPPED)
    if not asks:
        return Replayed(policy.combine(rule, SKIPPED), False, SKIPPED)
    judge, decision = combine(policy, setup.panel, setup.on_error, rule, case.votes, setup.weights)
    return Replayed(decision, True, judge)


def _seen(case: Case, policy: Policy, setup: Setup) -> Verdict:
    if policy.runs_rules or setup.on_error.needs_rules:
        return case.rule
    return NO_REFERENCE if setup.judges_need_reference and not case.referenced else NOT_RUN


class _GateForAll(RuleStage):
    """As in a run, but the gate examines every row: `judge_only` would ask about each."""

    def gated(self, sample: Sample, route: Route, rule: Verdict, read: GateReading | None = None) -> Ruled:
        item = super().gated(sample, route, rule, read)
        if not self.judges:
            return item
        if rule.outcome is Outcome.CORRECT:
            return item._replace(
                gate=gate_reason(self.read(sample, route), sample.references, sample.question)
            )
        if rule.outcome is Outcome.BAD_REFERENCE:  # a rubric judge can do without
            return item._replace(asked=not item.gate and not self.need_reference)
        return item


class Collector(Verifier):
    """A Verifier that asks its judges about every row that any policy could ask about.

    Made by `Collector.of(settings)`, from the settings of `Verifier.from_config`. Its grades are not meant to be
    used; `collect` turns them into cases.
    """

    _stage = _GateForAll

    setup: Setup

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Collector:
        """Make a collector. Raises ConfigError, also if a policy asks a judge and none is configured."""
        from hybridverify.config import load_settings

        checked = load_settings(settings)
        policy = make_policy(checked["policy"])
        routes = dict(checked["routes"])
        own = {name: make_policy(route["policy"]) for name, route in routes.items() if route.get("policy")}
        judged = bool(checked["judges"])
        for each in (policy, *own.values()):
            if each.asks_judges and not judged:
                raise ConfigError(
                    f"policy {each.name} asks a judge, and none is configured; add one to judges"
                )
        routes.update({name: {**routes[name], "policy": _gathering(p, judged)} for name, p in own.items()})
        collector = cls(
            **{
                **checked,
                "judges": [ReachedLate(make_judge(judge)) for judge in judge_entries(checked["judges"])],
                "policy": _gathering(policy, judged),
                "routes": routes,
                "on_judge_error": "mask",
            }
        )
        errors = OnJudgeError.from_setting(checked["on_judge_error"], checked["neutral_score"])
        collector.setup = collector._make_setup(policy, errors, bool(own))
        return collector

    def __enter__(self) -> Collector:
        return self

    def collect(self, rows: Iterable[LabelledRow]) -> Iterator[Case]:
        """A case for each row, in order. The rules of one chunk run while another is judged."""
        waiting: deque[LabelledRow] = deque()

        def samples() -> Iterator[Sample]:
            for row in rows:
                waiting.append(row)
                yield row.sample

        for grade in self.grade_iter(samples(), chunk_size=CHUNK_ROWS):
            gate = grade.judge.reason if grade.judge.outcome is Outcome.SKIPPED else ""
            unasked = "not asked" if self.setup.judges and not grade.votes else ""
            yield self._case(waiting.popleft(), grade.rule, grade.votes, gate or unasked)

    def _make_setup(self, policy: Policy, errors: OnJudgeError, routed: bool) -> Setup:
        judges = self._judges.judges
        return Setup(
            policy,
            self._panel,
            without_raising(errors),
            tuple(judge.weight for judge in judges),
            tuple(judge.name for judge in judges),
            self._rule_stage.need_reference,
            routed,
            self._router.routes()[-1].fingerprint,
        )

    def _case(self, row: LabelledRow, rule: Verdict, votes: tuple[Verdict, ...], gate: str) -> Case:
        sample = row.sample
        return Case(
            row.label,
            rule,
            votes,
            gate,
            has_reference(sample),
            self._configured(sample.data_source),
            row.groups,
            row.number,
            row.place,
            _head(sample.question),
            _head(" | ".join(sample.references)),
            _end(sample.response),
            self._rule_stage.refusal(sample) if self.setup.judges else "",
        )

    def _configured(self, data_source: str) -> Policy:
        policy = self._router.find(data_source).policy
        return policy.configured if isinstance(policy, AskAll) else policy


def without_raising(errors: OnJudgeError) -> OnJudgeError:
    """The same actions, but where a run would stop, a report does not grade the row."""
    masked = {outcome: "mask" if a == "raise" else a for outcome, a in errors.actions.items()}
    return replace(errors, actions=masked, default="mask" if errors.default == "raise" else errors.default)


def _gathering(policy: Policy, judged: bool) -> Policy:
    return AskAll(configured=policy) if judged else policy


def _head(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + " …"


def _end(text: str) -> str:
    """The end of a text, where the final answer stands."""
    return text if len(text) <= _MAX_SHOWN else "… " + text[-_MAX_SHOWN:]
