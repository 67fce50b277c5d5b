"""What the cache costs: bytes a verdict, microseconds a write and a read, and eight processes writing at once.

    python benchmarks/cache.py [--verdicts 20000] [--writers 8] [--folder DIR] [--json OUT]

The folder decides the figures of the last rows (flushing to disk); give the disk that a run would use.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hybridverify.cache import ScoreCache, key, keys
from hybridverify.types import Outcome, Verdict

BATCH = 1_000
SINGLES = 500
IDENTITY = {
    "preset": "general_verifier",
    "version": 1,
    "parser": 1,
    "model": "TIGER-Lab/general-verifier",
    "revision": "main",
    "sampling": {"temperature": 0.0, "top_p": 1.0, "max_tokens": 1024, "n": 1, "stop": []},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--verdicts", type=int, default=20_000)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the stores are made; default: a temporary folder"
    )
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        figures = measure(Path(scratch), arguments.verdicts, arguments.writers)
    for name, value in figures.items():
        print(f"{name:<46} {value:>12}" if isinstance(value, str) else f"{name:<46} {value:>12,.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measure(scratch: Path, count: int, writers: int) -> dict[str, float | str]:
    """All figures, by name with unit."""
    figures: dict[str, float | str] = {
        "python, SQLite": f"{platform.python_version()}, {sqlite3.sqlite_version}",
        "verdicts": float(count),
        "batch": float(BATCH),
    }
    verdicts = {key("judge", IDENTITY, prompt(n)): verdict(n) for n in range(count)}
    absent = keys("judge", IDENTITY, ["not asked " + prompt(n) for n in range(count)])
    figures["key, one by one: us"] = per_item(
        count, lambda: [key("judge", IDENTITY, prompt(n)) for n in range(count)]
    )
    figures["key, one identity for all: us"] = per_item(
        count, lambda: keys("judge", IDENTITY, [prompt(n) for n in range(count)])
    )
    cache = ScoreCache(scratch / "one")
    figures["open an empty store: us"] = per_item(1, lambda: cache.get_many(["absent"]))
    figures["write in batches: us a verdict"] = per_item(count, lambda: write(cache, verdicts))
    figures["read hits in batches: us a verdict"] = per_item(count, lambda: read(cache, list(verdicts)))
    figures["read misses in batches: us a verdict"] = per_item(count, lambda: read(cache, absent))
    singles = [{name: verdict(0)} for name in absent[:SINGLES]]
    figures["write a batch of one: us"] = per_item(SINGLES, lambda: write_singly(cache, singles))
    figures["close: us"] = per_item(1, cache.close)
    figures["bytes a verdict on disk"] = (scratch / "one" / "cache.db").stat().st_size / (count + SINGLES)
    seconds = write_at_once(scratch / "many", writers, count)
    figures[f"{writers} processes: verdicts/s, all together"] = writers * count / seconds
    figures[f"{writers} processes: verdicts lost"] = float(lost(scratch / "many", writers, count))
    return figures


def prompt(number: int) -> str:
    """As long as a judge's prompt usually is."""
    return f"Question: what is {number} + {number}?\n" + "Compare the two answers below. " * 25


def verdict(number: int) -> Verdict:
    return Verdict(Outcome.CORRECT, 1.0, "judge:general_verifier", str(2 * number), "Final Decision: Yes")


def per_item(count: int, work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) / count * 1e6


def write(cache: ScoreCache, verdicts: dict[str, Verdict]) -> None:
    items = list(verdicts.items())
    for start in range(0, len(items), BATCH):
        cache.put_many(dict(items[start : start + BATCH]), "judge")


def write_singly(cache: ScoreCache, batches: list[dict[str, Verdict]]) -> None:
    for batch in batches:
        cache.put_many(batch, "judge")


def read(cache: ScoreCache, names: list[str]) -> None:
    for start in range(0, len(names), BATCH):
        cache.get_many(names[start : start + BATCH])


def write_at_once(folder: Path, writers: int, count: int) -> float:
    """Seconds from the common start until the last of the processes has closed its cache."""
    spawn = multiprocessing.get_context("spawn")
    start = spawn.Barrier(writers + 1)
    processes = [
        spawn.Process(target=one_writer, args=(str(folder), n, count, start)) for n in range(writers)
    ]
    for process in processes:
        process.start()
    start.wait(120)
    begin = time.perf_counter()
    for process in processes:
        process.join()
    return time.perf_counter() - begin


def one_writer(folder: str, number: int, count: int, start: object) -> None:
    verdicts = {f"{number}-{n}": verdict(n) for n in range(count)}
    start.wait(120)  # type: ignore[attr-defined]
    cache = ScoreCache(folder)
    write(cache, verdicts)
    cache.close()


def lost(folder: Path, writers: int, count: int) -> int:
    cache = ScoreCache(folder)
    wanted = [f"{number}-{n}" for number in range(writers) for n in range(count)]
    found = len(cache.get_many(wanted))
    cache.close()
    return len(wanted) - found


if __name__ == "__main__":
    main()
