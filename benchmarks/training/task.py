"""Rows for a training run whose truth is known: `python benchmarks/training/task.py OUT --seed 7`.

Writes `train.parquet` and `test.parquet` in verl's columns. A third each: `rules` (arithmetic with a number as
reference), `reading` (the same value in other words, units or fractions), `facts` (names with alternatives).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from training.facts import split_facts
from training.problems import rules_truth
from training.truth import Truth
from training.worded import reading_truth

PARTS = ("rules", "reading", "facts")
BEGIN = "Question: "
INSTRUCTION = "Think in two or three short sentences, then put only the final answer in \\boxed{}."
DATA_SOURCE = "lighteval/MATH"
"""verl's own reward compares the box with the reference, character by character, under this name."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--train", type=int, default=2048)
    parser.add_argument("--test", type=int, default=256)
    parser.add_argument("--data-source", default=DATA_SOURCE)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for split, made in task(options.seed, options.train, options.test, options.data_source).items():
        path = options.out / f"{split}.parquet"
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(made), path)
        print(f"{path}: {len(made)} rows")


def task(seed: int, train: int, test: int, data_source: str = DATA_SOURCE) -> dict[str, list[dict[str, Any]]]:
    """The rows of both splits; the same for the same arguments, and no question in both."""
    known = dict(zip(("train", "test"), split_facts(seed), strict=True))
    seen: set[str] = set()
    made = {}
    for split, size in (("test", test), ("train", train)):
        draw = random.Random(f"{split} {seed}")
        sources = {"rules": _drawn(rules_truth, draw, seen), "reading": _drawn(reading_truth, draw, seen)}
        sources["facts"] = iter(known[split])
        made[split] = [
            row(next_truth(sources[part], part), part, split, index, data_source)
            for index, part in ((i, PARTS[i % len(PARTS)]) for i in range(size))
        ]
    return {"train": made["train"], "test": made["test"]}


def next_truth(source: Iterator[Truth], part: str) -> Truth:
    truth = next(source, None)
    if truth is None:
        raise SystemExit(f"there are not so many questions of the part {part}: ask for fewer rows")
    return truth


def row(truth: Truth, part: str, split: str, index: int, data_source: str) -> dict[str, Any]:
    """One row in verl's columns."""
    return {
        "prompt": [{"role": "user", "content": f"{BEGIN}{truth.question}\n{INSTRUCTION}"}],
        "data_source": data_source,
        "ability": part,
        "reward_model": {"style": "rule", "ground_truth": truth.reference},
        "extra_info": {
            "index": index,
            "split": split,
            "part": part,
            "question": truth.question,
            "truth": truth.dumps(),
        },
    }


def _drawn(make: Any, draw: random.Random, seen: set[str]) -> Iterator[Truth]:
    """New questions without end."""
    while True:
        truth = make(draw)
        if truth.question not in seen:
            seen.add(truth.question)
            yield truth


if __name__ == "__main__":
    main()
