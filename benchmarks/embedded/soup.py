"""One model from several: the mean of the weights of runs that began alike.

`python -m embedded.soup --features DIR --out DIR --name NAME --held-out 0 a.pt b.pt c.pt` leaves what a training job
leaves: logits of the rows that none of them was trained on, and the weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from embedded.encoder import CrossEncoder
from embedded.features import Rows
from embedded.train import predict, unseen


def mean_of(paths: Sequence[Path]) -> CrossEncoder:
    """The model with the mean of these weights."""
    states = [torch.load(path, map_location="cpu", weights_only=True) for path in paths]
    layers = 1 + max(int(name.split(".")[1]) for name in states[0] if name.startswith("layers."))
    model = CrossEncoder(0.0, layers, len(states[0]["words.weight"])).eval()
    model.load_state_dict(
        {name: sum(state[name].float() for state in states) / len(states) for name in states[0]}
    )
    return model


def main() -> None:
    """Average, predict, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--held-out", default="")
    parser.add_argument("--no-hints", action="store_true")
    parser.add_argument("weights", type=Path, nargs="+")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = Rows(options.features, device, not options.no_hints)
    model = mean_of(options.weights).to(device)
    rest = unseen(rows, options.held_out)
    logits = predict(model, rows, rest)
    np.savez_compressed(options.out / f"{options.name}.npz", rows=rest.astype(np.int32), logits=logits)
    torch.save({k: v.half().cpu() for k, v in model.state_dict().items()}, options.out / f"{options.name}.pt")


if __name__ == "__main__":
    main()
