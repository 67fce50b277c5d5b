"""Temperature and shift of the logits, from held-out predictions: `python -m embedded.calibrate --features DIR --logits
DIR --name soup --out calibration.json`. Reads `NAME-f0.npz`, `-f1`, `-f2`, each of the fold it was not trained on.

A policy in training is mostly wrong, later mostly right: the fit is to labelled rows of which 20, 50 and 80 % are
right, one as much as another, by weights on right and wrong ones. Prints how far P(correct) is off at each.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from embedded.rows import FILES, FOLDS

SHARES = (0.2, 0.5, 0.8)
THRESHOLD = 0.4
"""Kappa is flat between .3 and .5; a reward that takes wrong for right does more harm than one that misses some."""


def held_out(
    features: Path, logits: Path, name: str, folds: Sequence[int] = range(FOLDS)
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, their logits, labels and origins; each row from the model that did not see its fold."""
    found = np.load(features / "features.npz")
    rows, values = [], []
    for fold in folds:
        part = np.load(logits / name.format(fold=fold))
        mine = found["folds"][part["rows"]] == fold
        rows.append(part["rows"][mine])
        values.append(part["logits"][mine])
    at = np.concatenate(rows)
    order = np.argsort(at)
    at = at[order]
    return (
        at,
        np.concatenate(values)[order].astype(float),
        found["labels"][at].astype(bool),
        found["origins"][at].astype(str),
    )


def weighted(labels: np.ndarray, share: float) -> np.ndarray:
    """Weights under which this share of the rows is right; they sum to the number of rows."""
    right = labels.mean()
    return np.where(labels, share / right, (1.0 - share) / (1.0 - right))


def fitted(logits: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Temperature and shift of least log loss over all shares, by Newton's steps."""
    slope, shift = 1.0, 0.0
    weights = sum(weighted(labels, share) for share in SHARES)
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-(slope * logits + shift)))
        gradient = np.array([np.sum(weights * (p - labels) * logits), np.sum(weights * (p - labels))])
        w = weights * p * (1.0 - p)
        hessian = np.array([[np.sum(w * logits**2), np.sum(w * logits)], [np.sum(w * logits), np.sum(w)]])
        step = np.linalg.solve(hessian, gradient)
        slope, shift = slope - step[0], shift - step[1]
        if np.abs(step).max() < 1e-9:
            break
    return float(1.0 / slope), float(shift)


def error(chances: np.ndarray, labels: np.ndarray, weights: np.ndarray, bins: int = 10) -> float:
    """Mean gap between what is said and what is right, over bins of equal width."""
    place = np.minimum((chances * bins).astype(int), bins - 1)
    gaps = [
        abs(np.sum((weights * (chances - labels))[place == at])) for at in range(bins) if (place == at).any()
    ]
    return float(sum(gaps) / weights.sum())


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--logits", type=Path, required=True)
    parser.add_argument("--name", default="soup-f{fold}.npz")
    parser.add_argument("--folds", type=int, nargs="+", default=list(range(FOLDS)))
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    _, logits, labels, origins = held_out(options.features, options.logits, options.name, options.folds)
    human = np.isin(origins, list(FILES))
    temperature, shift = fitted(logits[human], labels[human])
    chances = 1.0 / (1.0 + np.exp(-(logits / temperature + shift)))
    for share in SHARES:
        off = error(chances[human], labels[human], weighted(labels[human], share))
        print(f"{share:.0%} right: P(correct) is off by {off:.3f} on average")
    found = {"temperature": round(temperature, 4), "shift": round(shift, 4), "threshold": options.threshold}
    options.out.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(found)


if __name__ == "__main__":
    main()
