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
    for column, one in enumerate(runs):
        panel, steps = panels[0][column], one["steps"]
        x = [step["step"] for step in steps]
        reward, true = [step["reward"] for step in steps], [step["true"] for step in steps]
        panel.fill_between(x, reward, true, color="0.88")
        panel.plot(x, reward, color="tab:red", label="reward")
        panel.plot(x, true, color="tab:blue", label="true accuracy")
        for part, colour in zip(PARTS, ("tab:green", "tab:purple", "tab:brown"), strict=True):
            panel.plot(x, _numbers(steps, "true_by_part", part), ":", color=colour, label=f"true: {part}")
        panel.set(title=one["name"], xlabel="step")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("mean over the step's rollouts")
    _legend(figure, panels[0][0])
    return figure


def _cost(runs: Sequence[dict[str, Any]]) -> Any:
    """Seconds of a step by part, stacked; below, the shares of rows asked, rescued and left ungraded."""
    figure, panels = _panels(runs, rows=2)
    for column, one in enumerate(runs):
        upper, lower, steps = panels[0][column], panels[1][column], one["steps"]
        x = [step["step"] for step in steps]
        parts = {name: [_or_0(step["seconds"].get(name)) for step in steps] for name in STACKED}
        upper.stackplot(x, *parts.values(), labels=[name.replace("_", " ") for name in STACKED], alpha=0.8)
        upper.plot(x, _numbers(steps, "seconds", "reward_busy"), "k--", label="reward busy")
        upper.set(title=one["name"])
        for name in ("asked", "rescued", "ungraded"):
            lower.plot(x, [_or_nan(step[name]) for step in steps], label=name)
        lower.set(xlabel="step", ylim=(-0.02, 1.02))
        lower.grid(alpha=0.3)
    panels[0][0].set_ylabel("seconds")
    panels[1][0].set_ylabel("share of rollouts")
    _legend(figure, panels[0][0], panels[1][0])
    return figure


def _panels(runs: Sequence[dict[str, Any]], rows: int) -> Any:
    size = (3.4 * len(runs) + 0.6, 2.8 * rows + 0.4)
    return pyplot.subplots(
        rows, len(runs), figsize=size, squeeze=False, sharex="col", sharey="row", layout="constrained"
    )


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
