"""The picture of bandit.py: one panel a reward."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LINES = (("reward", "reward", "#c44e52", 3.0), ("true", "true accuracy", "#4c72b0", 1.2))


def plot(curves: dict[str, dict[str, Floats]], out: Path) -> None:
    """One panel a reward: what was paid and what was right, the mean of all seeds and their range."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "bandit", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(
        1, len(curves), figsize=(3 * len(curves), 2.8), sharey=True, squeeze=False
    )
    for panel, (name, curve) in zip(panels[0], curves.items(), strict=True):
        for key, label, colour, width in LINES:
            smooth = smoothed(curve[key])
            steps = np.arange(smooth.shape[1])
            panel.plot(steps, smooth.mean(axis=0), color=colour, label=label, linewidth=width)
            panel.fill_between(
                steps, smooth.min(axis=0), smooth.max(axis=0), color=colour, alpha=0.15, linewidth=0
            )
        panel.set_title(name, fontsize=9)
        panel.set_xlabel("step")
        panel.set_ylim(0, 1)
    panels[0][0].legend(frameon=False, loc="upper left")
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})


def smoothed(curve: Floats, width: int = 9) -> Floats:
    """Running means, so that the eye finds the way through batches of 128."""
    kernel = np.ones(width) / width
    return np.stack([np.convolve(line, kernel, mode="valid") for line in curve])
