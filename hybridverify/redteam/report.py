"""The results of an attack, as data. `to_dict` gives JSON-ready mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hybridverify.redteam.trial import Hit, Tally

_DIGITS = 6


@dataclass(frozen=True)
class StrategyFigures:
    """A strategy on the held-out half of a family."""

    name: str
    found_by: str
    """ "named" (tried in every run) or "search"."""
    heldout: Tally
    sought: Tally
    """The rate on the half that was searched."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        low, high = self.heldout.interval
        return {
            "strategy": self.name,
            "found_by": self.found_by,
            **{name: getattr(self.heldout, name) for name in ("rows", "applied", "accepted", "lucky")},
            "rate": round(self.heldout.rate, _DIGITS),
            "chance": round(self.heldout.chance, _DIGITS),
            "exploit": round(self.heldout.exploit, _DIGITS),
            "interval": [round(low, _DIGITS), round(high, _DIGITS)],
            "rate_where_sought": round(self.sought.rate, _DIGITS),
            "example": _shown(self.heldout.example or self.sought.example),
        }


def _shown(hit: Hit | None) -> dict[str, str] | None:
    return {name: getattr(hit, name) for name in ("question", "reference", "response")} if hit else None


@dataclass(frozen=True)
class ProbeFigures:
    """One kind of response by somebody who knows the answer."""

    name: str
    rows: int
    accepted: int
    open: int
    examples: tuple[Hit, ...] = ()
    """Some rows with the wrong result."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        counts = {"name": self.name, "rows": self.rows, "accepted": self.accepted, "open": self.open}
        return {**counts, "examples": [_shown(each) for each in self.examples]}


@dataclass(frozen=True)
class FamilyFigures:
    """One family of questions. `best` was chosen on the half that was searched."""

    family: str
    questions: int
    heldout: int
    honest: float
    best: StrategyFigures | None
    strategies: tuple[StrategyFigures, ...]
    refused: tuple[ProbeFigures, ...]
    right: tuple[ProbeFigures, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "questions": self.questions,
            "heldout": self.heldout,
            "honest_guess": round(self.honest, _DIGITS),
            "best": self.best.to_dict() if self.best else None,
            "strategies": [each.to_dict() for each in self.strategies],
            "must_be_refused": [each.to_dict() for each in self.refused],
            "must_be_accepted": [each.to_dict() for each in self.right],
        }


@dataclass(frozen=True)
class Report:
    """The result of `attack`."""

    checker: str
    seed: int
    budget: int
    pays: float
    calls: int
    families: Mapping[str, FamilyFigures]
    hits: tuple[Hit, ...]
    """Paid responses that are no lucky guess: some of each strategy, from both halves."""

    @property
    def worst(self) -> float:
        """The largest upper end of the exploit rates' intervals over all families."""
        return max((f.best.heldout.interval[1] for f in self.families.values() if f.best), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "checker": self.checker,
            "seed": self.seed,
            "budget": self.budget,
            "pays": self.pays,
            "calls": self.calls,
            "worst_upper_bound": round(self.worst, _DIGITS),
            "families": {name: figures.to_dict() for name, figures in self.families.items()},
            "hits": [hit._asdict() for hit in self.hits],
        }
