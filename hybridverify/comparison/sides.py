"""What one side of a comparison says of a row; a side that grades is a Verifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hybridverify.policies import RIGHT_FROM
from hybridverify.records import Entry
from hybridverify.types import Grade
from hybridverify.verifier import Verifier


@dataclass(frozen=True)
class Said:
    """One side on one row. `source` is the rule or judge that decided, "" where only a score is known."""

    score: float
    outcome: str
    reason: str = ""
    source: str = ""
    answer: str = ""

    @property
    def right(self) -> bool:
        """Whether the row is paid as right."""
        return self.score >= RIGHT_FROM

    @property
    def why(self) -> str:
        """Who said so, and why."""
        return ": ".join(text for text in (self.source.partition(":")[2] or self.source, self.reason) if text)


class Side(Protocol):
    """One of the two that are compared."""

    @property
    def name(self) -> str: ...

    def say(self, entries: Sequence[Entry]) -> list[Said]: ...

    def close(self) -> None: ...


class GradedSide:
    """A configuration. Its scores are those before `reward` maps them: 1 is right, whatever it pays."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name = name
        plain = {"reward": {"correct": 1.0, "incorrect": 0.0}, "stop_on_outage": True}
        self.verifier = Verifier.from_config({**settings, **plain})

    def say(self, entries: Sequence[Entry]) -> list[Said]:
        """Grade them."""
        return [_said(grade) for grade in self.verifier.grade([entry.sample for entry in entries])]

    def close(self) -> None:
        """Give back what the Verifier holds."""
        self.verifier.close()


def _said(grade: Grade) -> Said:
    told = grade.to_dict()
    source = grade.judge.source if grade.judge_asked else grade.rule.source
    return Said(grade.score, str(told["outcome"]), str(told["reason"]), source, str(told["answer"]))
