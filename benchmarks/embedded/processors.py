"""Scores of fixed rows, to be compared between processors: `python -m embedded.processors --out F.json [--rows N]
[--name TEXT]` on each, then `python -m embedded.processors --compare F.json G.json ...`.

Needs this library, onnxruntime, tokenizers and numpy only. The rows (processors.jsonl) are made, with scores over all
of [0, 1] and many near the threshold. The comparison prints the largest difference of a row's scores and the rows that
are correct on one processor and incorrect on another; it ends with 1 at a difference above .01 or at such a row.
`--name` says what the processor is where the machine does not know, as under an emulator.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from hybridverify.judges.base import Request, Subject
from hybridverify.judges.embedded import EmbeddedJudge
from hybridverify.judges.embedded.model import card
from hybridverify.types import Sample

ROWS = Path(__file__).with_suffix(".jsonl")
WITHIN = 0.01


def subjects(count: int | None = None) -> list[Subject]:
    """The fixed rows; of the first `count` only."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()][:count]
    return [
        Subject(Sample(row["answer"], row["reference"], row["question"]), row["answer"], False, row["answer"])
        for row in rows
    ]


def scored(count: int | None = None, name: str = "") -> dict[str, Any]:
    """What this processor says."""
    judge = EmbeddedJudge(kinds="all", score="p_yes")
    asked = [request for request in judge.prepare(subjects(count)) if isinstance(request, Request)]
    found = judge.decide(asked)
    return {
        "processor": name or _name(),
        "machine": platform.machine(),
        "flags": _flags(),
        "onnxruntime": metadata.version("onnxruntime"),
        "model": card()["sha256"]["model.onnx"],
        "scores": [verdict.p_yes for verdict in found],
        "outcomes": [verdict.outcome.value for verdict in found],
    }


def compared(files: dict[str, dict[str, Any]]) -> tuple[list[str], bool]:
    """Lines to print, and whether all agree. Only rows that all files hold are compared."""
    models = {found["model"] for found in files.values()}
    if len(models) > 1:
        return ["these are scores of different models"], False
    count = min(len(found["scores"]) for found in files.values())
    scores = np.array([found["scores"][:count] for found in files.values()])
    apart = scores.max(0) - scores.min(0)
    lines = [
        f"{path}: {found['processor']}, {found['machine']}, onnxruntime {found['onnxruntime']}; "
        f"from the first file by {np.abs(row - scores[0]).max():.2e} at most"
        for (path, found), row in zip(files.items(), scores, strict=True)
    ]
    flips = []
    for at in range(count):
        said = {found["outcomes"][at] for found in files.values()}
        if {"correct", "incorrect"} <= said:
            flips.append(f"row {at} flips: {', '.join(f'{score:.4f}' for score in scores[:, at])}")
    largest = f"{count} rows, largest difference {apart.max():.2e} (row {apart.argmax()}), {len(flips)} verdicts flip"
    return [*lines, *flips, largest], not flips and bool(apart.max() <= WITHIN)


def _name() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return named[0] if named else platform.machine()


def _flags() -> list[str]:
    """What numpy finds the processor able to do: under an emulator, what that one offers."""
    try:
        numpy = importlib.import_module("numpy._core._multiarray_umath")
    except ImportError:  # numpy 1
        numpy = importlib.import_module("numpy.core._multiarray_umath")
    return sorted(name for name, has in numpy.__cpu_features__.items() if has)


def main() -> None:
    """Score or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--out", type=Path)
    mode.add_argument("--compare", type=Path, nargs="+")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--name", default="")
    options = parser.parse_args()
    if options.out:
        options.out.write_text(json.dumps(scored(options.rows, options.name), indent=1) + "\n", "utf-8")
        return
    lines, agree = compared({path.name: json.loads(path.read_text("utf-8")) for path in options.compare})
    print("\n".join(lines))
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
