"""The runs behind the shipped model and its figures: `python -m embedded.jobs --out jobs.json [--steps 2]`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from embedded.rows import FOLDS

SEEDS, FINAL_SEEDS = 3, 5


def jobs(steps: int = 0) -> list[dict[str, Any]]:
    """Three seeds for each held-out fold, five on all rows; all begin with the same head, so that they average.

    `steps`, where it is not 0, stops each of them early.
    """
    held_out = [
        {"name": f"seed{seed}-f{fold}", "held_out": str(fold), "seed": seed, "keep_weights": True}
        for seed in range(SEEDS)
        for fold in range(FOLDS)
    ]
    final = [{"name": f"final-seed{seed}", "seed": seed, "keep_weights": True} for seed in range(FINAL_SEEDS)]
    return [job | ({"steps": steps} if steps else {}) for job in (*held_out, *final)]


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=0, help="of each run, for a dry run")
    options = parser.parse_args()
    options.out.write_text(json.dumps(jobs(options.steps), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
