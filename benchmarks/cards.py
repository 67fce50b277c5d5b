"""Pairs a second of the judge stage with one engine and with several, each on a GPU of its own, in one run.

    python benchmarks/cards.py --model DIR [--load-format dummy] [--engines 1 2 4] [--json OUT]

DIR as for `engines.py`. All engines are started before anything is measured, and the numbers of engines take turns,
with new questions each time. Each row is the median of its repeats.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import engines

from hybridverify import Sample, Verifier
from hybridverify.judges.backends.vllm import VLLMBackend


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder with config.json and tokenizer")
    parser.add_argument("--engines", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--questions", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = measured(arguments)
    for score, rows in figures["pairs_per_s"].items():
        for number, rate in rows.items():
            print(
                f"{score:<8} {number} engine(s) {rate:>9,.1f} pairs/s  {figures['times'][score][number]:.2f}x"
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """Rates by score and number of engines, and as multiples of the first number's."""
    samples = engines.made_samples(arguments.questions, 8)
    whole = backend(arguments, max(arguments.engines))
    whole.start()
    backends = {number: whole.with_engines(number) for number in arguments.engines}
    ways: dict[tuple[str, int], Callable[[Sequence[Sample]], int]] = {}
    for score in ("label", "p_yes"):
        for number, one in backends.items():
            judge = engines.judge_of(one, score)
            verifier = Verifier(rules=["exact"], judges=[judge], policy="judge_only")
            ways[score, number] = lambda rows, verifier=verifier: sum(  # type: ignore[misc]
                grade.judge_asked for grade in verifier.grade(rows)
            )
    seconds: dict[tuple[str, int], list[float]] = {way: [] for way in ways}
    for turn in range(arguments.repeats + 1):
        for place, (way, work) in enumerate(ways.items()):
            # An engine that knew the beginnings of the prompts would have less to do.
            rows = [replace(sample, question=f"{turn}.{place} {sample.question}") for sample in samples]
            begin = time.perf_counter()
            if work(rows) != len(rows):
                raise SystemExit(f"{way}: not every pair was asked about")
            if turn:
                seconds[way].append(time.perf_counter() - begin)
    whole.close()
    rates = {way: len(samples) / statistics.median(spent) for way, spent in seconds.items()}
    by_score: dict[str, dict[int, float]] = {"label": {}, "p_yes": {}}
    for (score, number), rate in rates.items():
        by_score[score][number] = round(rate, 1)
    first = arguments.engines[0]
    return {
        "pairs": len(samples),
        "pairs_per_s": by_score,
        "times": {
            score: {number: round(rate / rows[first], 3) for number, rate in rows.items()}
            for score, rows in by_score.items()
        },
        "seconds": {f"{score}, {number}": spent for (score, number), spent in seconds.items()},
    }


def backend(arguments: argparse.Namespace, number: int) -> VLLMBackend:
    return VLLMBackend(
        arguments.model,
        load_format=arguments.load_format,
        max_model_len=2048,
        engines=number,
    )


if __name__ == "__main__":
    main()
