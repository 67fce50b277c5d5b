"""What `hybridverify grade` costs beside the grading: rows a second from Parquet to Parquet, and memory.

    python benchmarks/files.py [--rows 50000] [--rounds 3] [--json OUT]

The rows are made here: six kinds of marked answers (those of overhead.py) and one of free text that rules leave
undecided; half of the answers are wrong, and no two rows are alike. Rules only, no cache. Each round runs in processes
of their own, one after the other on the same rows: `Verifier.grade` on samples that are in memory already; the command
from file to file; and the command with groups and `--summary`, without and with `--report`. The command is timed
within its process, from its first argument to its last line, imports apart. `share` is the command's speed over that
of `Verifier.grade`, the median of the rounds; by processor time it is steadier on a shared machine than by wall time.
`MB` is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from overhead import KINDS, Row, make_rows
from rich.console import Console
from rich.table import Table

ALONE, FILES = "Verifier.grade alone", "grade, Parquet to Parquet"
SUMMARY, REPORT = "grade with --by and --summary", "grade with --by, --summary and --report"
WAYS = (ALONE, FILES, SUMMARY, REPORT)
GOALS = {FILES: 0.70, SUMMARY: 0.60, REPORT: 0.60}
MOST_MB = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--run", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps(measured(arguments.run, arguments.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder), arguments.rows)
        rounds = [{name: child(name, folder) for name in WAYS} for _ in range(arguments.rounds)]
    figures = summed_up(rounds, arguments.rows)
    show(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def child(name: str, folder: str) -> dict[str, float]:
    """One measurement in a process of its own."""
    command = [sys.executable, __file__, "--run", name, "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told


def measured(name: str, folder: Path) -> dict[str, float]:
    """Seconds by the wall and of the processor, and megabytes, of one run."""
    work = prepared(name, folder)
    wall, spent = time.perf_counter(), time.process_time()
    work()
    return {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - spent,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def prepared(name: str, folder: Path) -> Callable[[], object]:
    """What is timed; its imports and first calls are done."""
    import hybridverify as hv
    from hybridverify.cli import main as command

    rows = folder / "rows.parquet"
    hv.verify("7", "7")
    if name == ALONE:
        import pyarrow.parquet as pq

        table = pq.read_table(rows).to_pylist()
        samples = [hv.Sample(r["response"], r["reference"], r["question"], r["data_source"]) for r in table]
        verifier = hv.Verifier()
        return lambda: verifier.grade(samples)
    small = folder / "small.parquet"
    command(["grade", str(small), "-o", str(folder / "warm.parquet"), "--no-cache", "--no-progress"])
    more = [] if name == FILES else ["--by", "level", "--summary", str(folder / "summary.json")]
    if name == REPORT:
        more += ["--report", str(folder / "report.html")]
    out = str(folder / "out.parquet")
    return lambda: command(["grade", str(rows), "-o", out, "--no-cache", "--no-progress", *more])


# ---- rows


def free_text(draw: random.Random, value: int, told: int) -> Row:
    """An answer in words: no rule is sure of it."""
    return (
        f"They met in the year {told} on the old bridge, and neither of them forgot what the other had said.",
        f"the bridge of stone near mill {value}",
        f"Where did traveller number {draw.randrange(10**9)} meet the miller?",
    )


def write_rows(folder: Path, count: int) -> None:
    """`rows.parquet` with `count` rows, and `small.parquet` with a few."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    KINDS["free text"] = free_text
    each = -(-count // len(KINDS))
    rows: list[dict[str, Any]] = []
    for kind in KINDS:
        for number, (response, reference, question) in enumerate(make_rows(kind, each, "files")):
            source = f"made/{kind.strip('#')[:9].strip()}"
            told = {"question": question, "reference": reference, "response": response}
            rows.append({**told, "data_source": source, "level": f"level {number % 5}"})
    random.Random(7).shuffle(rows)
    pq.write_table(pa.Table.from_pylist(rows[:count]), folder / "rows.parquet")
    pq.write_table(pa.Table.from_pylist(rows[:200]), folder / "small.parquet")


# ---- figures


def summed_up(rounds: list[dict[str, dict[str, float]]], rows: int) -> dict[str, dict[str, float]]:
    """Medians over the rounds; shares are taken within a round."""
    figures: dict[str, dict[str, float]] = {}
    for name in rounds[0]:
        middle = {key: statistics.median(each[name][key] for each in rounds) for key in rounds[0][name]}
        shares = {
            f"share_{unit}": statistics.median(each[ALONE][unit] / each[name][unit] for each in rounds)
            for unit in ("wall_s", "cpu_s")
        }
        figures[name] = {"rows": rows, "rows_per_s": rows / middle["wall_s"], **middle, **shares}
    return figures


def show(figures: dict[str, dict[str, float]]) -> None:
    table = Table(title=f"{next(iter(figures.values()))['rows']:,.0f} rows, rules only")
    table.add_column("run")
    titles = ("rows/s", "wall s", "CPU s", "share (wall)", "share (CPU)", "goal", "MB")
    for title in titles:
        table.add_column(title, justify="right")
    for name, told in figures.items():
        goal = f"{GOALS[name]:.0%}" if name in GOALS else ""
        shares = [f"{told['share_' + unit]:.0%}" if goal else "" for unit in ("wall_s", "cpu_s")]
        times = [f"{told['rows_per_s']:,.0f}", f"{told['wall_s']:.2f}", f"{told['cpu_s']:.2f}"]
        table.add_row(name, *times, *shares, goal, f"{told['mb']:.0f}")
    Console(width=max(110, Console().width)).print(table)


if __name__ == "__main__":
    main()
