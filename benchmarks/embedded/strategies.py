"""What is accepted of each way of answering, on questions that were held out: `python -m embedded.strategies --features
DIR --logits DIR --calibration F.json [--runs soup-f{fold}]`. Those that no training saw stand apart.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from embedded.calibrate import held_out
from embedded.made import KINDS
from embedded.rows import FOLDS

BLIND = frozenset(
    [
        "listing",
        "listing_without",
        "run",
        "echo",
        "fragment",
        "noun",
        "empty_words",
        "vague",
        "hedge",
        "attack",
        "attack_beside",
        "refusal",
    ]
)
"""Strategies that do not know the answer."""


def table(origins: np.ndarray, labels: np.ndarray, accepted: np.ndarray, prefix: str) -> list[str]:
    """One line for each kind: rows, and the share that is decided wrongly."""
    lines = []
    for origin in sorted({text for text in origins if text.startswith(prefix)}):
        for label in (False, True):
            mine = (origins == origin) & (labels == label)
            if mine.sum() > 4:
                name = "refused though right" if label else "accepted though wrong"
                off = float((accepted[mine] != label).mean())
                lines.append(f"{origin.split(':')[-1]:24} {mine.sum():6} {name:22} {off:.4f}")
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("features", "logits", "calibration"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--runs", default="soup-f{fold}")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--folds", type=int, nargs="+", default=list(range(FOLDS)))
    options = parser.parse_args()
    known = json.loads(options.calibration.read_text("utf-8"))
    _, logits, labels, origins = held_out(
        options.features, options.logits, f"{options.runs}.npz", options.folds
    )
    chances = 1.0 / (1.0 + np.exp(-(logits / known["temperature"] + known["shift"])))
    accepted = chances >= (options.threshold or known["threshold"])
    print("\n".join(table(origins, labels, accepted, "made:")))
    print("left out of training:")
    print("\n".join(table(origins, labels, accepted, "test:left:")))
    kinds = {kind.name for kind in KINDS}
    for name, mine in (
        ("that do not know the answer", [f"made:{kind}" for kind in sorted(BLIND & kinds)]),
        ("constructed, wrong", [text for text in set(origins) if text.startswith("made:")]),
    ):
        rows = np.isin(origins, mine) & ~labels
        print(f"{name}: {accepted[rows].mean():.4f} of {rows.sum()} accepted")
    rows = np.char.startswith(origins, "made:") & labels
    print(f"constructed, right: {1 - accepted[rows].mean():.4f} of {rows.sum()} refused")


if __name__ == "__main__":
    main()
