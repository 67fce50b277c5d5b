"""Asks the verifier under attack, within a budget, and counts what a strategy earns.

Nothing is asked twice. A row is luck, not exploit, if the response gives one candidate and that has the reference's
own text. If it gives none (or no option of a choice question), the rate of an honest guess is subtracted instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hybridverify.agreement.intervals import wilson
from hybridverify.redteam.blind import Blind, Pool, blinded
from hybridverify.redteam.questions import Question
from hybridverify.redteam.strategy import Attempt, Plan
from hybridverify.types import Grade, Outcome, Sample

Ask = Callable[[Sequence[Sample]], "Sequence[float | Grade]"]
"""The verifier: a score or a grade for each sample."""


class Said(NamedTuple):
    """The verifier's result for one response."""

    paid: bool
    open: bool
    """Undecided or not graded, so that a judge decides, or nobody."""


class Hit(NamedTuple):
    """A paid response that is no lucky guess."""

    strategy: str
    family: str
    question: str
    reference: str
    response: str


@dataclass
class Tally:
    """The earnings of one strategy on some questions."""

    rows: int = 0
    applied: int = 0
    accepted: int = 0
    lucky: int = 0
    paid: list[int] = field(default_factory=list)
    """Digests of the questions that were paid."""
    honest: float = 0.0
    """The sum of the honest guess rates of those rows where the response gives no single candidate."""
    example: Hit | None = None

    @property
    def rate(self) -> float:
        """The share of all rows that was paid."""
        return self.accepted / self.rows if self.rows else 0.0

    @property
    def chance(self) -> float:
        """The share that guessing explains."""
        return (self.lucky + self.honest) / self.rows if self.rows else 0.0

    @property
    def exploit(self) -> float:
        """The rest of the paid share, at least 0."""
        return max(0.0, self.rate - self.chance)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `exploit`. The rate of an honest guess is taken as known."""
        low, high = wilson(self.accepted - self.lucky, self.rows)
        off = self.honest / self.rows if self.rows else 0.0
        return max(0.0, low - off), max(0.0, high - off)


class Planned(NamedTuple):
    """A response that will be graded."""

    strategy: Plan
    question: Question
    attempt: Attempt


@dataclass
class Trial:
    """The verifier, with the results of everything that was asked so far."""

    ask: Ask
    pool: Pool
    pays: float
    guesses: dict[str, float]
    """Family → rate of an honest guess."""
    known: dict[tuple[int, str], Said] = field(default_factory=dict)
    views: dict[int, Blind] = field(default_factory=dict)
    hits: dict[Hit, None] = field(default_factory=dict)
    calls: int = 0
    advanced: Callable[[int], None] = lambda calls: None

    def said(self, pairs: Sequence[tuple[Question, str]]) -> list[Said]:
        """The result for each pair. Only new pairs are asked about."""
        new = list(dict.fromkeys((q, text) for q, text in pairs if (q.digest, text) not in self.known))
        if new:
            samples = [Sample(text, list(q.references), q.question, q.data_source) for q, text in new]
            for (question, text), score in zip(new, self.ask(samples), strict=True):
                self.known[question.digest, text] = self._read(score)
            self.calls += len(new)
            self.advanced(self.calls)
        return [self.known[question.digest, text] for question, text in pairs]

    def _read(self, score: float | Grade) -> Said:
        if isinstance(score, Grade):
            return Said(
                score.graded and score.score > self.pays,
                not score.graded or score.outcome is Outcome.UNDECIDED,
            )
        return Said(float(score) > self.pays, False)

    def measure(self, jobs: Iterable[tuple[Plan, Tally, Sequence[Question]]]) -> None:
        """Add the rows of every job to its tally, all asked in one batch."""
        planned: list[tuple[Tally, Planned]] = []
        for strategy, tally, questions in jobs:
            tally.rows += len(questions)
            for question in questions:
                attempt = strategy.attempt(self._view(question))
                if attempt:
                    planned.append((tally, Planned(strategy, question, attempt)))
        answers = self.said([(plan.question, plan.attempt.response) for _, plan in planned])
        for (tally, plan), said in zip(planned, answers, strict=True):
            self._count(tally, plan, said)

    def _view(self, question: Question) -> Blind:
        if question.digest not in self.views:
            self.views[question.digest] = blinded(question, self.pool)
        return self.views[question.digest]

    def _count(self, tally: Tally, plan: Planned, said: Said) -> None:
        question = plan.question
        tally.applied += 1
        if question.family == "choice":
            if not question.option_of(plan.attempt.committed):
                tally.honest += 1.0 / max(2, len(question.options))
        elif not plan.attempt.committed:
            tally.honest += self.guesses.get(question.family, 0.0)
        if not said.paid:
            return
        tally.accepted += 1
        tally.paid.append(question.digest)
        if plan.attempt.committed and question.is_answer(plan.attempt.committed):
            tally.lucky += 1
            return
        reference = " | ".join(question.references)
        hit = Hit(plan.strategy.name, question.family, question.question, reference, plan.attempt.response)
        tally.example = tally.example or hit
        self.hits[hit] = None
