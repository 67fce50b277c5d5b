"""Figures of a graded run: accuracy with its interval, by groups, and over several samples of one prompt.

Rows are counted one by one, in any number of calls. Of a row only counts and two hashes stay in memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridverify.agreement.intervals import wilson

_RIGHT = 0
"""The class of all right answers of a prompt: what equals the reference is one answer, however it is written."""
_NO_ANSWER = -1
_DIGITS = 6
_MAX_NAME = 200


@dataclass
class Tally:
    """How many rows ended in which way, and the sum of their scores."""

    rows: int = 0
    correct: int = 0
    undecided: int = 0
    ungraded: int = 0
    asked: int = 0
    score: float = 0.0

    def add(self, columns: Mapping[str, Any]) -> None:
        """Count one row by its grade columns (names without prefix)."""
        self.rows += 1
        if columns["judge_asked"]:
            self.asked += 1
        if not columns["graded"]:
            self.ungraded += 1
            return
        outcome = columns["outcome"]
        if outcome == "correct":
            self.correct += 1
        elif outcome == "undecided":
            self.undecided += 1
        self.score += columns["score"]

    @property
    def decided(self) -> int:
        """Rows that have a grade and are not undecided."""
        return self.rows - self.ungraded - self.undecided

    def to_dict(self) -> dict[str, Any]:
        """Counts and shares, JSON-ready; a share of no rows is None.

        `accuracy` is the share of decided rows that are correct, with Wilson's 95 % interval. `accuracy_bounds` is
        what it would be over all graded rows if every undecided one were wrong, or right.
        """
        graded = self.rows - self.ungraded
        bounds = (self.correct, self.correct + self.undecided)
        return {
            "rows": self.rows,
            "correct": self.correct,
            "undecided": self.undecided,
            "ungraded": self.ungraded,
            "judge_asked": self.asked,
            "accuracy": _share(self.correct, self.decided),
            "interval": [_round(end) for end in wilson(self.correct, self.decided)] if self.decided else None,
            "accuracy_bounds": [_share(hits, graded) for hits in bounds] if graded else None,
            "mean_score": _share(self.score, graded),
        }


@dataclass
class RunFigures:
    """What a run is summed up to. `by` names the columns whose values make groups.

    >>> figures = RunFigures(by=["level"])
    >>> for outcome in ("correct", "incorrect"):
    ...     graded = {"score": 1.0, "graded": True, "outcome": outcome, "judge_asked": False, "answer": outcome}
    ...     figures.add(graded, {"level": "hard"}, "2+2?")
    >>> figures.to_dict()["all"]["accuracy"], figures.to_dict()["samples"]["pass_at"]
    (0.5, {1: 0.5, 2: 1.0})
    """

    by: Sequence[str] = ()
    whole: Tally = field(default_factory=Tally)
    outcomes: Counter[str] = field(default_factory=Counter)
    groups: dict[str, dict[str, Tally]] = field(default_factory=dict)
    _first: dict[int, int] = field(default_factory=dict)
    """The class of each prompt's first answer. Most runs have one answer a prompt: a list for each would be their
    largest object."""
    _several: dict[int, list[int]] = field(default_factory=dict)
    """The classes of all answers, of prompts that have more than one."""

    def add(self, columns: Mapping[str, Any], values: Mapping[str, Any], prompt: str) -> None:
        """Count one row: its grade columns, its values of the columns `by`, and what tells its prompt from others.

        Rows with an empty `prompt` are of no prompt.
        """
        self.whole.add(columns)
        self.outcomes[columns["outcome"]] += 1
        for column in self.by:
            self._group(column, _named(values.get(column))).add(columns)
        if prompt:
            self._count_answer(hash(prompt), _answer_class(columns))

    def _count_answer(self, prompt: int, answer: int) -> None:
        if prompt in self._several:
            self._several[prompt].append(answer)
        elif prompt in self._first:
            self._several[prompt] = [self._first[prompt], answer]
        else:
            self._first[prompt] = answer

    def _group(self, column: str, name: str) -> Tally:
        groups = self.groups.get(column)
        if groups is None:
            groups = self.groups[column] = {}
        found = groups.get(name)
        if found is None:
            found = groups[name] = Tally()
        return found

    def to_dict(self) -> dict[str, Any]:
        """All figures, JSON-ready."""
        by = {
            column: {name: tally.to_dict() for name, tally in groups.items()}
            for column, groups in self.groups.items()
        }
        whole = {**self.whole.to_dict(), "outcomes": dict(sorted(self.outcomes.items()))}
        return {"all": whole, "by": by, "samples": self.samples()}

    def samples(self) -> dict[str, Any]:
        """pass@k and maj@k over prompts with several samples; empty where there are none.

        pass@k is the unbiased estimator 1 - C(n-c, k) / C(n, k) of Chen et al. (2021), arXiv 2107.03374, for powers of
        two up to the smallest n, and for that n. maj@k is the share of prompts whose commonest answer among the first k
        is right; of m answers that are equally common, each counts 1/m. Answers are one where they are written alike;
        right ones are one. Undecided and ungraded rows count as not right.
        """
        several = list(self._several.values())
        if not several:
            return {}
        least = min(map(len, several))
        sizes = sorted({1, least, *(1 << power for power in range(1, least.bit_length()))})
        return {
            "prompts": len(several),
            "samples": _span(list(map(len, several))),
            "pass_at": {k: _mean(_pass_at(k, classes) for classes in several) for k in sizes if k <= least},
            "maj_at": {least: _mean(_majority(classes[:least]) for classes in several)},
        }


def _named(value: Any) -> str:
    if type(value) is str:
        return value if len(value) <= _MAX_NAME else value[:_MAX_NAME]
    return "" if value is None else str(value)[:_MAX_NAME]


def _answer_class(columns: Mapping[str, Any]) -> int:
    """A number that equal answers of a prompt share."""
    if columns["graded"] and columns["outcome"] == "correct":
        return _RIGHT
    answer = str(columns.get("answer") or "")
    if not answer.isalnum():
        answer = " ".join(answer.split())
    return (hash(answer) or 1) if answer else _NO_ANSWER  # no hash is -1


def _pass_at(k: int, classes: Sequence[int]) -> float:
    size, right = len(classes), classes.count(_RIGHT)
    return 1.0 - math.comb(size - right, k) / math.comb(size, k)


def _majority(classes: Sequence[int]) -> float:
    """How likely the commonest answer is right, where chance decides between equally common ones."""
    counts = Counter(one for one in classes if one != _NO_ANSWER)
    if not counts:
        return 0.0
    most = max(counts.values())
    return float(counts[_RIGHT] == most) / sum(count == most for count in counts.values())


def _mean(values: Iterator[float]) -> float:
    told = list(values)
    return _round(sum(told) / len(told))


def _span(sizes: Sequence[int]) -> list[int]:
    return [min(sizes), max(sizes)]


def _share(part: float, whole: int) -> float | None:
    return _round(part / whole) if whole else None


def _round(value: float) -> float:
    return round(value, _DIGITS)
