"""What `make_reward` adds to `Verifier.grade` for the same rows, called as TRL calls it.

    python benchmarks/reward_overhead.py [--rows 2048] [--answers 8] [--rounds 15] [--json OUT]

The verifier gets a list of samples, made within the measured time (as anyone has to) and once more made before it
("ready"). The reward gets a chat, a completion and a reference for each row. Processor time of this process; both take
turns, each on rows of its own, made anew for every round, half of them wrong; ratios within a round, then the median.
Rows that a worker would take are not among them. Without a judge and without a cache.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from overhead import KINDS, Row, make_rows
from rich.console import Console
from rich.table import Table

import hybridverify as hv

RATIO, READY_RATIO = "reward / grade", "reward / grade, ready"
SETTINGS: dict[str, Any] = {"cache": None, "workers": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=2048, help="rows of a call")
    parser.add_argument("--answers", type=int, default=8, help="rows of a group")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    figures = {kind: measure(kind, arguments) for kind in KINDS}
    show(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measure(kind: str, arguments: argparse.Namespace) -> dict[str, float]:
    """Microseconds a row, and ratios: medians over the rounds."""
    verifier, reward = hv.Verifier(**SETTINGS), hv.make_reward(**SETTINGS)
    turns: dict[str, Callable[[list[Row]], float]] = {
        "grade": lambda rows: timed(lambda: verifier.grade(list(map(sample_of, rows)))),
        "ready": lambda rows: ready(verifier, rows),
        "reward": lambda rows: called(reward, rows),
    }
    rounds = []
    for number in range(arguments.rounds + 1):
        found = {}
        order = list(turns)
        for name in order[number % 3 :] + order[: number % 3]:
            rows = make_rows(kind, arguments.rows, f"{number} {name}")
            gc.collect()
            found[name] = turns[name](rows) / arguments.rows * 1e6
        rounds.append(
            {**found, RATIO: found["reward"] / found["grade"], READY_RATIO: found["reward"] / found["ready"]}
        )
    verifier.close()
    kept = rounds[1:]  # the first imports and is thrown away
    return {name: round(statistics.median(one[name] for one in kept), 3) for name in kept[0]}


def ready(verifier: hv.Verifier, rows: list[Row]) -> float:
    samples = list(map(sample_of, rows))
    return timed(lambda: verifier.grade(samples))


def called(reward: Any, rows: list[Row]) -> float:
    prompts = [[{"role": "user", "content": question or "What is it?"}] for _, _, question in rows]
    completions = [[{"role": "assistant", "content": response}] for response, _, _ in rows]
    references = [reference for _, reference, _ in rows]
    return timed(lambda: reward(prompts=prompts, completions=completions, answer=references))


def sample_of(row: Row) -> hv.Sample:
    response, reference, question = row
    return hv.Sample(response, reference, question or "What is it?")


def timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def show(figures: dict[str, dict[str, float]]) -> None:
    table = Table(title="microseconds a row, and ratios within a round")
    columns = list(next(iter(figures.values())))
    for name in ("answer", *columns):
        table.add_column(name, justify="left" if name == "answer" else "right")
    for kind, numbers in figures.items():
        table.add_row(kind, *(f"{numbers[name]:.3f}" for name in columns))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
