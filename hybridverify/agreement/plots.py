"""Plots of the agreement report, as data URLs that need no other file.

An SVG inside an image URL runs no scripts, and texts are drawn as shapes. Equal figures give equal bytes.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec

from hybridverify.agreement.members import Member
from hybridverify.agreement.sweep import Bin, Curve

_SETTINGS = {
    "svg.hashsalt": "hybridverify",
    "svg.fonttype": "path",
    "text.parse_math": False,  # a judge's name may hold a dollar sign
    "font.family": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
}
_CURVES = {"accuracy": "#1b6ca8", "kappa": "#2e8540", "fpr": "#c0392b", "fnr": "#e08e0b"}
_TITLES = {"accuracy": "accuracy", "kappa": "kappa", "fpr": "FPR", "fnr": "FNR"}

_P = ParamSpec("_P")


def _styled(draw: Callable[_P, Any]) -> Callable[_P, str]:
    """Draw with fixed settings, whatever the process has set. Returns the figure's data URL."""

    @wraps(draw)
    def address(*args: _P.args, **kwargs: _P.kwargs) -> str:
        from matplotlib import rc_context

        stream = io.BytesIO()
        with rc_context(_SETTINGS):
            draw(*args, **kwargs).savefig(stream, format="svg", metadata={"Date": None})
        return "data:image/svg+xml;base64," + base64.b64encode(stream.getvalue()).decode("ascii")

    return address


@_styled
def forest(members: Mapping[str, Member]) -> Any:
    """Accuracy and kappa of every grader with their intervals."""
    figure = _figure(7.5, 0.9 + 0.3 * len(members))
    axes = figure.subplots(1, 2, sharey=True)
    names = list(members)
    for ax, metric in zip(axes, ("accuracy", "kappa"), strict=True):
        for place, name in enumerate(names):
            figures = members[name].whole.figures
            value, ends = figures.values[metric], figures.intervals[metric]
            if value is not None and ends is not None:
                ax.plot(ends, (place, place), color=_CURVES[metric], linewidth=2)
                ax.plot([value], [place], "o", color=_CURVES[metric])
        ax.set_title(_TITLES[metric])
        ax.set_yticks(range(len(names)), [_drawable(name) for name in names])
        ax.set_ylim(len(names) - 0.5, -0.5)
    return figure


@_styled
def thresholds(curves: Mapping[str, Curve]) -> Any:
    """Accuracy, kappa and rates against the threshold, one panel a grader."""
    figure = _figure(4.2 * len(curves), 3.0)
    panels = figure.subplots(1, len(curves), squeeze=False, sharey=True)[0]
    for ax, (name, curve) in zip(panels, curves.items(), strict=True):
        for metric, colour in _CURVES.items():
            points = [(t, figures[metric]) for t, figures in curve.items() if figures[metric] is not None]
            ax.plot([t for t, _ in points], [v for _, v in points], color=colour, label=_TITLES[metric])
        ax.set_title(_drawable(name))
        ax.set_xlabel("accepted from")
    panels[0].legend(frameon=False, fontsize=8)
    return figure


@_styled
def calibration(bins: Sequence[Bin], kind: str) -> Any:
    """The share that is labelled right against the judge's value. On the dotted line both are equal."""
    figure = _figure(4.2, 3.4)
    ax = figure.subplots()
    ax.plot((0, 1), (0, 1), ":", color="#888888")
    ax.plot([each.mean for each in bins], [each.right for each in bins], "o-", color=_CURVES["accuracy"])
    for each in bins:
        ax.annotate(
            str(each.rows), (each.mean, each.right), textcoords="offset points", xytext=(4, -10), fontsize=7
        )
    ax.set_xlabel(f"mean {kind}, with the number of rows")
    ax.set_ylabel("share labelled right")
    ax.set_xlim(-0.03, 1.06)
    ax.set_ylim(-0.03, 1.06)
    return figure


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure  # not pyplot: no window system, no global state

    return Figure(figsize=(width, height), layout="constrained")


def _drawable(name: str) -> str:
    """Without characters that the font lacks, which would be drawn as boxes, with warnings."""
    return name.encode("ascii", "replace").decode("ascii")
