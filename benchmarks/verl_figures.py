"""What the benchmarks of verl's managers have in common: their arguments, and how they tell their figures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table


def asked(told: str, rows: int, rounds: int, kinds: Sequence[int]) -> argparse.Namespace:
    """The arguments of a benchmark of verl's managers, with its own defaults."""
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=rows, help="rows of a batch")
    parser.add_argument("--answers", type=int, default=8, help="rows of a group (rollout.n)")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--kinds", type=int, nargs="+", default=kinds, help="numbers of kinds, from 0")
    parser.add_argument("--tokenizer", type=Path, default=None, help="folder of a Hugging Face tokenizer")
    parser.add_argument("--json", type=Path, default=None)
    return parser.parse_args()


def tell(
    figures: Mapping[str, Mapping[str, float]],
    file: Path | None,
    title: str,
    rows: str,
    form: Callable[[str], str],
) -> None:
    """A table of the figures, each in the form that its name asks for; written to the file too, where there is one."""
    table = Table(title=title)
    table.add_column(rows)
    names = list(next(iter(figures.values())))
    for name in names:
        table.add_column(name, justify="right")
    for kind, row in figures.items():
        table.add_row(kind.replace("[", r"\["), *(format(row[name], form(name)) for name in names))
    Console(width=max(140, Console().width)).print(table)
    if file:
        file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
