"""The runs behind the shipped model and its figures: `python -m embedded.jobs --out jobs.json [--steps 2]`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from embedded.rows import FOLDS

SEEDS, FINAL_SEEDS = 4, 4
E5_LAYERS = (8, 12)


def jobs(steps: int = 0, limit_s: float = 0.0, e5: bool = False) -> list[dict[str, Any]]:
    """Seeds for each held-out fold, and on all rows; all begin with the same head, so that they average.

    `steps`, where it is not 0, stops each of them early; `limit_s` lets the rate come to its end by then. `e5` adds
    runs of another base on one fold, to compare.
    """
    final = [
        {"name": f"final-seed{seed}", "seed": seed, "keep_weights": True, "predict": False}
        for seed in range(FINAL_SEEDS)
    ]
    held_out = [
        {
            "name": f"seed{seed}-f{fold}",
            "held_out": str(fold),
            "seed": seed,
            "keep_weights": True,
            "predict": False,
        }
        for seed in range(SEEDS)
        for fold in range(FOLDS)
    ]
    other = [
        {
            "name": f"e5-{layers}-f0",
            "held_out": "0",
            "base": "e5/base.npz",
            "features": "e5",
            "layers": layers,
        }
        for layers in E5_LAYERS
    ]
    more = {name: value for name, value in (("steps", steps), ("limit_s", limit_s)) if value}
    return [job | more for job in (*final, *held_out, *(other if e5 else ()))]


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=0, help="of each run, for a dry run")
    parser.add_argument("--limit-s", type=float, default=0.0, help="of each run")
    parser.add_argument("--e5", action="store_true", help="also the other base, on one fold")
    options = parser.parse_args()
    found = jobs(options.steps, options.limit_s, options.e5)
    options.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
