"""What the page of a run counts beyond accuracy by group: who decided, outcomes, rule beside judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from hybridverify.agreement.figures import CELLS, Figures, cell, figures_from
from hybridverify.policies import RIGHT_FROM
from hybridverify.report.contradictions import deciding_tier
from hybridverify.types import CORRECT, SURE, Grade, Outcome


class Kind(NamedTuple):
    """What one row is counted as. `both`: what rule and judge accept, where both are sure."""

    outcome: Outcome
    graded: bool
    tier: str
    both: tuple[bool, bool] | None


@dataclass
class RunTally:
    """Counts of all rows of a run, whether the page shows them or not."""

    kinds: Counter[Kind] = field(default_factory=Counter)

    def add(self, grade: Grade) -> None:
        """Count one row."""
        rule, judge = grade.rule, grade.judge
        both = None
        if judge.outcome in SURE and rule.outcome in SURE:
            both = rule.score >= RIGHT_FROM, judge.score >= RIGHT_FROM
        self.kinds[Kind(grade.outcome, grade.graded, deciding_tier(grade), both)] += 1

    def outcomes(self) -> Counter[str]:
        """Rows by outcome; those without a grade by themselves."""
        counts: Counter[str] = Counter()
        for kind, rows in self.kinds.items():
            counts[kind.outcome.value if kind.graded else f"not graded: {kind.outcome.value}"] += rows
        return counts

    def tiers(self) -> dict[str, tuple[int, int]]:
        """By the tier that decided, the largest first: its rows, and those that it called correct."""
        rows_of, correct = Counter[str](), Counter[str]()
        for kind, rows in self.kinds.items():
            rows_of[kind.tier] += rows
            correct[kind.tier] += rows if kind.graded and kind.outcome is CORRECT else 0
        return {tier: (rows, correct[tier]) for tier, rows in rows_of.most_common()}

    def both(self) -> Counter[tuple[bool, bool]]:
        """Rows on which rule and judge are both sure: (rule accepts, judge accepts)."""
        counts: Counter[tuple[bool, bool]] = Counter()
        for kind, rows in self.kinds.items():
            if kind.both is not None:
                counts[kind.both] += rows
        return counts

    def rule_beside_judge(self) -> Figures:
        """Agreement and kappa of the judge with the rules where both are sure; the rules stand for the label."""
        counts = [0] * CELLS
        for (rule, judge), rows in self.both().items():
            counts[cell(True, rule, judge)] += rows
        return figures_from(counts)
