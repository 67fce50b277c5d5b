"""What `make_reward` adds to `Verifier.grade` for the same rows, called as TRL calls it.

    python benchmarks/reward_overhead.py [--rows 16 64 256] [--answers "#### 42" ...] [--rounds 15] [--json OUT]

Both get the same columns: texts, or chats of which the last turn counts.

| column | what is called |
|---|---|
| grade texts | `grade(responses, references, questions)` |
| reward texts | `reward(prompts=texts, completions=texts, answer=texts)` |
| grade chats | `grade([Sample(chat, reference, chat), ...])` |
| reward chats | `reward(prompts=chats, completions=chats, answer=texts)` |
| grade samples | `grade([Sample(text, reference, text), ...])`: the fastest way, for rows that are unwrapped |

The ratios are those of a reward to its own `grade`. The last one, "reward chats / grade samples", holds the unwrapping
of chats against a verifier that need not do it. All take short turns, each on rows of its own, made anew, half of them
wrong; so no cache of one helps another. Processor time of this process, ratios within a turn, and of all turns the
median. "again" holds the ratio of `grade samples` to itself: what it differs from 1 is noise. No row needs a worker.
Without a judge and without a cache.
"""

from __future__ import annotations

import argparse
import gc
import logging
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import machine
from overhead import KINDS, Row, make_rows
from rich.console import Console
from rich.table import Table

import hybridverify as hv

SETTINGS: dict[str, Any] = {"cache": None, "workers": 1}
SAMPLES, AGAIN = "grade samples", "again"
TEXTS, PAID_TEXTS, CHATS, PAID_CHATS = "grade texts", "reward texts", "grade chats", "reward chats"
RATIOS = ((AGAIN, SAMPLES), (PAID_TEXTS, TEXTS), (PAID_CHATS, CHATS), (PAID_CHATS, SAMPLES))
UNTOLD = "What is it?"
ROWS_OF_A_ROUND = 512
ROWS_OF_A_TURN = 64
"""At least: smaller calls are made several times. Turns are short, since other work on the machine comes and goes."""
Columns = tuple[list[Any], list[str], list[Any]]
Side = tuple[Callable[[list[Row]], Any], Callable[[Any], object]]
"""What makes the arguments of a call, and the call."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[16, 64, 256], help="rows of a call")
    parser.add_argument(
        "--answers", nargs="+", choices=list(KINDS), default=list(KINDS), help="kinds of rows"
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    figures = [
        {"answer": kind, "rows": rows, **measure(kind, rows, arguments.rounds)}
        for kind in arguments.answers
        for rows in arguments.rows
    ]
    show(figures)
    if arguments.json:
        machine.write(arguments.json, figures)


def measure(kind: str, rows: int, rounds: int) -> dict[str, float]:
    """Microseconds a row, and ratios to `grade`: medians over the rounds."""
    verifier, reward = hv.Verifier(**SETTINGS), hv.make_reward(**SETTINGS)

    def grade(columns: Columns) -> object:
        return verifier.grade(list(map(hv.Sample, *columns)))

    def grade_texts(columns: Columns) -> object:
        return verifier.grade(*columns)

    def pay(named: dict[str, Any]) -> object:
        return reward(**named)

    sides: dict[str, Side] = {
        SAMPLES: (text_columns, grade),
        AGAIN: (text_columns, grade),
        TEXTS: (text_columns, grade_texts),
        PAID_TEXTS: (lambda rows: as_named(text_columns(rows)), pay),
        CHATS: (chat_columns, grade),
        PAID_CHATS: (lambda rows: as_named(chat_columns(rows)), pay),
    }
    found = [in_turn(sides, kind, rows, number) for number in range(rounds + 1)]
    verifier.close()
    kept = [turn for turns in found[1:] for turn in turns]  # the first round imports and is thrown away
    return {
        **{name: statistics.median(one[name] for one in kept) for name in sides},
        **{
            f"{name} / {other}": statistics.median(one[name] / one[other] for one in kept)
            for name, other in RATIOS
        },
    }


def in_turn(sides: dict[str, Side], kind: str, rows: int, number: int) -> list[dict[str, float]]:
    """Microseconds a row of each side, one turn after the other, in changing order. What they are called with is made
    before, and out of the collector's sight: it would be looked through within the measured time."""
    calls, in_a_turn = max(1, ROWS_OF_A_ROUND // rows), max(1, ROWS_OF_A_TURN // rows)
    made = {
        name: [prepare(make_rows(kind, rows, f"{number} {name} {call}")) for call in range(calls)]
        for name, (prepare, _) in sides.items()
    }
    gc.collect()
    gc.freeze()
    turns = []
    for turn, begin in enumerate(range(0, calls, in_a_turn), number):
        at, order = turn % len(sides), list(sides)
        turns.append(
            {
                name: mean_of(sides[name][1], made[name][begin : begin + in_a_turn])
                for name in order[at:] + order[:at]
            }
        )
    gc.unfreeze()
    return [{name: seconds / rows * 1e6 for name, seconds in turn.items()} for turn in turns]


def mean_of(work: Callable[[Any], object], calls: list[Any]) -> float:
    """Seconds of processor time a call."""
    begin = time.process_time()
    for call in calls:
        work(call)
    return (time.process_time() - begin) / len(calls)


def text_columns(rows: list[Row]) -> Columns:
    """Responses, references and questions, as `Sample` takes them."""
    responses, references, questions = map(list, zip(*rows, strict=True))
    return responses, references, [question or UNTOLD for question in questions]


def chat_columns(rows: list[Row]) -> Columns:
    """The same as chats of one turn."""
    responses, references, questions = text_columns(rows)
    return (
        [[{"role": "assistant", "content": response}] for response in responses],
        references,
        [[{"role": "user", "content": question}] for question in questions],
    )


def as_named(columns: Columns) -> dict[str, Any]:
    """Columns as TRL's arguments."""
    responses, references, questions = columns
    return {"prompts": questions, "completions": responses, "answer": references}


def show(figures: list[dict[str, Any]]) -> None:
    table = Table(title="microseconds a row, and ratios within a turn")
    columns = list(figures[0])
    for name in columns:
        table.add_column(name, justify="left" if name == "answer" else "right")
    for line in figures:
        table.add_row(
            *(f"{line[name]:.3f}" if isinstance(line[name], float) else str(line[name]) for name in columns)
        )
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
