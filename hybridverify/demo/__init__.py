"""A first look: grade the shipped example rollouts with rules and a disk cache, and show what came of them.

`python -m hybridverify.demo` needs no model and no network. It goes the way of `hybridverify grade`.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

ROLLOUTS = Path(__file__).with_name("rollouts.jsonl")
JUDGE = ("generic", "Qwen/Qwen2.5-7B-Instruct", "http://localhost:8000/v1")
"""Preset, model and address in the command that is suggested: any instruction-tuned model will do."""

_UNSURE = ("undecided", "timed_out", "failed")


@dataclass(frozen=True)
class Demo:
    """The graded rollouts as rows, and what grading took."""

    rows: Sequence[Mapping[str, Any]]
    out: Path
    cache: Path
    seconds: float
    from_cache: int
    checked: int

    def for_a_judge(self) -> list[Mapping[str, Any]]:
        """Rows that policy `addon` would ask a judge about."""
        return [row for row in self.rows if row["hv_outcome"] in _UNSURE]

    def agreeing(self) -> int:
        """Decided rows whose outcome is the row's label."""
        return sum((row["hv_outcome"] == "correct") == row["label"] for row in self.decided())

    def decided(self) -> list[Mapping[str, Any]]:
        """Rows that the rules are sure about."""
        return [row for row in self.rows if row["hv_outcome"] not in _UNSURE]

    def command(self) -> str:
        """The command that asks a judge about the rest."""
        preset, model, address = JUDGE
        out = self.out.with_name("judged.jsonl")
        words = ["hybridverify", "grade", str(ROLLOUTS), "-o", str(out), "--judge", preset, "--model", model]
        return shlex.join([*words, "--base-url", address, "--cache", str(self.cache)])


def run_demo(folder: Path) -> Demo:
    """Grade the rollouts into `folder`, with the cache beside the output."""
    from hybridverify.cli_messages import warn
    from hybridverify.cli_run import FileJob, FileRun
    from hybridverify.verifier import Verifier

    folder.mkdir(parents=True, exist_ok=True)
    out, cache = folder / "graded.jsonl", folder / "cache"
    begin = time.perf_counter()
    with Verifier(cache=cache) as verifier:
        FileRun(FileJob([ROLLOUTS], out), verifier, warn).run()
        seconds = time.perf_counter() - begin
        rules = verifier.stats["rules"]
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    from_cache = int(rules.get("cached", 0))
    return Demo(rows, out, cache, seconds, from_cache, from_cache + int(rules.get("isolated", 0)))


def outcome_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Outcomes for each kind of answer, and how many of the decided ones agree with the label."""
    from rich.table import Table

    table = Table(title="What the rules say", show_footer=True)
    columns = {
        "kind": "all",
        **dict.fromkeys(("rollouts", "right", "wrong", "undecided", "agree with label"), ""),
    }
    lines = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        lines.append((kind, *_counts([row for row in rows if row["kind"] == kind])))
    for name, total in zip(columns, ("all", *_counts(rows)), strict=True):
        table.add_column(name, footer=total, justify="left" if name == "kind" else "right")
    for line in lines:
        table.add_row(*line)
    return table


def _counts(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    right = [row for row in rows if row["hv_outcome"] == "correct"]
    wrong = [row for row in rows if row["hv_outcome"] == "incorrect"]
    decided = len(right) + len(wrong)
    agree = sum(row["label"] for row in right) + sum(not row["label"] for row in wrong)
    undecided = len(rows) - decided
    return (
        str(len(rows)),
        *(str(n) if n else "" for n in (len(right), len(wrong), undecided)),
        f"{agree}/{decided}",
    )


def judge_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """What a judge would be asked, one line a row."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="What a judge would be asked about", show_lines=False)
    for name, ratio in (("kind", 2), ("question", 5), ("reference", 4), ("end of the response", 5)):
        table.add_column(name, ratio=ratio, no_wrap=True, overflow="ellipsis")
    for row in rows:
        reference = row["reference"]
        named = reference if isinstance(reference, str) else " | ".join(reference)
        table.add_row(
            *(escape(text) for text in (row["kind"], row["question"], named, _end(row["response"])))
        )
    return table


def _end(text: str) -> str:
    line = text.strip().splitlines()[-1] if text.strip() else ""
    return line if len(line) <= 60 else "…" + line[-59:]
