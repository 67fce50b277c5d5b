"""Holds votes back, where the monitor acts, for a text that judges accepted against too many different references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hybridverify.guards.monitor import Monitor
from hybridverify.judges.base import Judge, Subject
from hybridverify.pipeline.judge_stage import Vote
from hybridverify.pipeline.stats import Stats
from hybridverify.types import CORRECT, SURE, UNDECIDED, Verdict

SOURCE = "monitor:repeats"


class Holding:
    """Makes such accepts undecided; off unless the monitor acts.

    A judge that needs no reference (a rubric) is never held: there one text may be right for many questions.
    """

    def __init__(self, monitor: Monitor, judges: Sequence[Judge], stats: Stats) -> None:
        self.on = monitor.watch.act
        self._repeats = monitor.repeats
        self._stats = stats
        self._held = [getattr(judge, "needs_reference", True) for judge in judges]
        most = monitor.watch.max_repeats
        self._reason = f"monitor: this text was accepted against more than {most} different references"

    def held(self, subject: Subject, rule: Verdict, votes: tuple[Vote, ...]) -> tuple[Vote, ...]:
        """The votes. Where the text had too many accepts, those that accept it become undecided."""
        if rule.outcome is CORRECT or not any(map(self._may_hold, votes, self._held)):
            return votes
        sample = subject.sample
        if not self._repeats.exceeded(subject.answer, sample.question, sample.references):
            return votes
        self._stats.add("judge", monitor_held=1)
        held = list(map(self._undecided, votes, self._held))
        check = Verdict(UNDECIDED, 0.0, SOURCE, subject.answer, self._reason)
        return (held[0]._replace(checks=(*held[0].checks, check)), *held[1:])

    def count(self, subject: Subject, rule: Verdict, judge: Verdict) -> None:
        """Count an accept at once: the next row of the batch may have the same text."""
        if rule.outcome is not CORRECT and accepts(judge):
            self._repeats.add(subject.answer, subject.sample.question, subject.sample.references)

    def _may_hold(self, vote: Vote, needs_reference: bool) -> bool:
        return needs_reference and accepts(vote.verdict)

    def _undecided(self, vote: Vote, needs_reference: bool) -> Vote:
        if not self._may_hold(vote, needs_reference):
            return vote
        return vote._replace(verdict=replace(vote.verdict, outcome=UNDECIDED, score=0.0, reason=self._reason))


def accepts(verdict: Verdict) -> bool:
    """Whether the monitor counts this verdict as an accept."""
    return verdict.outcome in SURE and verdict.score >= 0.5
