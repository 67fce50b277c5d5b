"""From weights to the file that is shipped: `python -m embedded.export --weights F.pt --out model.onnx [--full]`.

graph.py says what is written and why. `--full` writes the same model in 32 bits, to compare with. `--calibration
F.json` (from calibrate.py) is folded into the last layer. `--first F.onnx` takes the weights out of the file of the
first version instead, which had the same seven bits in another graph.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx

from embedded.graph import graph_of
from embedded.weights import state_of


def trained(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """Weights that training or soup.py left, or the files of pack.py."""
    import torch

    from embedded.encoder import floats_of

    if paths[0].suffix == ".npz":
        return {name: value.numpy() for path in paths for name, value in floats_of(path).items()}
    found = torch.load(paths[0], map_location="cpu", weights_only=True)
    return {name: value.float().numpy() for name, value in found.items()}


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--weights", type=Path, nargs="+")
    source.add_argument("--first", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--calibration", type=Path)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    state = trained(options.weights) if options.weights else state_of(options.first)
    known = json.loads(options.calibration.read_text("utf-8")) if options.calibration else {}
    model = graph_of(state, options.full, known.get("temperature", 1.0), known.get("shift", 0.0))
    onnx.save(model, options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
