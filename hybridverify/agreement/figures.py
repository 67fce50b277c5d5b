"""Figures of agreement from counts: accuracy, precision, recall, F1, rates, Cohen's kappa, and their intervals.

A row falls into one of eight cells: decided or not, labelled right or wrong, accepted or not. All figures are
functions of the eight counts, so drawing rows with replacement (the bootstrap) is one multinomial draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridverify.agreement.intervals import newcombe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

METRICS = ("accuracy", "accuracy_decided", "precision", "recall", "f1", "fpr", "fnr", "kappa", "j")
"""`j` is TPR - FPR (Youden's J): how much more often a right answer is accepted than a wrong one. It is what a policy
learns from; unlike kappa and accuracy it does not depend on the share of right answers."""
CELLS = 8
SEED = 20240229
DRAWS = 2000
LEVEL = 0.95
_DIGITS = 6


@dataclass(frozen=True)
class Figures:
    """Figures of one grader on some rows. A figure is None if its denominator is 0."""

    counts: tuple[int, ...]
    values: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float] | None]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(self.counts)

    def confusion(self) -> dict[str, int]:
        """Rows by label and acceptance. Rows without a decision count as not accepted.

        >>> figures_of([cell(True, True, True), cell(False, True, False)]).confusion()
        {'rows': 2, 'right': 2, 'wrong': 0, 'tp': 1, 'fp': 0, 'fn': 1, 'tn': 0}
        """
        (tn, fp), (fn, tp) = np.reshape(self.counts, (2, 2, 2)).sum(axis=0).tolist()
        return {
            "rows": self.rows, "right": fn + tp, "wrong": tn + fp, "tp": tp, "fp": fp, "fn": fn, "tn": tn,
        }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        intervals = {name: list(ends) if ends else None for name, ends in self.intervals.items()}
        return {**self.values, "intervals": intervals, "counts": self.confusion()}


def cell(decided: bool, label: bool, accepted: bool) -> int:
    """The number of a row's cell, from 0 to 7."""
    return 4 * decided + 2 * label + accepted


def figures_of(cells: Sequence[int] | NDArray[np.int64], intervals: bool = True) -> Figures:
    """Figures of the rows in these cells, with bootstrap intervals (percentiles, 95 %, a fixed seed); that of J is
    Newcombe's.

    >>> figures = figures_of([cell(True, True, True)] * 3 + [cell(True, True, False)])
    >>> figures.values["recall"], figures.values["fpr"]
    (0.75, None)
    """
    return figures_from(np.bincount(np.asarray(cells, dtype=np.int64), minlength=CELLS), intervals)


def figures_from(rows: Sequence[int] | NDArray[np.int64], intervals: bool = True) -> Figures:
    """Figures from the number of rows in each cell."""
    counts = np.asarray(rows, dtype=np.int64)
    values = {name: _number(value) for name, value in _metrics(counts.astype(np.float64)).items()}
    ends = _intervals(counts) if intervals and counts.sum() else dict.fromkeys(METRICS)
    return Figures(tuple(counts.tolist()), values, ends)


def _metrics(counts: Numbers) -> dict[str, Numbers]:
    """Every metric for counts of shape (..., 8), each of shape (...). NaN if the denominator is 0."""
    by_decision = counts.reshape(*counts.shape[:-1], 2, 2, 2)
    whole, decided = by_decision.sum(axis=-3), by_decision[..., 1, :, :]
    tn, fp, fn, tp = whole[..., 0, 0], whole[..., 0, 1], whole[..., 1, 0], whole[..., 1, 1]
    right, wrong, accepted, refused = tp + fn, tn + fp, tp + fp, tn + fn
    return {
        "accuracy": _ratio(tp + tn, right + wrong),
        "accuracy_decided": _ratio(decided[..., 0, 0] + decided[..., 1, 1], decided.sum(axis=(-2, -1))),
        "precision": _ratio(tp, accepted),
        "recall": _ratio(tp, right),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "fpr": _ratio(fp, wrong),
        "fnr": _ratio(fn, right),
        "kappa": _ratio(2 * (tp * tn - fn * fp), accepted * wrong + right * refused),
        "j": _ratio(tp, right) - _ratio(fp, wrong),
    }


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    undefined = np.full(np.shape(part), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=np.asarray(whole) > 0))


def _intervals(counts: NDArray[np.int64]) -> dict[str, tuple[float, float] | None]:
    draws = np.random.default_rng(SEED).multinomial(counts.sum(), counts / counts.sum(), size=DRAWS)
    outer = (1.0 - LEVEL) / 2.0
    found: dict[str, tuple[float, float] | None] = {}
    for name, values in _metrics(draws.astype(np.float64)).items():
        defined = values[~np.isnan(values)]
        low, high = np.quantile(defined, (outer, 1.0 - outer)) if defined.size else (np.nan, np.nan)
        found[name] = (round(float(low), _DIGITS), round(float(high), _DIGITS)) if defined.size else None
    found["j"] = _j_interval(counts)
    return found


def _j_interval(counts: NDArray[np.int64]) -> tuple[float, float] | None:
    """Not drawn: where few rows are all told right, every draw says the same."""
    (tn, fp), (fn, tp) = np.reshape(counts, (2, 2, 2)).sum(axis=0).tolist()
    if not (tp + fn and fp + tn):
        return None
    low, high = newcombe(tp, tp + fn, fp, fp + tn)
    return round(low, _DIGITS), round(high, _DIGITS)


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else round(float(value), _DIGITS)
