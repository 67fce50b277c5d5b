"""What one row costs where the rules decide: microseconds through `grade` and `verify`, beside math-verify.

    python benchmarks/overhead.py [--rows 400] [--rounds 7] [--json OUT]

Processor time of this process, median of the rounds; no row here is passed on to a worker. The graders take turns,
each on rows of its own, made anew for every round, so that no cache of an earlier one helps. Half of the answers are
wrong. Ratios are steadier than times: on a shared machine compare the last columns. The rows follow each other, so
the processor's caches are warm; `rules.py` hands over one row at a time and measures the same with cold ones.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hybridverify as hv

Row = tuple[str, str, str]
"""Response, reference, question."""
PEER = "math-verify"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=400, help="rows of each kind in a round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = {kind: measure(kind, arguments.rows, arguments.rounds) for kind in KINDS}
    show(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measure(kind: str, count: int, rounds: int) -> dict[str, float]:
    """Microseconds a row by grader: the median over the rounds."""
    graders = make_graders()
    times: dict[str, list[float]] = {name: [] for name in graders}
    for number in range(rounds + 1):  # the first round imports and is thrown away
        for name, run in graders.items():
            rows = make_rows(kind, count, f"{number} {name}")
            begin = time.process_time()
            run(rows)
            times[name].append((time.process_time() - begin) / count * 1e6)
    return {name: round(statistics.median(all_times[1:]), 1) for name, all_times in times.items()}


def make_graders() -> dict[str, Callable[[list[Row]], object]]:
    import math_verify

    verifier = hv.Verifier(workers=1)

    def in_a_batch(rows: list[Row]) -> object:
        return verifier.grade([hv.Sample(*row) for row in rows])

    def one_by_one(rows: list[Row]) -> object:
        return [hv.verify(*row) for row in rows]

    def peer(rows: list[Row]) -> object:
        return [
            math_verify.verify(math_verify.parse(f"${reference}$"), math_verify.parse(response))
            for response, reference, _ in rows
        ]

    return {"grade": in_a_batch, "verify": one_by_one, PEER: peer}


# ---- rows


def make_rows(kind: str, count: int, seed: str) -> list[Row]:
    """Rows of one kind, all different; every second answer is wrong."""
    draw = random.Random(f"{kind} {seed}")
    rows = []
    for number in range(count):
        value = draw.randrange(2, 100_000)
        told = value + (number % 2) * draw.randrange(1, 9)
        rows.append(KINDS[kind](draw, value, told))
    return rows


def hash_line(draw: random.Random, value: int, told: int) -> Row:
    half, other = told // 2, told - told // 2
    text = (
        f"On Monday the baker fills {half} trays, and on Tuesday {other} more.\n"
        f"Together that is {half} + {other} = <<{half}+{other}={told}>>{told} trays.\n#### {told}"
    )
    return (
        text,
        str(value),
        f"A baker fills {half} trays, then the rest. How many trays are there, {draw.random()}?",
    )


def boxed_integer(draw: random.Random, value: int, told: int) -> Row:
    return thought(draw, told) + f"Hence the sum is $\\boxed{{{told}}}$.", str(value), ""


def boxed_fraction(draw: random.Random, value: int, told: int) -> Row:
    below = 2 * draw.randrange(2, 500) + 1
    reference = rf"\frac{{{2 * value}}}{{{below}}}"
    return thought(draw, told) + rf"So we get $\boxed{{\dfrac{{{2 * told}}}{{{below}}}}}$.", reference, ""


def boxed_formula(draw: random.Random, value: int, told: int) -> Row:
    less = draw.randrange(2, 90)
    response = thought(draw, told) + rf"The curve is $\boxed{{{less}x^2 + {told}}}$."
    return response, f"{value}+{less}x^{{2}}", ""


def bare(draw: random.Random, value: int, told: int) -> Row:
    return str(told), str(value), ""


def stated(draw: random.Random, value: int, told: int) -> Row:
    return thought(draw, told) + f"Therefore, the final answer is {told}.", str(value), ""


def thought(draw: random.Random, told: int) -> str:
    step = draw.randrange(2, 50)
    return (
        f"Let $x$ be the smaller of both numbers. The larger one is $x + {step}$, and the condition says that\n"
        f"\\[ 2x + {step} = {told} + \\frac{{x}}{{{step}}}. \\]\nWe collect the terms on one side, divide by what "
        f"stands before $x$, and check the result in the first line.\n\n"
    )


KINDS: dict[str, Callable[[random.Random, int, int], Row]] = {
    "#### 42": hash_line,
    r"\boxed{42}": boxed_integer,
    r"\boxed{\frac{3}{7}}": boxed_fraction,
    r"\boxed{3x^2 + 4}": boxed_formula,
    "bare 42": bare,
    "the answer is 42": stated,
}


def show(figures: dict[str, dict[str, float]]) -> None:
    table = Table(title="Microseconds of processor time a row")
    table.add_column("answers")
    for name in ("grade", "verify", PEER, f"{PEER} / grade", f"{PEER} / verify"):
        table.add_column(name, justify="right")
    for kind, times in figures.items():
        ratios = [f"{times[PEER] / times[name]:.1f}" for name in ("grade", "verify")]
        table.add_row(kind.replace("[", r"\["), *(f"{time_us:.1f}" for time_us in times.values()), *ratios)
    Console(width=max(110, Console().width)).print(table)


if __name__ == "__main__":
    main()
