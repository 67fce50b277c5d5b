"""Weights in the steps in which they ship, in files of a size: `python -m embedded.pack --weights F.pt --out NAME`.

Writes NAME-0.npz, NAME-1.npz ... Exporting them gives the same steps as exporting the floats; a third of the bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from embedded.weights import TOP, quantized

MOST = 15 * 2**20
"""Bytes of one file, before compression."""


def packed(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Matrices as steps with the scale of each row; everything else in floats."""
    found: dict[str, np.ndarray] = {}
    for name, array in state.items():
        if array.ndim < 2 or name in ("head.weight", "places.weight", "types.weight"):
            found[name] = array.astype(np.float32)
            continue
        steps, scale = quantized(array.astype(np.float32).T, 127 if name == "words.weight" else TOP)
        found[name], found[f"{name}.scale"] = steps.T.copy(), scale
    return found


def files(arrays: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """The arrays in parts of at most `MOST` bytes, an array and its scale together."""
    parts: list[dict[str, np.ndarray]] = [{}]
    size = 0
    for name in (name for name in arrays if not name.endswith(".scale")):
        mine = {key: arrays[key] for key in (name, f"{name}.scale") if key in arrays}
        more = sum(array.nbytes for array in mine.values())
        if parts[-1] and size + more > MOST:
            parts.append({})
            size = 0
        parts[-1] |= mine
        size += more
    return parts


def main() -> None:
    """Write the files."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    found = torch.load(options.weights, map_location="cpu", weights_only=True)
    for at, part in enumerate(files(packed({name: value.float().numpy() for name, value in found.items()}))):
        np.savez_compressed(options.out.with_name(f"{options.out.name}-{at}.npz"), **part)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
