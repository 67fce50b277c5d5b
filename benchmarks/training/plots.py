"""Two plots of a report: reward beside true accuracy, and what a step costs. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "hybridverify", "font.size": 9})

from matplotlib import pyplot  # noqa: E402

from training.task import PARTS  # noqa: E402

COLUMNS = 3
"""Panels side by side, so that a page shows them at a readable size."""
STACKED = ("rollout", "reward_after", "log_probs", "advantage", "update", "weights")


def draw(told: Sequence[dict[str, Any]], out: Path) -> None:
    """Write `accuracy` and `cost`, each as .png and .svg."""
    runs = [one for one in told if one["steps"]]
    if runs:
        _save(_accuracy(runs), out / "accuracy")
        _save(_cost(runs), out / "cost")


def _accuracy(runs: Sequence[dict[str, Any]]) -> Any:
    """One panel a run: reward and truth as lines, the parts' truth dotted; between the first two lies the gap."""
    figure, panels = _panels(runs, rows=1)
    for (panel,), one in zip(panels, runs, strict=True):
        steps = one["steps"]
        x = [step["step"] for step in steps]
        reward, true = [step["reward"] for step in steps], [step["true"] for step in steps]
        panel.fill_between(x, reward, true, color="0.88")
        panel.plot(x, reward, color="tab:red", label="reward")
        panel.plot(x, true, color="tab:blue", label="true accuracy")
        for part, colour in zip(PARTS, ("tab:green", "tab:purple", "tab:brown"), strict=True):
            panel.plot(x, _numbers(steps, "true_by_part", part), ":", color=colour, label=f"true: {part}")
        panel.set(title=one["name"], xlabel="step")
        panel.grid(alpha=0.3)
    for (panel,) in panels[::COLUMNS]:
        panel.set_ylabel("mean over the step's rollouts")
    _legend(figure, panels[0][0])
    return figure


def _cost(runs: Sequence[dict[str, Any]]) -> Any:
    """Seconds of a step by part, stacked; below, the shares of rows asked, rescued and left ungraded."""
    figure, panels = _panels(runs, rows=2)
    for (upper, lower), one in zip(panels, runs, strict=True):
        steps = one["steps"]
        x = [step["step"] for step in steps]
        parts = {name: [_or_0(step["seconds"].get(name)) for step in steps] for name in STACKED}
        upper.stackplot(x, *parts.values(), labels=[name.replace("_", " ") for name in STACKED], alpha=0.8)
        upper.plot(x, _numbers(steps, "seconds", "reward_busy"), "k--", label="reward busy")
        upper.set(title=one["name"])
        for name in ("asked", "rescued", "ungraded"):
            lower.plot(x, [_or_nan(step[name]) for step in steps], label=name)
        lower.set(xlabel="step", ylim=(-0.02, 1.02))
        lower.grid(alpha=0.3)
    for upper, lower in panels[::COLUMNS]:
        upper.set_ylabel("seconds")
        lower.set_ylabel("share of rollouts")
    _legend(figure, *panels[0])
    return figure


def _panels(runs: Sequence[dict[str, Any]], rows: int) -> Any:
    """A figure, and for each run its `rows` panels, one below the other."""
    columns = min(COLUMNS, len(runs))
    bands = -(-len(runs) // columns)
    figure, grid = pyplot.subplots(
        rows * bands,
        columns,
        figsize=(3.4 * columns + 0.6, 2.8 * rows * bands + 0.4),
        squeeze=False,
        sharex=True,
        layout="constrained",
    )
    panels = [
        [grid[rows * (i // columns) + row][i % columns] for row in range(rows)] for i in range(len(runs))
    ]
    used = [panel for of_run in panels for panel in of_run]
    for panel in grid.flat:
        if panel not in used:
            panel.remove()
    for row in range(rows):  # one scale for the same thing, and no other
        for of_run in panels[1:]:
            of_run[row].sharey(panels[0][row])
    return figure, panels


def _legend(figure: Any, *panels: Any) -> None:
    """One legend for all panels, below them."""
    named = [entry for panel in panels for entry in zip(*panel.get_legend_handles_labels(), strict=True)]
    handles, labels = zip(*named, strict=True)
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=8)


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path.with_suffix(".png"), dpi=130)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    pyplot.close(figure)


def _numbers(steps: Sequence[dict[str, Any]], group: str, name: str) -> list[float]:
    return [_or_nan(step[group].get(name)) for step in steps]


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _or_0(value: float | None) -> float:
    return value or 0.0
