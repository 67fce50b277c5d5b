r"""What a row and the first row of a process cost in this checkout, beside another one: by how much it became slower.

    git worktree add --detach /tmp/old COMMIT
    python benchmarks/versions.py --old /tmp/old --data DIR [--files a,b] [--rounds 7] [--limit 400] [--cold]
    python benchmarks/versions.py --old /tmp/old --first [--rounds 9]

Rows of JSONL files in DIR (`gold` or `reference`, `response`, perhaps `question` and `form`, as for `rules.py`; no
labels) are graded by the rules that run in the caller's process. Both checkouts have a process of their own, and they
take turns, each round with rows that neither has seen: what a round costs is processor time, and the figure is the
median of the rounds, the ratio the median of the ratios of neighbouring turns; "all rows" holds the means over the rows
of all files. `--first` starts processes that import the package and grade one row of each kind: processor time after
the interpreter's start.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir
from typing import IO

import machine
from labelled import boxed
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve()
FILES = "gsm8k_openai,gsm8k_tora,math_variants,hardverify_math,peer_suites,qa_evouna_tq"
SIDES, ALL = ("old", "new"), "all rows"
RULES = ("exact", "choice", "gsm8k", "prime_math", "absent")
FIRST_ROWS = {
    "import alone": ("", ""),
    "#### 42": ("All in all that makes\n#### 42", "42"),
    r"\boxed{\frac12}": (r"So it is \boxed{\frac12}.", "0.5"),
    r"\boxed{x^2+1}": (r"So it is \boxed{x^2+1}.", "1+x^{2}"),
    "a name": ("The answer is Vienna.", "Vienna"),
    "#### 41, wrong": ("All in all that makes\n#### 41", "42"),
    "a name, wrong": ("The answer is Paris, I think.", "Vienna"),
}
_FIRST = """
import sys, time
begin = time.process_time()
import hybridverify
if sys.argv[2]:
    hybridverify.verify(sys.argv[1], sys.argv[2])
print(time.process_time() - begin)
"""


def main() -> None:
    if sys.argv[1:] == ["serve"]:
        return serve()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--old", type=Path, required=True, help="a checkout of the other version")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--files", default=FILES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--limit", type=int, default=400, help="rows of a file")
    parser.add_argument(
        "--cold", action="store_true", help="forget what was read of references and answers before a round"
    )
    parser.add_argument("--first", action="store_true", help="the first row of a process")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    sides = {"old": arguments.old.resolve(), "new": HERE.parents[1]}
    if arguments.first:
        found = {kind: first(sides, row, arguments.rounds) for kind, row in FIRST_ROWS.items()}
    elif arguments.data is None:
        parser.error("--data: a folder of labelled rows is needed, or --first")
    else:
        paths = [arguments.data / f"{name}.jsonl" for name in arguments.files.split(",")]
        found = compare(sides, paths, arguments.limit, arguments.rounds, arguments.cold)
    show(found, "s" if arguments.first else "µs")
    if arguments.json:
        machine.write(arguments.json, found)
    return None


# ---- rows


def compare(
    sides: dict[str, Path], paths: list[Path], limit: int, rounds: int, cold: bool
) -> dict[str, dict[str, float]]:
    """Microseconds a row by file and version, and the ratio."""
    served = {name: Server(path, cold) for name, path in sides.items()}
    with closing(served["old"]), closing(served["new"]):
        found = {path.stem: summary(turns(served, path, limit, rounds)) for path in paths}
    sizes = {path.stem: len(read(path, limit)) for path in paths}
    return found | {ALL: together(found, sizes)} if len(paths) > 1 else found


def together(found: dict[str, dict[str, float]], sizes: dict[str, int]) -> dict[str, float]:
    """The mean over the rows of all files."""
    rows = sum(sizes.values())
    old, new = (sum(found[name][side] * size for name, size in sizes.items()) / rows for side in SIDES)
    return {"old": old, "new": new, "ratio": new / old}


def turns(served: dict[str, Server], path: Path, limit: int, rounds: int) -> Iterator[dict[str, float]]:
    for number in range(rounds + 1):
        order = list(served) if number % 2 else list(served)[::-1]
        times = {name: served[name].cost(path, limit, number) for name in order}
        if number:  # the first turn imports and compiles
            yield times


def summary(found: Iterator[dict[str, float]]) -> dict[str, float]:
    rounds = list(found)
    figures = {name: statistics.median(times[name] for times in rounds) for name in SIDES}
    return {**figures, "ratio": statistics.median(times["new"] / times["old"] for times in rounds)}


class Server:
    """One process of one version."""

    def __init__(self, checkout: Path, cold: bool) -> None:
        self._cold = cold
        self._process = subprocess.Popen(
            [sys.executable, str(HERE), "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(checkout),
        )

    def cost(self, path: Path, limit: int, number: int) -> float:
        """Microseconds of processor time a row."""
        request, reply = self._pipes()
        print(json.dumps([str(path), limit, number, self._cold]), file=request, flush=True)
        return float(reply.readline())

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        self._pipes()[0].close()
        self._process.wait()


def environment(checkout: Path) -> dict[str, str]:
    """An installed package has its bytecode: it is written, and not beside the files of the other checkout."""
    paths = {"PYTHONPATH": os.pathsep.join([str(checkout), str(HERE.parent)])}
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(gettempdir(), "hv_bytecode"))}
    return {**os.environ, **paths, **bytecode}


def serve() -> None:
    """Answer one line with the file, the number of rows and the round by microseconds a row."""
    import hybridverify as hv

    verifier = hv.Verifier(rules=list(RULES))
    for line in sys.stdin:
        path, limit, number, cold = json.loads(line)
        rows = read(Path(path), limit)
        samples = [hv.Sample(told + " " * number, reference, question) for told, reference, question in rows]
        if cold:
            forget()
        begin = time.process_time()
        verifier.grade(samples)
        print((time.process_time() - begin) / len(samples) * 1e6, flush=True)


def forget() -> None:
    """Empty the caches of readings; tables, which are made once, stay."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hybridverify"):
            for value in list(vars(module).values()):
                parameters = getattr(value, "cache_parameters", None)
                if parameters is not None and (parameters()["maxsize"] or 0) > 1:
                    value.cache_clear()


def read(path: Path, limit: int) -> list[tuple[str, str, str]]:
    """Response, reference and question of rows spread evenly over the file; no label is needed."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    found = []
    for row in rows[:: max(1, len(rows) // limit)]:
        reference, response = row.get("gold", row.get("reference")), row.get("response")
        if isinstance(reference, str) and isinstance(response, str):
            told = boxed(response) if row.get("form") == "answer" else response
            found.append((told, reference, str(row.get("question") or "")))
    return found


# ---- the first row


def first(sides: dict[str, Path], row: tuple[str, str], rounds: int) -> dict[str, float]:
    """Seconds of processor time for the import and one row."""
    for path in sides.values():
        start(path, row)  # writes the bytecode
    return summary({name: start(path, row) for name, path in sides.items()} for _ in range(rounds))


def start(checkout: Path, row: tuple[str, str]) -> float:
    command = [sys.executable, "-c", _FIRST, *row]
    return float(subprocess.check_output(command, cwd=checkout, env=environment(checkout), text=True))


def show(found: dict[str, dict[str, float]], unit: str) -> None:
    table = Table(title=f"Processor time, {unit}")
    for name in ("", "old", "new", "new / old"):
        table.add_column(name, justify="right" if name else "left")
    for kind, figures in found.items():
        digits = 3 if unit == "s" else 0
        times = [f"{figures[name]:.{digits}f}" for name in ("old", "new")]
        table.add_row(kind.replace("[", r"\["), *times, f"{figures['ratio']:.2f}")
    Console(width=max(80, Console().width)).print(table)


if __name__ == "__main__":
    main()
