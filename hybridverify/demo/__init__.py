"""A first look: grade the shipped example rollouts with rules, the embedded judge and a disk cache, and show what came
of them.

`python -m hybridverify.demo` needs no server, no GPU and no network. It goes the way of `hybridverify grade`. Without
the packages of the extra `[embedded]` it shows the rules alone.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from hybridverify.judges.base import Judge

ROLLOUTS = Path(__file__).with_name("rollouts.jsonl")
JUDGE = ("generic", "Qwen/Qwen2.5-7B-Instruct", "http://localhost:8000/v1")
"""Preset, model and address in the command that is suggested: any instruction-tuned model will do."""

_DEADLINE_S = 5.0  # a busy machine must not change what a first look shows
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
    judged: bool
    """Whether the embedded judge took part."""

    def for_a_judge(self) -> list[Mapping[str, Any]]:
        """Rows that the rules leave open: those that policy `addon` asks a judge about."""
        return [row for row in self.rows if row["hv_judge_asked"] or row["hv_outcome"] in _UNSURE]

    def left_open(self) -> list[Mapping[str, Any]]:
        """Rows that nobody decided."""
        return [row for row in self.rows if row["hv_outcome"] in _UNSURE]

    def by_the_judge(self) -> list[Mapping[str, Any]]:
        """Rows that the judge decided."""
        return [row for row in self.decided() if row["hv_judge_asked"]]

    def agreeing(self) -> int:
        """Decided rows whose outcome is the row's label."""
        return sum((row["hv_outcome"] == "correct") == row["label"] for row in self.decided())

    def decided(self) -> list[Mapping[str, Any]]:
        """Rows that the rules are sure about, or the judge after them."""
        return [row for row in self.rows if row["hv_outcome"] not in _UNSURE]

    def command(self) -> str:
        """The command that asks a larger judge about what the rules leave open."""
        preset, model, address = JUDGE
        out = self.out.with_name("judged.jsonl")
        words = [
            *_program(),
            "grade",
            _from_here(ROLLOUTS),
            "-o",
            str(out),
            "--judge",
            preset,
            "--model",
            model,
        ]
        return shlex.join([*words, "--base-url", address, "--cache", str(self.cache)])


def _program() -> list[str]:
    """How to call the command line from this folder, in an environment that need not be activated."""
    if shutil.which("hybridverify"):
        return ["hybridverify"]
    script = Path(sys.executable).with_name("hybridverify")
    return (
        [_from_here(script)] if script.exists() else [_from_here(Path(sys.executable)), "-m", "hybridverify"]
    )


def _from_here(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def run_demo(folder: Path) -> Demo:
    """Grade the rollouts into `folder`, with the cache beside the output."""
    from hybridverify.cli.messages import warn
    from hybridverify.cli.run import FileJob, FileRun
    from hybridverify.verifier import Verifier

    judges = _judges()
    folder.mkdir(parents=True, exist_ok=True)
    out, cache = folder / "graded.jsonl", folder / "cache"
    begin = time.perf_counter()
    policy = "addon" if judges else "rule_only"
    with Verifier(cache=cache, judges=judges, policy=policy, rule_deadline_s=_DEADLINE_S) as verifier:
        FileRun(FileJob([ROLLOUTS], out), verifier, warn).run()
        seconds = time.perf_counter() - begin
        rules = verifier.stats["rules"]
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    from_cache = int(rules.get("cached", 0))
    checked = from_cache + int(rules.get("isolated", 0))
    return Demo(rows, out, cache, seconds, from_cache, checked, bool(judges))


def _judges() -> list[Judge]:
    """The embedded judge, where its packages are installed."""
    from hybridverify.errors import JudgeUnavailable
    from hybridverify.judges.embedded import EmbeddedJudge

    try:
        return [EmbeddedJudge()]
    except JudgeUnavailable:
        return []


def outcome_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Outcomes for each kind of answer, and how many of the decided ones agree with the label."""
    from rich.table import Table

    judged = any(row["hv_judge_asked"] for row in rows)
    title = "What rules and the embedded judge say" if judged else "What the rules say"
    table = Table(title=title, show_footer=True)
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


def judge_table(rows: Sequence[Mapping[str, Any]], width: int) -> Table:
    """What the rules leave to a judge and what it says, one line of at most `width` characters a row."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="What the rules leave to a judge")
    for name in ("kind", "question", "reference", "end of the response", "judge"):
        table.add_column(name, no_wrap=True)
    kinds = max((len(row["kind"]) for row in rows), default=0)
    room = max(30, width - kinds - _BORDERS)
    for row in rows:
        reference = row["reference"]
        named = reference if isinstance(reference, str) else " | ".join(reference)
        lines = row["response"].strip().splitlines() or [""]
        texts = (row["kind"], _start(row["question"], room * 2 // 5), _start(named, room // 5))
        cells = (*texts, _end(lines[-1], room * 2 // 5), _SAID.get(row["hv_outcome"], "open"))
        table.add_row(*(escape(text) for text in cells))
    return table


_SAID = {"correct": "right", "incorrect": "wrong"}
_BORDERS = 21  # five columns: a space on both sides of each, six lines, and five letters of the last


def _start(text: str, size: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= size else line[: size - 1] + "…"


def _end(text: str, size: int) -> str:
    return text if len(text) <= size else "…" + text[1 - size :]
