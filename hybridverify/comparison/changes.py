"""Counting: how often each outcome became which, for what reasons, and some rows to look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hybridverify.comparison.sides import Said
from hybridverify.records import Entry

OTHER = "other"
_SHOWN = 300


class Reason(NamedTuple):
    """One line of the table: the outcomes and what each side gave as its reason."""

    old: str
    new: str
    old_why: str
    new_why: str
    paid: int
    """+1 where the row is right now and was not, -1 the other way round, 0 where it is paid as before."""


@dataclass(frozen=True)
class Example:
    """A row that changed."""

    place: str
    question: str
    reference: str
    response: str
    old: Said
    new: Said


@dataclass
class Comparison:
    """All that was counted; `examples` are kept for each line of the table."""

    old: str
    new: str
    examples_each: int = 2
    max_reasons: int = 1000
    """Reasons that are told apart; what comes after counts as `other`, so that memory stays bounded."""
    rows: int = 0
    old_score: float = 0.0
    new_score: float = 0.0
    transitions: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[Reason] = field(default_factory=Counter)
    examples: dict[Reason, list[Example]] = field(default_factory=dict)

    def add(self, entry: Entry, old: Said, new: Said) -> bool:
        """Count one row; whether it changed."""
        self.rows += 1
        self.old_score += old.score
        self.new_score += new.score
        self.transitions[old.outcome, new.outcome] += 1
        if old.outcome == new.outcome and old.right == new.right:
            return False
        reason = Reason(old.outcome, new.outcome, old.why, new.why, new.right - old.right)
        if reason not in self.reasons and len(self.reasons) >= self.max_reasons:
            reason = reason._replace(old_why=OTHER, new_why=OTHER)
        self.reasons[reason] += 1
        kept = self.examples.setdefault(reason, [])
        if len(kept) < self.examples_each:
            kept.append(_example(entry, old, new))
        return True

    @property
    def changed(self) -> int:
        """Rows with another outcome."""
        return sum(self.reasons.values())

    def paid(self, direction: int) -> int:
        """Rows that are right only now (+1), or were right only before (-1)."""
        return sum(count for reason, count in self.reasons.items() if reason.paid == direction)

    def by_weight(self) -> list[tuple[Reason, int]]:
        """The lines of the table: first those that change what is paid, the most frequent on top."""
        return sorted(self.reasons.items(), key=lambda line: (line[0].paid == 0, -line[1], line[0]))

    def to_dict(self) -> dict[str, Any]:
        """All of it, JSON-ready, in a fixed order."""
        return {
            "old": self.old,
            "new": self.new,
            "rows": self.rows,
            "changed": self.changed,
            "now_right": self.paid(+1),
            "no_longer_right": self.paid(-1),
            "mean_score": {"old": self._mean(self.old_score), "new": self._mean(self.new_score)},
            "transitions": [
                {"old": old, "new": new, "rows": count}
                for (old, new), count in sorted(self.transitions.items())
            ],
            "reasons": [
                {
                    **reason._asdict(),
                    "rows": count,
                    "examples": [_shown(example) for example in self.examples[reason]],
                }
                for reason, count in self.by_weight()
            ],
        }

    def _mean(self, total: float) -> float:
        return round(total / self.rows, 6) if self.rows else 0.0


def _example(entry: Entry, old: Said, new: Said) -> Example:
    sample = entry.sample
    reference = " | ".join(sample.references)[:_SHOWN]
    return Example(
        str(entry.place), sample.question[-_SHOWN:], reference, sample.response[-_SHOWN:], old, new
    )


def _shown(example: Example) -> dict[str, str]:
    return {
        "place": example.place,
        "question": example.question,
        "reference": example.reference,
        "response": example.response,
        "old_answer": example.old.answer[:_SHOWN],
        "new_answer": example.new.answer[:_SHOWN],
    }
