"""The second half of the flow: judges, panel, policy, and the grade. Read `Grading.finish` top to bottom."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hybridverify.errors import Fault
from hybridverify.guards.audit import AuditFile
from hybridverify.guards.monitor import Monitor, Observed
from hybridverify.judges.base import Subject
from hybridverify.pipeline.holding import Holding
from hybridverify.pipeline.judge_stage import JudgeStage, Vote
from hybridverify.pipeline.rule_stage import BAD_REFERENCE, Ruled, RuleStage
from hybridverify.pipeline.stats import Stats
from hybridverify.policies import Decision, OnJudgeError, Policy, Reward, Sum, rule_term
from hybridverify.policies.panel import Panel, score_outcome
from hybridverify.types import SKIPPED, SURE, UNDECIDED, Grade, Outcome, Verdict


class Grading:
    """Asks the judges about the rows that the rule stage left open, and makes the grades."""

    def __init__(
        self,
        rules: RuleStage,
        judges: JudgeStage,
        panel: Panel | None,
        on_error: OnJudgeError,
        reward: Reward,
        stats: Stats,
        monitor: Monitor,
        audit: AuditFile | None = None,
    ) -> None:
        self._rules = rules
        self._judges = judges
        self._panel = panel
        self._on_error = on_error
        self._reward = reward
        self._pays_scores = reward == Reward()
        self._stats = stats
        self._monitor = monitor
        self._audit = audit
        self._holding = Holding(monitor, judges.judges, stats)
        self._turn = threading.RLock()

    @property
    def batches_at_once(self) -> int:
        """How many batches may be judged at a time. One, where a row's grade depends on the rows before it, and where
        some judge's engine gains nothing from more."""
        if self._holding.on or self._audit is not None or not self._judges.judges:
            return 1
        return self._judges.batches_at_once

    def finish(self, batch: Sequence[Ruled]) -> list[Grade]:
        """A grade for each row, in order. Raises JudgeUnavailable, and JudgeError where `on_judge_error` says
        `raise`."""
        asked = self._ask(batch) if self._judges.judges else iter(())
        weights = [judge.weight for judge in self._judges.judges]
        grades, graded, judged = [], 0, []
        for item in batch:
            if item.asked:
                subject, votes = next(asked)
                grade = self._judged(item, subject, votes, weights)
                judged.append((subject, grade, votes))
            else:
                grade = self._settled(item, (), weights)
            graded += grade.graded
            grades.append(grade)
        self._stats.add("samples", graded=graded, ungraded=len(grades) - graded)
        if judged:
            self._watch(judged)
        return grades

    def _ask(self, batch: Sequence[Ruled]) -> Iterator[tuple[Subject, tuple[Vote, ...]]]:
        """For each row that is asked about, in order: the subject that judges saw, and a vote of every judge."""
        subjects = [item.subject or self._rules.subject(item) for item in batch if item.asked]
        return zip(subjects, self._judges.ask(subjects), strict=True)

    def _watch(self, judged: Sequence[tuple[Subject, Grade, tuple[Vote, ...]]]) -> None:
        """Show the judged rows to the monitor and, where there is one, to the audit file."""
        self._monitor.observe([observed(subject, grade) for subject, grade, _ in judged])
        if self._audit is not None:
            wanted = [row for row in judged if self._audit.wants(row[0])]
            self._audit.add(
                (subject, grade, [vote.asked for vote in votes]) for subject, grade, votes in wanted
            )

    def _judged(
        self, item: Ruled, subject: Subject, votes: tuple[Vote, ...], weights: Sequence[float]
    ) -> Grade:
        """The grade of a row that was asked about.

        Where the monitor acts, only one thread at a time holds, settles and counts a row: otherwise several threads
        could all accept a text that has one accept left.
        """
        if not self._holding.on:
            return self._settled(item, votes, weights)
        with self._turn:
            grade = self._settled(item, self._holding.held(subject, item.rule, votes), weights)
            self._holding.count(subject, item.rule, grade.judge)
        return grade

    def _settled(self, item: Ruled, said: tuple[Vote, ...], weights: Sequence[float]) -> Grade:
        policy = item.route.policy
        votes = tuple([vote.verdict for vote in said]) if said else ()
        checks = tuple([check for vote in said for check in vote.checks]) if said else ()
        judged = item.asked and not _declined(votes)
        judge, decision = self._decided(item, votes, weights)
        as_it_is = self._pays_scores and decision.graded
        return Grade(  # by position: named arguments cost half as much again
            decision.score if as_it_is else self._reward.of(decision),
            decision.graded,
            decision.outcome,
            item.rule,
            judge,
            votes,
            policy.name,
            item.route.told.fixed or item.route.fingerprint,
            judged,
            checks,
        )

    def _decided(
        self, item: Ruled, votes: Sequence[Verdict], weights: Sequence[float]
    ) -> tuple[Verdict, Decision]:
        if item.rule.outcome is BAD_REFERENCE:
            return SKIPPED, Decision(0.0, False, BAD_REFERENCE)
        if item.gate:
            return replace(SKIPPED, reason=f"gate: {item.gate}"), Decision(0.0, True, Outcome.INCORRECT)
        if item.asked:
            return combine(item.route.policy, self._panel, self._on_error, item.rule, votes, weights)
        return SKIPPED, item.route.policy.combine(item.rule, SKIPPED)


def combine(
    policy: Policy,
    panel: Panel | None,
    on_error: OnJudgeError,
    rule: Verdict,
    votes: Sequence[Verdict],
    weights: Sequence[float],
) -> tuple[Verdict, Decision]:
    """The verdict of the panel or of the single judge, and the decision of the policy, for a row that was asked
    about."""
    judge = votes[0] if panel is None else panel.decide(votes, weights)
    if judge.outcome not in SURE and (action := on_error.action(judge.outcome)):
        return judge, on_error.decide(action, rule, judge)
    if panel is not None and panel.folds and isinstance(policy, Sum):
        return judge, _folded(policy, panel, rule, votes, weights)
    return judge, policy.combine(rule, judge)


def _folded(
    policy: Sum, panel: Panel, rule: Verdict, votes: Sequence[Verdict], weights: Sequence[float]
) -> Decision:
    """The decision of `sum` over a list of folds. It starts from the rule's term, so the order of the list counts."""
    start = policy.rule_weight * rule_term(rule)
    score = panel.fold(start, votes, [policy.judge_weight * weight for weight in weights])
    outcomes = {
        rule.outcome if rule.sure else Outcome.INCORRECT,
        *(score_outcome(vote.score) for vote in votes),
    }
    return Decision(score, True, outcomes.pop() if len(outcomes) == 1 else Outcome.PARTIAL)


def _declined(votes: Sequence[Verdict]) -> bool:
    """Whether every judge said, before its model was asked, that it does not judge rows of this kind."""
    for vote in votes:  # a generator takes thrice as long, and this is asked for every row
        if vote.outcome is not UNDECIDED or vote.fault is not Fault.ROW:
            return False
    return bool(votes)


def observed(subject: Subject, grade: Grade) -> Observed:
    """A judged row as the monitor sees it."""
    sample = subject.sample
    return Observed(
        subject.answer,
        sample.question,
        sample.references,
        grade.rule,
        grade.judge,
        grade.votes,
        grade.checks,
    )
