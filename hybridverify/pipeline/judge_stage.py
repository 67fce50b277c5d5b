"""The judge stage: one vote of every judge for each subject, checked by the guards that ask a judge again.

This module knows no policies and no scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import NamedTuple, cast

from hybridverify.errors import ConfigError
from hybridverify.guards.foreign import picked, with_foreign_reference
from hybridverify.guards.judge_guards import Guards
from hybridverify.judges.base import Answered, Composed, Judge, Subject
from hybridverify.pipeline.judge_client import JudgeClient
from hybridverify.pipeline.stats import Stats
from hybridverify.policies.panel import LEFT_OPEN
from hybridverify.types import Outcome, Verdict


class Vote(NamedTuple):
    """One judge on one subject: its vote, the verdicts of the guards' second questions, and the request with its
    reply."""

    verdict: Verdict
    checks: tuple[Verdict, ...]
    asked: Answered


class JudgeStage:
    """Asks every judge of a panel about a batch of subjects."""

    def __init__(
        self,
        judges: Sequence[Judge],
        client: JudgeClient,
        stats: Stats,
        guards: Guards | None = None,
        in_turn: bool = False,
    ) -> None:
        self.judges = tuple(judges)
        self.in_turn = in_turn
        self._client = client
        self._stats = stats
        self._guards = guards or Guards()
        if self._guards.swap_check and self.judges and not any(map(_can_swap, self.judges)):
            raise ConfigError(
                "guards.swap_check: no judge has a second order of reference and answer; use preset generic or "
                "generic_cot"
            )

    @property
    def batches_at_once(self) -> int:
        """How many calls of `ask` from several threads gain time: as many as every judge's engine can use. One where
        the number of calls is limited, since which rows are asked about must not depend on the time."""
        if self._client.limited:
            return 1
        engines = [getattr(judge, "backend", None) for judge in self.judges]
        return min((getattr(engine, "batches_at_once", 1) for engine in engines), default=1)

    def sharing(self) -> AbstractContextManager[None]:
        """Until the block ends, equal questions of several calls of `ask` are asked once."""
        return self._client.sharing()

    def ask(self, subjects: Sequence[Subject]) -> list[tuple[Vote, ...]]:
        """For each subject one vote a judge. Raises JudgeUnavailable."""
        if not subjects or not self.judges:
            return [() for _ in subjects]
        if self.in_turn:
            return self._ask_in_turn(subjects)
        if len(self.judges) > 1 and all(getattr(judge, "concurrent", False) for judge in self.judges):
            with ThreadPoolExecutor(len(self.judges)) as threads:
                columns = list(threads.map(lambda judge: self._ask_one(judge, subjects), self.judges))
        else:
            columns = [self._ask_one(judge, subjects) for judge in self.judges]
        return list(zip(*columns, strict=True))

    def _ask_in_turn(self, subjects: Sequence[Subject]) -> list[tuple[Vote, ...]]:
        """Ask each judge about the rows that the judges before it left open. For a settled row a later judge's vote
        is `skipped`."""
        votes: list[list[Vote]] = [[] for _ in subjects]
        still = list(range(len(subjects)))
        for judge in self.judges:
            asked = self._ask_one(judge, [subjects[index] for index in still]) if still else []
            told = dict(zip(still, asked, strict=True))
            skipped = Verdict(Outcome.SKIPPED, 0.0, f"judge:{judge.name}", "", "settled by a judge before")
            for index, own in enumerate(votes):
                own.append(told.get(index) or Vote(skipped, (), Answered(skipped)))
            still = [index for index, vote in told.items() if vote.verdict.outcome in LEFT_OPEN]
        return [tuple(own) for own in votes]

    def _ask_one(self, judge: Judge, subjects: Sequence[Subject]) -> list[Vote]:
        votes = self._both_orders(judge, subjects) if self._swaps(judge) else self._one_order(judge, subjects)
        return self._past_canary(judge, subjects, votes) if self._guards.canary else votes

    def _swaps(self, judge: Judge) -> bool:
        return self._guards.swap_check and _can_swap(judge)

    def _one_order(self, judge: Judge, subjects: Sequence[Subject]) -> list[Vote]:
        if hasattr(judge, "parts") and hasattr(
            judge, "conclude"
        ):  # a wrapper passes these on, and isinstance would not see them
            return composed(self._client, cast(Composed, judge), subjects)
        answers = self._client.answers(judge, judge.prepare(subjects))
        return [Vote(answer.verdict, (), answer) for answer in answers]

    def _both_orders(self, judge: Judge, subjects: Sequence[Subject]) -> list[Vote]:
        """Ask in both orders of reference and answer, in one batch: one call of the engine."""
        prepared = [*judge.prepare(subjects), *judge.prepare_swapped(subjects)]  # type: ignore[attr-defined]
        answers = self._client.answers(judge, prepared)
        first, second = answers[: len(subjects)], answers[len(subjects) :]
        votes = []
        for one, other in zip(first, second, strict=True):
            check = replace(other.verdict, source=f"swap:{judge.name}")
            votes.append(Vote(agreed(one.verdict, check), (check,), one))
        disagreed = sum(vote.verdict is not one.verdict for vote, one in zip(votes, first, strict=True))
        self._stats.add("judge", swap_asked=len(votes), swap_disagreed=disagreed)
        return votes

    def _past_canary(self, judge: Judge, subjects: Sequence[Subject], votes: list[Vote]) -> list[Vote]:
        """Ask again, in one batch, about a share of the accepted rows, beside a foreign reference."""
        if not getattr(judge, "needs_reference", True):
            return votes
        guards = self._guards
        chosen = [
            index
            for index, (subject, vote) in enumerate(zip(subjects, votes, strict=True))
            if vote.verdict.outcome is Outcome.CORRECT
            and picked(subject, guards.canary, guards.seed, "canary")
        ]
        foreign = [with_foreign_reference(subjects[index], guards.seed) for index in chosen]
        answers = [vote.asked for vote in self._one_order(judge, foreign)] if foreign else []
        checked, broken = list(votes), 0
        for index, answer in zip(chosen, answers, strict=True):
            check = replace(answer.verdict, source=f"canary:{judge.name}")
            vote = votes[index]
            verdict = past_canary(vote.verdict, check)
            broken += verdict is not vote.verdict
            checked[index] = Vote(verdict, (*vote.checks, check), vote.asked)
        self._stats.add("judge", canary_asked=len(chosen), canary_broken=broken)
        return checked

    def usage(self) -> dict[str, float]:
        """Token and request counters of all judges, summed."""
        total: dict[str, float] = {}
        for judge in self.judges:
            for name, count in judge.usage().items():
                total[name] = total.get(name, 0) + count
        return total

    def close(self) -> None:
        for judge in self.judges:
            judge.close()


def composed(client: JudgeClient, judge: Composed, subjects: Sequence[Subject]) -> list[Vote]:
    """A vote for each subject, of a judge that asks several questions about one. All are asked in one batch, equal
    ones once."""
    parts = judge.parts(subjects)
    asked = [request for one in parts if not isinstance(one, Verdict) for request in one]
    answers = iter(client.answers(judge.asker, asked))
    votes = []
    for subject, own in zip(subjects, parts, strict=True):
        if isinstance(own, Verdict):
            votes.append(Vote(own, (), Answered(own)))
            continue
        said = [next(answers) for _ in own]
        verdict, made = judge.conclude(subject, said)
        replies = "\n".join(f"{one.source}: {one.answer}" for one in made)
        votes.append(Vote(verdict, made, Answered(verdict, own[-1], replies)))
    return votes


def agreed(verdict: Verdict, swapped: Verdict) -> Verdict:
    """The verdict if both orders say the same, undecided if they disagree. If the second order gave no verdict, there
    is none."""
    if not _speaks(verdict) or swapped.outcome is verdict.outcome:
        return verdict
    if not _speaks(swapped):
        reason = f"swap check: {swapped.reason}"
        return replace(verdict, outcome=swapped.outcome, score=0.0, reason=reason, fault=swapped.fault)
    reason = f"swap check: {verdict.outcome}, and {swapped.outcome} with the answer first"
    return replace(verdict, outcome=Outcome.UNDECIDED, score=0.0, reason=reason)


def past_canary(verdict: Verdict, canary: Verdict) -> Verdict:
    """The accept, but undecided if the judge accepts a foreign reference too. A canary that failed says nothing."""
    if canary.outcome is not Outcome.CORRECT:
        return verdict
    reason = "canary: the judge accepts this answer beside a foreign reference too"
    return replace(verdict, outcome=Outcome.UNDECIDED, score=0.0, reason=reason)


def _speaks(verdict: Verdict) -> bool:
    return verdict.sure or verdict.outcome is Outcome.INVALID


def _can_swap(judge: Judge) -> bool:
    return bool(getattr(judge, "can_swap", False))
