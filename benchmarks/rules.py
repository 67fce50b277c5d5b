"""Accuracy and speed of the rule chain beside other rule graders, on labelled answer pairs.

    python benchmarks/rules.py --data DIR [--peers math-verify,mathruler] [--json OUT]

Every *.jsonl file in DIR with labelled pairs is graded row by row: keys gold (or reference), response and
label (or right, verdict), optional question, form (`answer`: a bare answer, handed over as \\boxed{..}) and note.
Each grader runs in a process of its own, which is killed when one pair takes longer than --timeout.

FN: share of right answers not accepted. FP: share of wrong answers accepted. Undecided, failed and timed-out
rows count as not accepted; `lost` are right answers that were rejected as sure. Pairs per second are by
processor time: of the grader's own process during its calls (getrusage), and of all its workers (/proc). What this
harness does between the calls counts for no grader; the processor caches are as cold after it as in a trainer that
grades now and then. The percentiles are wall time. Linux only.
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

from graders import GRADERS, Answer, Process
from labelled import Pair, load
from rich.console import Console
from rich.table import Table

OURS = "hybridverify"
MEMORY_EVERY = 25
"""Rows between two looks at the memory."""
COLUMNS = {
    "grader": "grader",
    "file": "file",
    "pairs": "pairs",
    "accuracy": "accuracy",
    "fn": "FN",
    "fp": "FP",
    "undecided": "undecided",
    "lost": "lost",
    "errors": "errors",
    "timeouts": "timeouts",
    "pairs_per_cpu_s": "pairs/s CPU",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "p99_ms": "p99 ms",
    "worst_ms": "worst ms",
    "memory_growth_mb": "RSS+ MB",
}


@dataclass(frozen=True)
class Report:
    """The figures of one grader on one file. Rates are -1.0 where no row counts."""

    grader: str
    file: str
    pairs: int
    right: int
    wrong: int
    accuracy: float
    fn: float
    fp: float
    undecided: int
    lost: int
    errors: int
    timeouts: int
    pairs_per_cpu_s: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    worst_ms: float
    worst_row: str
    memory_growth_mb: float
    accepted_wrongly: tuple[str, ...]
    not_accepted: tuple[str, ...]


def main() -> None:
    options = arguments()
    files = [(path, load(path, options.limit)) for path in wanted_files(options.data, options.files)]
    files = [(path, pairs) for path, pairs in files if pairs]
    reports = []
    for name in [OURS, *options.peers]:
        try:
            reports += [measure(name, path.stem, pairs, options.timeout) for path, pairs in files]
        except RuntimeError as error:
            Console(stderr=True).print(f"left out: {error}")
    show(reports)
    if options.json:
        options.json.write_text(json.dumps([asdict(r) for r in reports], indent=1) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--files", type=names, default=[], metavar="NAME,...", help="only these files of DIR")
    parser.add_argument(
        "--peers", type=names, default=[], metavar="NAME,...", help=f"of {', '.join(GRADERS)}"
    )
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="at most N rows of a file (0: all)")
    parser.add_argument("--timeout", type=float, default=8.0, metavar="S", help="seconds for one pair (8)")
    parser.add_argument(
        "--json", type=Path, metavar="OUT", help="write the figures and the ids of wrong rows"
    )
    options = parser.parse_args()
    for peer in options.peers:
        if peer not in GRADERS:
            parser.error(f"--peers: {peer} is not one of {', '.join(GRADERS)}")
    return options


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def wanted_files(folder: Path, only: list[str]) -> list[Path]:
    return [path for path in sorted(folder.glob("*.jsonl")) if not only or path.stem in only]


def measure(grader: str, file: str, pairs: list[Pair], timeout_s: float) -> Report:
    process = Process(grader, timeout_s)
    try:
        workers, memory, peak, answers = process.worker_seconds(), process.resident_mb(), 0.0, []
        for number, pair in enumerate(pairs, 1):
            answers.append(process.ask(pair))
            if number % MEMORY_EVERY == 0 or number == len(pairs):
                peak = max(peak, process.resident_mb())
        cpu_s = sum(answer.cpu_s for answer in answers) + process.worker_seconds() - workers
        return summary(grader, file, pairs, answers, cpu_s, peak - memory)
    finally:
        process.stop()


def summary(
    grader: str, file: str, pairs: list[Pair], answers: list[Answer], cpu_s: float, growth_mb: float
) -> Report:
    counted = [(p, a) for p, a in zip(pairs, answers, strict=True) if not p.free]
    missed = [p.name for p, a in counted if p.label and a.verdict is not True]
    taken = [p.name for p, a in counted if not p.label and a.verdict is True]
    right = sum(p.label for p, _ in counted)
    wrong = len(counted) - right
    times = [a.seconds * 1000 for a in answers]
    cuts = statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
    return Report(
        grader=grader,
        file=file,
        pairs=len(pairs),
        right=right,
        wrong=wrong,
        accuracy=rate(len(counted) - len(missed) - len(taken), len(counted)),
        fn=rate(len(missed), right),
        fp=rate(len(taken), wrong),
        undecided=sum(a.verdict is None and not a.error for a in answers),
        lost=sum(p.label and a.verdict is False for p, a in counted),
        errors=sum(a.error not in ("", "timeout") for a in answers),
        timeouts=sum(a.error == "timeout" for a in answers),
        pairs_per_cpu_s=round(len(pairs) / max(cpu_s, 1e-6), 1),
        p50_ms=round(cuts[49], 2),
        p95_ms=round(cuts[94], 2),
        p99_ms=round(cuts[98], 1),
        worst_ms=round(max(times), 1),
        worst_row=pairs[times.index(max(times))].name,
        memory_growth_mb=round(growth_mb, 1),
        accepted_wrongly=tuple(taken),
        not_accepted=tuple(missed),
    )


def rate(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else -1.0


def show(reports: list[Report]) -> None:
    table = Table(title="Rule graders on labelled answer pairs")
    for column, title in COLUMNS.items():
        table.add_column(title, justify="left" if column in ("grader", "file") else "right")
    for report in reports:
        cells = [getattr(report, column) for column in COLUMNS]
        table.add_row(*("-" if cell == -1.0 else str(cell) for cell in cells))
    Console(width=max(160, Console().width)).print(table)


if __name__ == "__main__":
    main()
