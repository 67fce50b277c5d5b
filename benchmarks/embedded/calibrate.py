"""Temperature and shift of the logits, from held-out predictions: `python -m embedded.calibrate --features DIR --logits
DIR --name soup --out calibration.json`. Reads `NAME-f0.npz`, `-f1`, `-f2`, each of the fold it was not trained on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from embedded.rows import FILES, FOLDS

THRESHOLD = 0.8
"""Kappa is flat between .5 and .8; a reward that takes wrong for right does more harm than one that misses some."""


def held_out(
    features: Path, logits: Path, name: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, their logits, labels and origins; each row from the model that did not see its fold."""
    found = np.load(features / "features.npz")
    rows, values = [], []
    for fold in range(FOLDS):
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


def fitted(logits: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Temperature and shift of least log loss, by Newton's steps."""
    slope, shift = 1.0, 0.0
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-(slope * logits + shift)))
        gradient = np.array([np.sum((p - labels) * logits), np.sum(p - labels)])
        w = p * (1.0 - p)
        hessian = np.array([[np.sum(w * logits**2), np.sum(w * logits)], [np.sum(w * logits), np.sum(w)]])
        step = np.linalg.solve(hessian, gradient)
        slope, shift = slope - step[0], shift - step[1]
        if np.abs(step).max() < 1e-9:
            break
    return float(1.0 / slope), float(shift)


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--logits", type=Path, required=True)
    parser.add_argument("--name", default="soup-f{fold}.npz")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    _, logits, labels, origins = held_out(options.features, options.logits, options.name)
    human = np.isin(origins, list(FILES))
    temperature, shift = fitted(logits[human], labels[human])
    found = {"temperature": round(temperature, 4), "shift": round(shift, 4), "threshold": THRESHOLD}
    options.out.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(found)


if __name__ == "__main__":
    main()
