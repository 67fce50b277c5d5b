"""The second half of the flow: judges, panel, policy, and the grade. Read `Grading.finish` top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hybridverify.judging import JudgeStage, Vote
from hybridverify.panel import Panel
from hybridverify.policies import Decision, OnJudgeError, Reward
from hybridverify.rule_stage import BAD_REFERENCE, Ruled, RuleStage
from hybridverify.settle import settle
from hybridverify.stats import Stats
from hybridverify.types import SKIPPED, Grade, Outcome


class Grading:
    """Asks the judges about what the rule stage left open, and makes the grades."""

    def __init__(
        self,
        rules: RuleStage,
        judges: JudgeStage,
        panel: Panel | None,
        on_error: OnJudgeError,
        reward: Reward,
        stats: Stats,
    ) -> None:
        self._rules = rules
        self._judges = judges
        self._panel = panel
        self._on_error = on_error
        self._reward = reward
        self._stats = stats

    def finish(self, batch: Sequence[Ruled]) -> list[Grade]:
        """A grade for each, in order. Raises JudgeUnavailable, or JudgeError on request."""
        votes = self._votes(batch) if self._judges.judges else iter(())
        grades, graded = [], 0
        for item in batch:
            grade = self._settled(item, next(votes) if item.asked else ())
            graded += grade.graded
            grades.append(grade)
        self._stats.add("samples", graded=graded, ungraded=len(grades) - graded)
        return grades

    def _votes(self, batch: Sequence[Ruled]) -> Iterator[tuple[Vote, ...]]:
        """For each sample that is asked about, in order, a vote of every judge."""
        return iter(self._judges.ask([self._rules.subject(item) for item in batch if item.asked]))

    def _settled(self, item: Ruled, said: tuple[Vote, ...]) -> Grade:
        policy = item.route.policy
        votes = tuple([vote.verdict for vote in said])
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
            checks=tuple([check for vote in said for check in vote.checks]),
        )
