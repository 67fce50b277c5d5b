"""Curves: figures against a threshold, and calibration. Numbers are rounded, so that equal figures give equal bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridverify.agreement.sweep import Bin, Curve
from hybridverify.report.embed import escaped

_WIDTH, _HEIGHT = 560, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 92, 12, 34
CURVES = {"accuracy": ("accuracy", "accent"), "kappa": ("kappa", "correct"), "j": ("J", "undecided"),
          "fpr": ("FPR", "incorrect"), "fnr": ("FNR", "ungraded")}  # fmt: skip
"""What is drawn of a sweep: its name, and its colour."""

Points = Sequence[tuple[float, float]]


def thresholds(name: str, curve: Curve, kind: str) -> str:
    """Accuracy, kappa, J and the rates of one grader against the threshold."""
    spread = min(curve, default=0.0), max(curve, default=1.0)
    lines: dict[str, tuple[Points, str]] = {}
    for metric, (title, tone) in CURVES.items():
        points = [(at, value) for at, figures in curve.items() if (value := figures.get(metric)) is not None]
        if points:
            lines[title] = (points, tone)
    return _figure(f"{name} by threshold", lines, spread, f"accepted from this {kind} on")


def calibration(bins: Sequence[Bin], kind: str) -> str:
    """The share labelled right against the judge's value. On the dotted line both are equal."""
    points = [(each.mean, each.right) for each in bins]
    dots = "".join(
        f'<circle class="dot accent" cx="{_x(each.mean, (0, 1))}" cy="{_y(each.right)}" r="4">'
        f"<title>{each.rows} rows: mean {each.mean:.2f}, {each.right:.1%} right</title></circle>"
        for each in bins
    )
    diagonal = f'<line class="diagonal" x1="{_x(0, (0, 1))}" y1="{_y(0)}" x2="{_x(1, (0, 1))}" y2="{_y(1)}"/>'
    return _figure("Calibration", {"right": (points, "accent")}, (0.0, 1.0), f"mean {kind}", diagonal + dots)


def _figure(
    caption: str,
    lines: Mapping[str, tuple[Points, str]],
    spread: tuple[float, float],
    below: str,
    more: str = "",
) -> str:
    drawn = _grid(spread)
    for points, tone in lines.values():
        places = " ".join(f"{_x(x, spread)},{_y(y)}" for x, y in points)
        drawn += f'<polyline class="curve {tone}" points="{places}"/>'
    for place, (title, tone) in _labels(lines):
        drawn += f'<text class="{tone}" x="{_WIDTH - _RIGHT + 8}" y="{place:.0f}">{escaped(title)}</text>'
    label = escaped(f"{caption}: {', '.join(lines)}")
    return (
        f'<figure class="card"><figcaption>{escaped(caption)}</figcaption><div class="wide">'
        f'<svg class="plot" role="img" aria-label="{label}" viewBox="0 0 {_WIDTH} {_HEIGHT}">{drawn}{more}'
        f'<text class="axis-title" x="{_LEFT}" y="{_HEIGHT - 4}">{escaped(below)}</text></svg></div></figure>'
    )


def _labels(lines: Mapping[str, tuple[Points, str]]) -> list[tuple[float, tuple[str, str]]]:
    """Where the names of the curves stand: at their ends, but never on one another."""
    ends = sorted((float(_y(points[-1][1])) + 4, (title, tone)) for title, (points, tone) in lines.items())
    placed: list[tuple[float, tuple[str, str]]] = []
    for place, title in ends:
        placed.append((max(place, placed[-1][0] + 14) if placed else place, title))
    return placed


def _grid(spread: tuple[float, float]) -> str:
    drawn = ""
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(tick)
        drawn += f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        drawn += f'<text x="{_LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        at = spread[0] + (spread[1] - spread[0]) * tick
        drawn += (
            f'<text x="{_x(at, spread)}" y="{_HEIGHT - _BOTTOM + 14}" text-anchor="middle">{at:.3g}</text>'
        )
    return drawn


def _x(value: float, spread: tuple[float, float]) -> str:
    share = (value - spread[0]) / ((spread[1] - spread[0]) or 1.0)
    return f"{_LEFT + share * (_WIDTH - _LEFT - _RIGHT):.1f}"


def _y(value: float) -> str:
    share = min(1.0, max(0.0, value))
    return f"{_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM):.1f}"
