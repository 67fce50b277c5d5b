"""Judges that write before they decide: pairs a second by the length of the reply, and a larger judge beside a small.

    python benchmarks/long_judges.py --model DIR --larger DIR [--load-format dummy] [--minutes 8] [--json OUT]

DIR as for `engines.py`. With weights that mean nothing the label never comes, so each length stands for a judge that
has written so much when its label line is complete: the stage asks with that `max_tokens`. By P(yes) the engine gives
log-probabilities at every position. Then the larger judge alone, and both at the same time with one output token, on
the same card. What is done is written at once; after `--minutes` nothing further begins.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import engines
import machine

from hybridverify import Verifier
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.llm import LLMJudge

LENGTHS = (1, 256, 1024, 2048)
Way = Callable[[int, int], tuple[int, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder with config.json and tokenizer")
    parser.add_argument("--larger", default="", help="the same of a larger model")
    parser.add_argument("--load-format", default="auto")
    parser.add_argument("--enforce-eager", action="store_true")
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--questions", type=int, default=64)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--shares", type=float, nargs=2, default=(0.35, 0.45), help="of the card's memory")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    figures: dict[str, Any] = {"pairs": arguments.questions * 8, "rows": {}}

    def note(name: str, work: Callable[[], tuple[int, float]]) -> None:
        if time.monotonic() > until:
            return
        begin = time.perf_counter()
        pairs, tokens = work()
        rate = pairs / (time.perf_counter() - begin)
        figures["rows"][name] = {"pairs_per_s": round(rate, 1), "output_tokens": round(tokens / pairs, 1)}
        print(f"{name:<36} {rate:>9,.1f} pairs/s", flush=True)
        if arguments.json:
            machine.write(arguments.json, figures)

    small = started(arguments, arguments.model, arguments.shares[0])
    first = count(10_000, arguments.questions)
    for length in arguments.lengths:
        for score in ("label", "p_yes"):
            way = stage(small, score, length)
            way(arguments.questions // 8 or 1, next(first))
            note(f"{length} tokens, {score}", lambda: way(arguments.questions, next(first)))  # noqa: B023
    if arguments.larger and time.monotonic() < until:
        large = started(arguments, arguments.larger, arguments.shares[1])
        beside(arguments.questions * 4, stage(small, "label", 1), stage(large, "label", 1), note, first)
        for score in ("label", "p_yes"):
            way = stage(large, score, 256)
            note(f"larger, 256 tokens, {score}", lambda: way(arguments.questions, next(first)))  # noqa: B023
        large.close()
    small.close()


def started(arguments: argparse.Namespace, model: str, share: float) -> VLLMBackend:
    made = VLLMBackend(
        model,
        load_format=arguments.load_format,
        max_model_len=4096,
        gpu_memory_utilization=share,
        enforce_eager=arguments.enforce_eager or None,
        engines=1,
    )
    made.start()
    return made


def stage(backend: VLLMBackend, score: str, length: int) -> Way:
    """Samples in, grades out: how many were asked about, and the tokens that the judge wrote."""
    sampling = {"max_tokens": length}
    judge = LLMJudge("tinyv", backend, sampling=sampling, score=score, retry_unparseable=False)
    verifier = Verifier(rules=["exact"], judges=[judge], policy="judge_only")

    def work(questions: int, first: int) -> tuple[int, float]:
        before = judge.usage()["output_tokens"]
        grades = verifier.grade(engines.made_samples(questions, 8, first))
        return sum(grade.judge_asked for grade in grades), judge.usage()["output_tokens"] - before

    return work


def beside(
    questions: int,
    small: Way,
    large: Way,
    note: Callable[[str, Callable[[], tuple[int, float]]], None],
    first: count[int],
) -> None:
    """Each alone, then both at the same time."""
    for way in (small, large):
        way(questions // 8 or 1, 100_000)
    note("smaller alone", lambda: small(questions, next(first) + 200_000))
    note("larger alone", lambda: large(questions, next(first) + 300_000))

    def both() -> tuple[int, float]:
        with ThreadPoolExecutor(2) as threads:
            done = [
                threads.submit(way, questions, 400_000 + 50_000 * place)
                for place, way in enumerate((small, large))
            ]
            pairs, tokens = zip(*[one.result() for one in done], strict=True)
            return sum(pairs), sum(tokens)

    note("both at the same time", both)


if __name__ == "__main__":
    main()
