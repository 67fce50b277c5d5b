"""Figures for other thresholds on the judge's P(yes) or rubric score, and how well such values are calibrated.

Everything comes from stored verdicts: each grader is replayed twice, with every swept verdict set to yes and to no,
and a threshold only chooses between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridverify.agreement.cases import Case, Setup, replay
from hybridverify.agreement.figures import figures_of
from hybridverify.agreement.members import Grader, cells_of
from hybridverify.policies import JudgeOnly
from hybridverify.types import Outcome, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

Curve = Mapping[float, Mapping[str, "float | None"]]
"""Threshold → figures."""

THRESHOLDS = (0.01, *(round(0.05 * step, 2) for step in range(1, 20)), 0.99)
_OUTSIDE = 21  # for scores beyond [0, 1], this many quantiles are thresholds
BINS = 10
_SWEPT = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.PARTIAL, Outcome.UNDECIDED)
"""A P(yes) inside `abstain` is undecided. Invalid and failed verdicts are the same at every threshold."""
_YES = Verdict(Outcome.CORRECT, 1.0)
_NO = Verdict(Outcome.INCORRECT, 0.0)


@dataclass(frozen=True)
class Bin:
    """Rows whose value lies in [`low`, `high`): their mean value, and the share that is labelled right."""

    low: float
    high: float
    rows: int
    mean: float
    right: float


@dataclass(frozen=True)
class Sweep:
    """Figures by grader and threshold. `kind` is "p_yes" or "score", or "" if the judge gives no such value.

    `roc_auc`, `average_precision` and `brier` are figures of the value itself, or None if they are not defined.
    """

    kind: str = ""
    rows: int = 0
    curves: Mapping[str, Curve] = field(default_factory=dict)
    calibration: tuple[Bin, ...] = ()
    roc_auc: float | None = None
    average_precision: float | None = None
    brier: float | None = None

    def best(self, name: str) -> float | None:
        """The threshold with the highest kappa of one grader; of equals the lowest. It is chosen on these very rows."""
        kappas = {threshold: figures["kappa"] for threshold, figures in self.curves.get(name, {}).items()}
        defined = {threshold: kappa for threshold, kappa in kappas.items() if kappa is not None}
        return max(defined, key=lambda threshold: (defined[threshold], -threshold)) if defined else None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            "roc_auc": self.roc_auc,
            "average_precision": self.average_precision,
            "brier": self.brier,
            "calibration": [asdict(each) for each in self.calibration],
            "best": {name: self.best(name) for name in self.curves},
            "curves": {
                name: [{"threshold": threshold, **figures} for threshold, figures in curve.items()]
                for name, curve in self.curves.items()
            },
        }


def sweep(cases: Sequence[Case], setup: Setup, graders: Mapping[str, Callable[[Setup], Grader]]) -> Sweep:
    """Sweep the judge's values under each grader. The sweep is empty if there are none."""
    verdicts = [replay(case, JudgeOnly(), setup).judge for case in cases]
    kind, values = _values(verdicts)
    known = ~np.isnan(values)
    if not known.any():
        return Sweep()
    labels = np.array([case.label for case in cases], dtype=bool)[known]
    found = values[known]
    curves = {name: _curve(cases, setup, values, make, _thresholds(found)) for name, make in graders.items()}
    return Sweep(kind, int(known.sum()), curves, _calibration(labels, found), *_scores(labels, found))


def _values(verdicts: Sequence[Verdict]) -> tuple[str, Values]:
    """P(yes) of each verdict, else its score if that lies between the labels, else NaN."""
    swept = [verdict.outcome in _SWEPT for verdict in verdicts]
    p_yes = [v.p_yes if ok and v.p_yes >= 0.0 else np.nan for v, ok in zip(verdicts, swept, strict=True)]
    if not np.isnan(p_yes).all():
        return "p_yes", np.array(p_yes, dtype=np.float64)
    if not any(verdict.outcome is Outcome.PARTIAL for verdict in verdicts):
        return "", np.full(len(verdicts), np.nan)
    scores = [verdict.score if verdict.sure else np.nan for verdict in verdicts]
    return "score", np.array(scores, dtype=np.float64)


def _thresholds(values: Values) -> tuple[float, ...]:
    if values.min() >= 0.0 and values.max() <= 1.0:
        return THRESHOLDS
    return tuple(dict.fromkeys(np.quantile(values, np.linspace(0.0, 1.0, _OUTSIDE)).round(6).tolist()))


def _curve(
    cases: Sequence[Case],
    setup: Setup,
    values: Values,
    make: Callable[[Setup], Grader],
    thresholds: Sequence[float],
) -> Curve:
    known = ~np.isnan(values)
    single, panel = (
        make(replace(setup, panel=None)),
        make(setup),
    )  # a swept verdict stands for the whole panel

    def cells(verdict: Verdict) -> NDArray[np.int64]:
        says = [
            single(replace(case, votes=(verdict,))) if swept else panel(case)
            for case, swept in zip(cases, known, strict=True)
        ]
        return cells_of(cases, says)

    yes, no = cells(_YES), cells(_NO)
    above = np.nan_to_num(values, nan=np.inf)
    return {t: figures_of(np.where(above >= t, yes, no), intervals=False).values for t in thresholds}


def _calibration(labels: NDArray[np.bool_], values: Values) -> tuple[Bin, ...]:
    if values.min() < 0.0 or values.max() > 1.0:
        return ()
    edges = np.linspace(0.0, 1.0, BINS + 1)
    places = np.searchsorted(edges[1:-1], values, side="right")
    bins = []
    for place in np.unique(places).tolist():
        mine = places == place
        mean, right = float(values[mine].mean()), float(labels[mine].mean())
        low, high = round(float(edges[place]), 6), round(float(edges[place + 1]), 6)
        bins.append(Bin(low, high, int(mine.sum()), round(mean, 6), round(right, 6)))
    return tuple(bins)


def _scores(labels: NDArray[np.bool_], values: Values) -> tuple[float | None, float | None, float | None]:
    from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

    if labels.all() or not labels.any():
        return None, None, None
    within = values.min() >= 0.0 and values.max() <= 1.0
    return (
        round(float(roc_auc_score(labels, values)), 6),
        round(float(average_precision_score(labels, values)), 6),
        round(float(brier_score_loss(labels, values)), 6) if within else None,
    )
