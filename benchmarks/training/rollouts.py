"""A run's folder, read into rollouts whose truth is known.

    RUN/rollouts/{step}.jsonl     verl's `trainer.rollout_data_dir=RUN/rollouts`
    RUN/validation/{step}.jsonl   verl's `trainer.validation_data_dir=RUN/validation`, if set
    RUN/metrics.jsonl             verl's `trainer.logger=["console","file"]`, VERL_FILE_LOGGER_PATH=RUN/metrics.jsonl
    RUN/rewards/*.jsonl           rows that `recorded.py` wrote, if it was used: verl's v1 trainer dumps no columns
    RUN/meta.json                 free: card, versions, command; `name` is the run's name

All but the rollouts may be missing. A line that was cut off when a run was stopped is skipped and counted.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet

from training.final import final_answer
from training.task import BEGIN, INSTRUCTION
from training.truth import RIGHT, Truth, verdict

ACCEPTED = 0.5
"""A reward above this says that the answer is right."""


@dataclass(frozen=True)
class Question:
    """What the parquet says of a question."""

    part: str
    truth: Truth


@dataclass(frozen=True)
class Rollout:
    """One response with its reward, and the truth about it (`right`, or why not)."""

    step: int
    part: str
    truth: Truth
    output: str
    reward: float
    verdict: str
    columns: Mapping[str, Any]

    @property
    def right(self) -> bool:
        return self.verdict == RIGHT

    @property
    def accepted(self) -> bool:
        return self.reward > ACCEPTED

    @property
    def answer(self) -> str:
        return final_answer(self.output)


@dataclass
class Run:
    """All that a folder holds, by step; `unmatched` rows have no known question, `unread` lines are no JSON."""

    name: str
    meta: dict[str, Any]
    steps: dict[int, list[Rollout]]
    validation: dict[int, list[Rollout]]
    metrics: dict[int, dict[str, float]]
    unmatched: int = 0
    unread: int = 0
    columns_missing: int = 0
    rewards: int = 0


def questions(folder: Path) -> dict[str, Question]:
    """Every question of the task's parquet files."""
    known = {}
    for path in sorted(folder.glob("*.parquet")):
        for info in pyarrow.parquet.read_table(path, columns=["extra_info"]).column("extra_info").to_pylist():
            known[info["question"]] = Question(info["part"], Truth.loads(info["truth"]))
    return known


def read_run(folder: Path, known: Mapping[str, Question]) -> Run:
    """A run, with the truth about each of its rows."""
    meta_file = folder / "meta.json"
    meta = json.loads(meta_file.read_text(encoding="utf-8")) if meta_file.is_file() else {}
    run = Run(str(meta.get("name", folder.name)), meta, {}, {}, {})
    recorded = _recorded(run, folder / "rewards")
    for kind, into in (("rollouts", run.steps), ("validation", run.validation)):
        for path in sorted((folder / kind).glob("*.jsonl"), key=lambda path: (len(path.stem), path.stem)):
            if path.stem.isdigit() and (rows := _rollouts(run, path, known, recorded)):
                into[int(path.stem)] = rows
    for line in _lines(run, folder / "metrics.jsonl"):
        values = {name: number(value) for name, value in line.get("data", {}).items()}
        finite = {name: value for name, value in values.items() if value is not None}
        run.metrics.setdefault(int(line["step"]), {}).update(finite)
    return run


def _rollouts(
    run: Run, path: Path, known: Mapping[str, Question], recorded: Mapping[tuple[str, str], list[Any]]
) -> list[Rollout]:
    rows = []
    for line in _lines(run, path):
        asked, output = question_in(str(line.get("input", ""))), str(line.get("output", ""))
        question, reward = known.get(asked), number(line.get("score"))
        if question is None or reward is None:
            run.unmatched += 1
            continue
        columns = {name: value for name, value in line.items() if name not in ("input", "output", "gts")}
        kept = recorded.get((asked, output.strip()))
        if kept:  # equal responses to one question have equal columns; each takes its own times
            columns = {**columns, **(kept.pop(0) if len(kept) > 1 else kept[0])}
        elif recorded:
            run.columns_missing += 1
        step, found = int(path.stem), verdict(question.truth, output)
        rows.append(Rollout(step, question.part, question.truth, output, reward, found, columns))
    return rows


def question_in(text: str) -> str:
    """The question in a prompt, whatever chat template is around it.

    >>> question_in(f"user\\n{BEGIN}Who?\\n{INSTRUCTION}\\nassistant")
    'Who?'
    """
    end = text.rfind(f"\n{INSTRUCTION}")
    start = text.rfind(BEGIN, 0, max(end, 0))
    return text[start + len(BEGIN) : end] if 0 <= start < end else ""


def _recorded(run: Run, folder: Path) -> dict[tuple[str, str], list[Any]]:
    """What the manager itself kept of each row, by question and response, in order of time."""
    rows = [line for path in sorted(folder.glob("*.jsonl")) for line in _lines(run, path)]
    rows.sort(key=lambda row: number(row.get("began")) or 0.0)
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows:
        key = str(row.pop("question", "")), str(row.pop("output", "")).strip()
        found[key].append({name: value for name, value in row.items() if name not in ("score", "step")})
    run.rewards = len(rows)
    return found


def _lines(run: Run, path: Path) -> Iterable[dict[str, Any]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                line = None
            if isinstance(line, dict):
                yield line
            elif text.strip():
                run.unread += 1


def number(value: Any) -> float | None:
    """A finite number; verl writes some as text and some as null.

    >>> number("1"), number(True), number(None), number("correct"), number(float("nan"))
    (1.0, 1.0, None, None, None)
    """
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None
