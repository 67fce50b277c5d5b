"""Train on prepared features: `python -m embedded.train --features DIR --base F.safetensors --out DIR --jobs F.json`.

A job names the folds that are held out ("0", "12"; "": none, for the model that is shipped), a seed, and settings
that differ from `Recipe`. Jobs run side by side on one GPU (`--parallel`), one after the other on a CPU. Each leaves
the logits of all rows that it did not train on, and on request its weights.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from embedded.encoder import CrossEncoder, from_base
from embedded.features import Rows
from embedded.weights import LAYERS


@dataclass(frozen=True)
class Recipe:
    """Settings of one training run; the defaults are those of the model that is shipped."""

    name: str = "run"
    held_out: str = ""
    seed: int = 0
    epochs: float = 4.0
    rate: float = 1e-4
    batch: int = 64
    made: float = 2.0
    """Constructed rows for each labelled row, drawn anew in each epoch."""
    made_weight: float = 0.25
    without: tuple[str, ...] = ("turned", "turned_word", "scrambled", "first_name")
    """Kinds of constructed rows that are left out: six layers do not learn them, and agreement with people falls."""
    smoothing: float = 0.05
    dropout: float = 0.2
    decay: float = 0.01
    average: float = 0.995
    """Of the moving average of the weights, which is what is kept."""
    layers: int = LAYERS
    """Of the base, its first ones."""
    base: str = ""
    """File of another base beside that of the command line, with `features` of its tokenizer."""
    features: str = ""
    hints: bool = True
    hint_drop: float = 0.3
    """Share of training rows whose hints are blanked."""
    head_seed: int = 0
    teacher: str = ""
    """File of logits, for the rows it holds, that are mixed into the labels."""
    teacher_share: float = 0.0
    predict: bool = True
    keep_weights: bool = False
    steps: int = 0
    """Stop early, for a dry run."""
    limit_s: float = 1e9
    """The rate comes to its end after so many seconds, if steps are left."""


def train(recipe: Recipe, folder: Path, base: Path, out: Path, device: str) -> None:
    """Run one job."""
    begin = time.perf_counter()
    folder, base = (
        (folder / recipe.features if recipe.features else folder),
        (base.parent / recipe.base if recipe.base else base),
    )
    rows = Rows(folder, device, recipe.hints)
    rng = np.random.default_rng(recipe.seed)
    tests = np.char.startswith(rows.origins, "test:")
    made = np.char.startswith(rows.origins, "made:")
    mine = ~tests & ~np.isin(rows.folds, [int(fold) for fold in recipe.held_out])
    used = made & ~np.isin(rows.origins, [f"made:{kind}" for kind in recipe.without])
    human, constructed = np.flatnonzero(mine & ~made), np.flatnonzero(mine & used)
    targets = _targets(recipe, rows, folder)
    weights = np.where(made, recipe.made_weight, 1.0).astype(np.float32)
    put = lambda array: torch.from_numpy(array).to(device)  # noqa: E731
    target_of, weight_of = put(targets), put(weights)

    model = from_base(base, recipe.dropout, recipe.head_seed, recipe.layers).to(device)
    torch.manual_seed(recipe.seed)
    slow = from_base(base, 0.0, recipe.head_seed, recipe.layers).to(device).eval()
    optimizer = torch.optim.AdamW(_groups(model, recipe), lr=recipe.rate, fused=device == "cuda")
    extra = min(len(constructed), int(recipe.made * len(human)))
    per_epoch = math.ceil((len(human) + extra) / recipe.batch)
    total = recipe.steps or int(per_epoch * recipe.epochs)
    step, losses, done = 0, [], 0.0
    model.train()
    while step < total and done < 1.0:
        for batch in epoch(
            rng, human, rng.choice(constructed, extra, replace=False), rows.lengths, recipe.batch
        ):
            done = max(step / total, (time.perf_counter() - begin) / recipe.limit_s)
            if done >= 1.0:
                break
            scale = min(1.0, (step + 1) / max(1, int(0.06 * total))) * max(0.02, 1.0 - done)
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * scale
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                logits = model(*rows.batch(batch, recipe.hint_drop if recipe.hints else 0.0))
            at = torch.from_numpy(batch).to(device)
            loss = F.binary_cross_entropy_with_logits(logits.float(), target_of[at], weight_of[at])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            keep = min(recipe.average, (step + 1) / (step + 10))
            with torch.no_grad():
                torch._foreach_lerp_(list(slow.parameters()), list(model.parameters()), 1.0 - keep)
            step += 1
            if step % 200 == 0:
                losses.append(round(loss.item(), 4))
    seconds = time.perf_counter() - begin
    if recipe.predict:
        rest = unseen(rows, recipe.held_out)
        np.savez_compressed(
            out / f"{recipe.name}.npz", rows=rest.astype(np.int32), logits=predict(slow, rows, rest)
        )
    if recipe.keep_weights:
        torch.save(
            {name: value.half().cpu() for name, value in slow.state_dict().items()}, out / f"{recipe.name}.pt"
        )
    whole = time.perf_counter() - begin
    print(
        f"{recipe.name}: {step} steps, {seconds:.0f} s, with evaluation {whole:.0f} s, losses {losses[::3]}",
        flush=True,
    )


def unseen(rows: Rows, held_out: str) -> np.ndarray:
    """Everything of the folds that are held out; of a model that has seen all folds the tests."""
    tests = np.char.startswith(rows.origins, "test:")
    return np.flatnonzero(np.isin(rows.folds, [int(fold) for fold in held_out]) if held_out else tests)


@torch.no_grad()
def predict(model: CrossEncoder, rows: Rows, wanted: np.ndarray, size: int = 512) -> np.ndarray:
    """Logits of these rows."""
    order = wanted[np.argsort(rows.lengths[wanted], kind="stable")]
    found = np.zeros(int(wanted.max()) + 1 if len(wanted) else 0, np.float32)
    for at in range(0, len(order), size):
        part = order[at : at + size]
        with torch.autocast(rows.device, torch.bfloat16, enabled=rows.device == "cuda"):
            found[part] = model(*rows.batch(part)).float().cpu().numpy()
    return found[wanted]


def epoch(
    rng: np.random.Generator, human: np.ndarray, constructed: np.ndarray, lengths: np.ndarray, size: int
) -> list[np.ndarray]:
    """All rows of an epoch in batches of like lengths, in random order."""
    rows = rng.permutation(np.concatenate([human, constructed]))
    batches = []
    for at in range(0, len(rows), size * 50):
        part = rows[at : at + size * 50]
        part = part[np.argsort(lengths[part], kind="stable")]
        batches += [part[start : start + size] for start in range(0, len(part), size)]
    rng.shuffle(batches)
    return batches


def _targets(recipe: Recipe, rows: Rows, folder: Path) -> np.ndarray:
    hard = rows.labels.astype(np.float32)
    targets = hard * (1.0 - recipe.smoothing) + 0.5 * recipe.smoothing
    if recipe.teacher:
        known = np.load(folder / recipe.teacher)
        soft = 1.0 / (1.0 + np.exp(-known["logits"].astype(np.float32)))
        at, share = known["rows"], recipe.teacher_share
        targets[at] = (1.0 - share) * targets[at] + share * soft
    return targets.astype(np.float32)


def _groups(model: CrossEncoder, recipe: Recipe) -> list[dict[str, Any]]:
    names = dict(model.named_parameters())
    plain = [value for name, value in names.items() if value.ndim < 2 or name == "words.weight"]
    return [
        {
            "params": [value for value in names.values() if all(value is not other for other in plain)],
            "weight_decay": recipe.decay,
        },
        {"params": plain, "weight_decay": 0.0},
    ]


def main() -> None:
    """Run the jobs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=Path, required=True)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--stop-after-s", type=float, default=1e9, help="start no job later than this")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    known = {field.name for field in fields(Recipe)}
    jobs = [Recipe(**job) for job in json.loads(options.jobs.read_text("utf-8")) if set(job) <= known]
    arguments = (options.features, options.base, options.out, device)
    if options.parallel < 2:
        for job in jobs:
            train(job, *arguments)
        return
    _side_by_side(jobs, arguments, options.parallel, options.stop_after_s)


def _side_by_side(jobs: list[Recipe], arguments: tuple[Any, ...], parallel: int, stop_after_s: float) -> None:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    waiting = context.Queue()
    for job in jobs:
        waiting.put(job)
    workers = [
        context.Process(target=_worker, args=(waiting, arguments, time.time() + stop_after_s))
        for _ in range(parallel)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _worker(waiting: Any, arguments: tuple[Any, ...], stop_at: float) -> None:
    import queue

    torch.set_num_threads(1)
    while time.time() < stop_at:
        try:
            job = waiting.get(timeout=1)
        except queue.Empty:
            return
        train(job, *arguments)


if __name__ == "__main__":
    main()
