"""The shipped file against its weights in 32 bits: `python -m embedded.compare --features DIR --full F.onnx`.

On labelled rows (which the shipped model was trained on, so only the difference counts), canaries and attack strings.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from embedded.evaluate import kappa
from embedded.quantized import chances
from embedded.rows import FILES
from hybridverify.judges.embedded.model import WEIGHTS, card


def main() -> None:
    """Print differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--full", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1500, help="rows of each sort")
    options = parser.parse_args()
    path = options.features / "features.npz"
    found = np.load(path)
    origins, labels = found["origins"].astype(str), found["labels"].astype(bool)
    rng = np.random.default_rng(0)
    for sort in (*FILES, "test:canary", "test:attack"):
        rows = np.flatnonzero(np.char.startswith(origins, sort) if ":" in sort else origins == sort)
        rows = np.sort(rng.permutation(rows)[: options.limit])
        small, full = chances(WEIGHTS, path, rows), chances(options.full, path, rows)
        yes, yes_full = small >= card()["threshold"], full >= card()["threshold"]
        change = np.abs(small - full)
        print(
            f"{sort:12} {len(rows)} rows: kappa {kappa(labels[rows], yes):.3f} and {kappa(labels[rows], yes_full):.3f},"
            f" "
            f"accepted {yes.mean():.4f} and {yes_full.mean():.4f}, decisions changed {np.mean(yes != yes_full):.4f}, "
            f"P(correct) apart by {change.mean():.4f} on average, {change.max():.3f} at most",
            flush=True,
        )


if __name__ == "__main__":
    main()
