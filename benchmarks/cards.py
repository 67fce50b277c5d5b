"""Pairs a second of the judge stage with one engine and with several, each on a GPU of its own, in one run.

    python benchmarks/cards.py --model DIR [--load-format dummy] [--engines 1 2 4] [--json OUT]
    python benchmarks/cards.py --model DIR --engine none [--engines 2]        # no GPU: the host's work alone

DIR as for `engines.py`. All engines are started before anything is measured, and the numbers of engines take turns,
with new questions each time. Each row is the median of its repeats, which are shown and written as they come. With
`--engine none` the copies answer at once; then the processor time a pair of the process that feeds them counts.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import engines
import machine
from instant import InstantBackend

from hybridverify import Sample, Verifier
from hybridverify.judges.backends.vllm import VLLMBackend

WARM_UP = 8
"""The part of the questions that each way is warmed up with."""
Way = tuple[str, int]
"""Score and number of engines."""


class Spent(NamedTuple):
    """Seconds of one run, by the clock and of this process's processor time, and its pairs."""

    seconds: float
    cpu_s: float
    pairs: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder with config.json and tokenizer")
    parser.add_argument("--engine", choices=("vllm", "none"), default="vllm")
    parser.add_argument("--engines", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--questions", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = measured(arguments)
    for score, rows in figures["pairs_per_s"].items():
        for number, rate in rows.items():
            cost = figures["host_us_a_pair"][score][number]
            times = figures["times"][score][number]
            print(
                f"{score:<8} {number} engine(s) {rate:>9,.1f} pairs/s  {times:.2f}x  host {cost:.1f} us a pair"
            )


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """The figures, which are also written after each turn: a run that is ended early leaves what it found."""
    whole = backend(arguments, max(arguments.engines))
    begin = time.perf_counter()
    whole.start()
    start_s = round(time.perf_counter() - begin, 1)
    print(f"engines started in {start_s} s", flush=True)
    ways = {
        (score, number): verifier_of(whole.with_engines(number), score)
        for score in ("label", "p_yes")
        for number in arguments.engines
    }
    spent: dict[Way, list[Spent]] = {way: [] for way in ways}
    figures: dict[str, Any] = {}
    for turn in range(arguments.repeats + 1):
        questions = arguments.questions if turn else max(1, arguments.questions // WARM_UP)
        samples = engines.made_samples(questions, 8)
        for place, (way, verifier) in enumerate(ways.items()):
            # An engine that knew the beginnings of the prompts would have less to do.
            rows = [replace(sample, question=f"{turn}.{place} {sample.question}") for sample in samples]
            found = timed(rows, verifier)
            if turn:
                spent[way].append(found)
                print(f"{way[0]}, {way[1]}: {found.pairs / found.seconds:,.0f} pairs/s", flush=True)
        if turn:
            figures = {"start_s": start_s, **told(spent, arguments.engines[0])}
            written(figures, arguments.json)
    whole.close()
    return figures


def verifier_of(backend: VLLMBackend, score: str) -> Verifier:
    return Verifier(rules=["exact"], judges=[engines.judge_of(backend, score)], policy="judge_only")


def timed(rows: Sequence[Sample], verifier: Verifier) -> Spent:
    gc.collect()
    begin, cpu = time.perf_counter(), time.process_time()
    asked = sum(grade.judge_asked for grade in verifier.grade(rows))
    found = Spent(time.perf_counter() - begin, time.process_time() - cpu, len(rows))
    if asked != len(rows):
        raise SystemExit("not every pair was asked about")
    return found


def told(spent: Mapping[Way, Sequence[Spent]], first: int) -> dict[str, Any]:
    """Medians by score and number of engines, and rates as multiples of the first number's."""
    rates = by_score(spent, lambda runs: runs[0].pairs / statistics.median(one.seconds for one in runs))
    return {
        "pairs": next(iter(spent.values()))[0].pairs,
        "pairs_per_s": rates,
        "times": {
            score: {number: round(rate / rows[first], 3) for number, rate in rows.items()}
            for score, rows in rates.items()
        },
        "host_us_a_pair": by_score(spent, lambda runs: statistics.median(map(cost_us, runs))),
        "seconds": {
            f"{score}, {number}": [one.seconds for one in runs] for (score, number), runs in spent.items()
        },
    }


def by_score(
    spent: Mapping[Way, Sequence[Spent]], figure: Callable[[Sequence[Spent]], float]
) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for (score, number), runs in spent.items():
        found.setdefault(score, {})[number] = round(figure(runs), 1)
    return found


def cost_us(run: Spent) -> float:
    return run.cpu_s / run.pairs * 1e6


def written(figures: Mapping[str, Any], out: Path | None) -> None:
    if out:
        machine.write(out, figures)


def backend(arguments: argparse.Namespace, number: int) -> VLLMBackend:
    kind = InstantBackend if arguments.engine == "none" else VLLMBackend
    return kind(arguments.model, load_format=arguments.load_format, max_model_len=2048, engines=number)


if __name__ == "__main__":
    main()
