"""Speed, load time and memory of the embedded judge: `python -m embedded.speed --data DIR [--base DIR]`.

Short answers (up to 60 characters) through `prepare` and `decide` on one thread, against transformers in 32 bits with
the same architecture on one thread (`--base`: folder of the base model; needs torch and transformers), turn by turn in
one process. On a shared machine the best turn of each is the figure that says most; the median stands beside it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from embedded.prepare import subject_of
from embedded.rows import Row, load
from hybridverify.judges.base import Request
from hybridverify.judges.embedded import EmbeddedJudge

_LOAD = """
import time, os
begin = time.perf_counter()
from hybridverify.judges.embedded import EmbeddedJudge
from hybridverify.judges.base import Subject
from hybridverify.types import Sample
imported = time.perf_counter()
judge = EmbeddedJudge()
judge.ensure_ready(1.0)
loaded = time.perf_counter()
judge.decide(judge.prepare([Subject(Sample("In Ulm.", "Ulm", "Where?"), "In Ulm.", False, "In Ulm.")]))
first = time.perf_counter()
memory = next(line for line in open("/proc/self/status") if line.startswith("VmRSS")).split()[1]
print(imported - begin, loaded - imported, first - loaded, int(memory) / 1024)
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    loads = [_loaded() for _ in range(options.turns)]
    imported, loaded, first, memory = np.min(loads, axis=0)
    print(
        f"import {imported:.2f} s, load {loaded:.2f} s, first answer {first:.3f} s, resident {memory:.0f} MB (best)"
    )
    print("load, median:", f"{np.median(loads, axis=0)[1]:.2f} s")
    short = [row for row in load(options.data) if len(row.response) <= 60]
    rows = [short[at] for at in np.random.default_rng(0).permutation(len(short))[: options.rows]]
    runners = {"embedded": _embedded(rows)}
    if options.base:
        for size in (1, 16, 64):
            runners[f"transformers, batches of {size}"] = _transformers(rows, options.base, size)
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(options.turns):
        for name, run in runners.items():
            begin = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - begin)
    for name, turns in seconds.items():
        best, median = len(rows) / min(turns), len(rows) / float(np.median(turns))
        print(f"{name:30} {best:7.1f} rows/s at best, {median:7.1f} in the median turn")


def _loaded() -> list[float]:
    done = subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, text=True, check=True)
    return [float(part) for part in done.stdout.split()]


def _embedded(rows: list[Row]) -> Callable[[], Any]:
    judge = EmbeddedJudge(kinds="all")
    subjects = [subject_of(row) for row in rows]
    judge.ensure_ready(1.0)

    def run() -> None:
        judge.decide([request for request in judge.prepare(subjects) if isinstance(request, Request)])

    return run


def _transformers(rows: list[Row], base: Path, size: int) -> Callable[[], Any]:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=1).eval()
    asked = sorted(rows, key=lambda row: len(row.question) + len(row.references[0]) + len(row.response))

    def run() -> None:
        with torch.inference_mode():
            for at in range(0, len(asked), size):
                part = asked[at : at + size]
                first = [f"{row.question} {row.references[0][:160]}" for row in part]
                seen = tokenizer(
                    first, [row.response for row in part], padding=True, truncation=True, return_tensors="pt"
                )
                model(**seen).logits.sigmoid()

    return run


if __name__ == "__main__":
    main()
