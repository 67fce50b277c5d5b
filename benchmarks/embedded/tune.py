"""Train the upper layers of finished weights further, on a CPU: `python -m embedded.tune --features DIR --weights
FILE --out F.pt --held-out 0 --seconds 2100`.

FILE is the model of the first version (weights.py reads it), or weights of a run. The embeddings and the first layers
stay as they are, so that a step costs about half; rows have at most `--longest` tokens. The rate falls to nothing over
the given time. This is what can be done without a GPU in an hour; a base that has seen people's rows of the fold that
is held out says too much of them, not of the constructed ones.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from embedded.encoder import CrossEncoder
from embedded.features import Rows
from embedded.train import epoch
from embedded.weights import state_of

HUMAN, MADE = 4000, 9000
"""Rows of a round, drawn anew."""
_HINT_DROP, _SMOOTHING, _KEEP = 0.2, 0.05, 0.985


def started(path: Path, dropout: float) -> CrossEncoder:
    """The model with the weights of this file."""
    model = CrossEncoder(dropout)
    if path.suffix == ".pt":
        state = torch.load(path, map_location="cpu", weights_only=True)
    else:
        found = state_of(path)
        state = {
            name: torch.from_numpy(np.array(found[name], np.float32)).reshape(value.shape)
            for name, value in model.state_dict().items()
        }
    model.load_state_dict({name: value.float() for name, value in state.items()})
    return model


def frozen(model: CrossEncoder, layers: int) -> None:
    """Keep the embeddings and the first layers as they are."""
    for part in (model.words, model.places, model.types, model.norm, *model.layers[:layers]):
        part.requires_grad_(False)


def main() -> None:
    """Train and write the moving average of the weights, mixed with those it began with."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("features", "weights", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--held-out", default="")
    parser.add_argument("--frozen", type=int, default=3)
    parser.add_argument("--longest", type=int, default=80)
    parser.add_argument("--rate", type=float, default=1.3e-4)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument(
        "--share", type=float, default=0.75, help="of the tuned weights, the rest of the old ones"
    )
    parser.add_argument("--seconds", type=float, default=2100.0)
    options = parser.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    rows = Rows(options.features, "cpu", True)
    mine = (rows.lengths <= options.longest) & ~np.char.startswith(rows.origins, "test:")
    mine &= ~np.isin(rows.folds, [int(fold) for fold in options.held_out])
    made = np.char.startswith(rows.origins, "made:")
    model, slow = started(options.weights, 0.1), started(options.weights, 0.0)
    frozen(model, options.frozen)
    moved = [
        pair for pair in zip(model.parameters(), slow.parameters(), strict=True) if pair[0].requires_grad
    ]
    optimizer = torch.optim.AdamW([own for own, _ in moved], lr=options.rate, weight_decay=0.01)
    labels = torch.from_numpy(rows.labels.astype(np.float32))
    begin, step, done = time.perf_counter(), 0, 0.0
    while done < 1.0:
        for batch in epoch(
            rng,
            rng.choice(np.flatnonzero(mine & ~made), HUMAN, replace=False),
            rng.choice(np.flatnonzero(mine & made), MADE, replace=False),
            rows.lengths,
            options.batch,
        ):
            done = (time.perf_counter() - begin) / options.seconds
            if done >= 1.0:
                break
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1.0, (step + 1) / 25) * max(0.03, 1.0 - done)
            model.train()
            logits = model(*rows.batch(batch, _HINT_DROP))
            wanted = labels[torch.from_numpy(batch)] * (1.0 - _SMOOTHING) + 0.5 * _SMOOTHING
            loss = F.binary_cross_entropy_with_logits(logits, wanted)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            keep = min(_KEEP, (step + 1) / (step + 10))
            with torch.no_grad():
                torch._foreach_lerp_([kept for _, kept in moved], [own for own, _ in moved], 1.0 - keep)
            step += 1
            if step % 50 == 0:
                print(f"{step} steps, {done:.0%}, loss {loss.item():.3f}", flush=True)
    begun = started(options.weights, 0.0).state_dict()
    mixed = {
        name: options.share * value + (1.0 - options.share) * begun[name]
        for name, value in slow.state_dict().items()
    }
    torch.save({name: value.half() for name, value in mixed.items()}, options.out)
    print(f"{step} steps")


if __name__ == "__main__":
    main()
