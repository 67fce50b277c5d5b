"""Logits of an exported graph for the rows of a fold that it was not trained on, in the form that training leaves:
`python -m embedded.quantized --features DIR --model F.onnx --held-out 0 --out soup8-f0.npz [--threads N]`. So the
8 bits that ship are measured like the model in PyTorch. Export without `--calibration`: it is fitted to logits.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from hybridverify.judges.embedded.model import session

_LEAST = 1e-7
"""P(correct) in 32 bits cannot be nearer to 1."""


def chances(path: Path, features: Path, rows: np.ndarray, threads: int = 1) -> np.ndarray:
    """P(correct) of these rows, each run alone."""
    found = np.load(features)
    ids, lengths, seconds = found["ids"], found["lengths"], found["seconds"]
    ends = np.cumsum(lengths)
    opened = session(path)

    def chance(row: int) -> float:
        mine = ids[ends[row] - lengths[row] : ends[row]].astype(np.int32)[None]
        types = (np.arange(lengths[row]) >= seconds[row]).astype(np.int32)[None]
        return float(opened.run(None, {"ids": mine, "types": types})[0][0])

    with ThreadPoolExecutor(threads) as pool:
        return np.array(list(pool.map(chance, rows)))


def held_out_rows(features: Path, fold: int, constructed: int = 0) -> np.ndarray:
    """Labelled rows and tests of this fold, and so many constructed ones."""
    found = np.load(features)
    made = np.char.startswith(found["origins"].astype(str), "made:")
    mine = found["folds"] == fold
    some = np.random.default_rng(0).permutation(np.flatnonzero(mine & made))[:constructed]
    return np.sort(np.concatenate([np.flatnonzero(mine & ~made), some]))


def main() -> None:
    """Run the graph and write logits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--held-out", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--constructed", type=int, default=0, help="rows of these to add")
    options = parser.parse_args()
    features = options.features / "features.npz"
    rows = held_out_rows(features, options.held_out, options.constructed)
    said = np.clip(chances(options.model, features, rows, options.threads), _LEAST, 1.0 - _LEAST)
    logits = np.log(said / (1.0 - said)).astype(np.float32)
    np.savez_compressed(options.out, rows=rows.astype(np.int32), logits=logits)


if __name__ == "__main__":
    main()
