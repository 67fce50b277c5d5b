"""What the page of a run counts beyond accuracy by group: who decided, outcomes, rule beside judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hybridverify.agreement.figures import Figures, cell, figures_from
from hybridverify.policies import RIGHT_FROM
from hybridverify.types import CORRECT, Grade, Verdict


@dataclass
class RunTally:
    """Counts of all rows of a run, whether the page shows them or not."""

    outcomes: Counter[str] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    correct: Counter[str] = field(default_factory=Counter)
    """Of each tier, the rows that it called correct."""
    both: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """Rows on which rule and judge are both sure: (rule accepts, judge accepts)."""

    def add(self, grade: Grade, tier: str) -> None:
        """Count one row."""
        self.outcomes[grade.outcome.value if grade.graded else f"not graded: {grade.outcome.value}"] += 1
        self.tiers[tier] += 1
        self.correct[tier] += grade.graded and grade.outcome is CORRECT
        if grade.rule.sure and grade.judge.sure:
            self.both[_accepts(grade.rule), _accepts(grade.judge)] += 1

    def rule_beside_judge(self) -> Figures:
        """Agreement and kappa of the judge with the rules where both are sure; the rules stand for the label."""
        counts = [0] * 8
        for (rule, judge), rows in self.both.items():
            counts[cell(True, rule, judge)] += rows
        return figures_from(counts)


def _accepts(verdict: Verdict) -> bool:
    return verdict.score >= RIGHT_FROM
