"""The search: strategies compete on the questions of one half, and the best are mutated and crossed, until the budget
ends.

A new strategy is tried on a few questions. The most promising get more, so that a rate of a few per cent is seen
before they are bred from. Only the seed and the rows decide what is found.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from hybridverify.redteam.questions import Question
from hybridverify.redteam.strategy import Plan, Portfolio, Strategy, crossed, mutated, random_strategy
from hybridverify.redteam.trial import Tally, Trial

_FIRST = 8
"""How many questions a new strategy is first tried on."""
_LEAST = 3
"""The least questions of a first try. If the budget is too small even for that, some strategies are not tried."""
_PARENTS = 10
_CHILDREN = 16
_NEWCOMERS = 4
_PROMOTED = 6
_MEMBERS, _LONGEST = 12, 5
"""How many strategies portfolios are made of, and how long a portfolio gets."""
_HALVING, _COMBINING, _SETTLING = 0.5, 0.15, 0.15
"""Shares of the budget for the first strategies, for portfolios, and for the first few at the end. The rest is for
breeding."""
_SETTLED = 4
_OPTIMISM = 0.25
"""The bonus for little evidence. It is divided by the root of the number of rows."""


@dataclass
class Search:
    """The search in one family."""

    trial: Trial
    questions: Sequence[Question]
    budget: int
    random: random.Random
    tallies: dict[Plan, Tally] = field(default_factory=dict)

    def run(self, start: Sequence[Strategy]) -> list[Plan]:
        """The tried strategies, best first. Of several that are paid for the same questions, the simplest is kept."""
        stop = self.trial.calls + self.budget
        end = self.trial.calls + int(self.budget * (1.0 - _COMBINING - _SETTLING))
        first = min(_FIRST, max(_LEAST, self.budget // (4 * max(1, len(start)))))
        most = max(1, self.budget // (3 * first))
        start = start if len(start) <= most else self.random.sample(start, most)
        self._halve(start, first, self.trial.calls + int(self.budget * _HALVING))
        idle = 0
        while self.trial.calls < end and idle < 20:  # a small file is exhausted before the budget
            before = self.trial.calls
            self._extend(self._children(), first)
            for strategy in self._promising():
                self._extend([strategy], 2 * self.tallies[strategy].rows)
            idle = idle + 1 if self.trial.calls == before else 0
        self._combine()
        self._settle(stop)
        return self.ranked()

    def _halve(self, start: Sequence[Plan], first: int, end: int) -> None:
        """Successive halving (Jamieson and Talwalkar, 2016): the better half gets twice the rows, and so on."""
        alive, rows = list(start), first
        self._extend(alive, rows)
        while len(alive) > _PROMOTED and rows < len(self.questions) and self.trial.calls < end:
            rows *= 2
            alive = sorted(alive, key=self._hope, reverse=True)[: len(alive) // 2]
            self._extend(alive, rows)

    def _hope(self, plan: Plan) -> tuple[bool, float, int]:
        """The rate that may be earned, with a bonus for little evidence. Among equals the simplest wins."""
        tally = self.tallies[plan]
        bonus = _OPTIMISM / math.sqrt(max(1, tally.rows))
        return tally.applied > 0, tally.rate - tally.chance + bonus, plan.plainness

    def _settle(self, stop: int) -> None:
        """Try the first few on more rows, until none of them is among them by a few lucky rows."""
        rows = min(len(self.questions), max(_FIRST, int(self.budget * _SETTLING / _SETTLED)))
        while self.trial.calls < stop:
            thin = [plan for plan in self.ranked()[:_SETTLED] if self.tallies[plan].rows < rows]
            if not thin:
                return
            self._extend(thin[:1], rows)

    def tally(self, plan: Plan) -> Tally:
        """The counts of a strategy; empty if it was not tried."""
        return self.tallies.get(plan, Tally())

    def ranked(self) -> list[Plan]:
        """Sorted by the lower end of the rate's interval, then by the rate. Strategies that are paid for the same
        questions appear once."""
        found: dict[tuple[int, ...], Plan] = {}
        for plan in sorted(self.tallies, key=self._worth, reverse=True):
            paid = self.tallies[plan].paid
            found.setdefault(tuple(paid[:_FIRST]) if paid else (len(found), 0), plan)
        return list(found.values())

    def _combine(self) -> None:
        """Greedy portfolios of the best strategies. A member is added as long as it earns more."""
        members = self._members()
        rows = min(len(self.questions), max(1, int(self.budget * _COMBINING / _MEMBERS)))
        if not members:
            return
        self._extend(members, rows)
        members.sort(key=self._worth, reverse=True)
        best: tuple[Strategy, ...] = tuple(members[:1])
        for _ in range(_LONGEST - 1):
            tries = [
                Portfolio((*best[:at], member, *best[at:]))
                for member in members
                if member not in best
                for at in range(len(best) + 1)
            ]
            self._extend(
                [plan for plan in tries if plan not in self.tallies], rows
            )  # hardly any new questions are left to ask about
            top = max(tries, key=self._worth, default=None)
            if top is None or self._worth(top)[:2] <= self._worth(self._plan(best))[:2]:
                return
            best = top.members

    def _members(self) -> list[Strategy]:
        """Sorted by new paid questions, beyond those of the earlier ones, for each row tried."""
        left = [plan for plan in self.ranked() if isinstance(plan, Strategy) and self.tallies[plan].paid]
        chosen: list[Strategy] = []
        covered: set[int] = set()
        while left and len(chosen) < _MEMBERS:
            best = max(left, key=lambda plan: self._gain(plan, covered))
            if not self._gain(best, covered)[0]:
                break
            chosen.append(best)
            covered |= set(self.tallies[best].paid)
            left.remove(best)
        return chosen

    def _gain(self, plan: Plan, covered: set[int]) -> tuple[float, float]:
        tally = self.tallies[plan]
        return len(set(tally.paid) - covered) / tally.rows, tally.accepted / tally.applied

    @staticmethod
    def _plan(members: tuple[Strategy, ...]) -> Plan:
        return members[0] if len(members) == 1 else Portfolio(members)

    def _worth(self, strategy: Plan) -> tuple[float, float, int, int]:
        tally = self.tallies[strategy]
        return tally.interval[0], tally.exploit, strategy.plainness, tally.rows

    def _children(self) -> list[Strategy]:
        parents = [plan for plan in self.ranked()[:_PARENTS] if isinstance(plan, Strategy)]
        born = []
        for _ in range(_CHILDREN):
            one, other = self.random.choice(parents), self.random.choice(parents)
            born.append(
                mutated(one if self.random.random() < 0.7 else crossed(one, other, self.random), self.random)
            )
        born += [random_strategy(self.random) for _ in range(_NEWCOMERS)]
        return [strategy for strategy in dict.fromkeys(born) if strategy not in self.tallies]

    def _promising(self) -> list[Plan]:
        """The strategies with rows left to try, by their exploit rate and a bonus for little evidence."""
        open_ones = [s for s, t in self.tallies.items() if t.rows < len(self.questions) and t.applied]
        return sorted(open_ones, key=self._hope, reverse=True)[:_PROMOTED]

    def _extend(self, strategies: Sequence[Plan], rows: int) -> None:
        jobs = []
        for strategy in strategies:
            tally = self.tallies.setdefault(strategy, Tally())
            jobs.append((strategy, tally, self.questions[tally.rows : min(rows, len(self.questions))]))
        self.trial.measure(jobs)
