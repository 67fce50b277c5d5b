"""Replay stored judge verdicts through panels and policies: kappa, FPR and FNR of each.

    python benchmarks/panel.py --data DIR

DIR holds judge_verdicts_triviaqa_v1.jsonl: rows with `label` and `verdicts` (judge -> "True" or "False").
No judge is asked; rows without any verdict are left out and an absent judge is no vote.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sklearn.metrics import cohen_kappa_score

from hybridverify.pipeline.grading import combine
from hybridverify.policies import OnJudgeError, make_policy
from hybridverify.policies.panel import Panel
from hybridverify.types import SKIPPED, Outcome, Verdict

FILE = "judge_verdicts_triviaqa_v1.jsonl"
DIVERSE = ("Llama3-70B", "GPT-4", "JudgeLM")
ALIKE = ("Mistral-7B", "Llama3-8B", "Llama-13B")
NINE = (
    "Mistral-7B",
    "Llama-7B",
    "Llama-13B",
    "Llama3-8B",
    "Gemma-2B",
    "Llama-70B",
    "Llama3-70B",
    "GPT-4",
    "JudgeLM",
)
SINGLE = ("Llama3-70B", "GPT-4", "Mistral-7B", "Llama3-8B", "JudgeLM", "Gemma-2B", "EM", "Contains")

Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    lines = (options.data / FILE).read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["verdicts"]]
    labels = [bool(row["label"]) for row in rows]
    verdicts = [row["verdicts"] for row in rows]
    results = {name: figures(labels, [says(row) for row in verdicts]) for name, says in lineup().items()}
    show(results, len(rows), sum(labels))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def lineup() -> dict[str, Callable[[Row], bool]]:
    """Every judge, panel and policy of the table, as a function from a row's verdicts to accept or not."""
    entries: dict[str, Callable[[Row], bool]] = {name: panel_of((name,), "majority") for name in SINGLE}
    entries[f"majority {', '.join(DIVERSE)}"] = panel_of(DIVERSE, "majority")
    entries[f"majority {', '.join(ALIKE)}"] = panel_of(ALIKE, "majority")
    entries["majority of nine"] = panel_of(NINE, "majority")
    for way in ("all", "any"):
        entries[f"{way} {', '.join(DIVERSE)}"] = panel_of(DIVERSE, way)
    for judge in ("Llama3-70B", "GPT-4"):
        for policy in ("addon", "veto"):
            entries[f"{policy} Contains, {judge}"] = policy_of(policy, "Contains", judge)
    return entries


def panel_of(judges: Sequence[str], combine: str) -> Callable[[Row], bool]:
    panel = Panel(combine)

    def says(row: Row) -> bool:
        return panel.decide([vote(row, judge) for judge in judges], [1.0] * len(judges)).score >= 0.5

    return says


def policy_of(name: str, rule_name: str, judge: str) -> Callable[[Row], bool]:
    policy = make_policy({"name": name, "trust_reject": False})

    def says(row: Row) -> bool:
        rule = vote(row, rule_name)
        if not policy.asks(rule):
            return policy.combine(rule, SKIPPED).score >= 0.5
        return combine(policy, None, OnJudgeError(), rule, [vote(row, judge)], [1.0])[1].score >= 0.5

    return says


def vote(row: Row, judge: str) -> Verdict:
    """The stored verdict; an absent one is no vote."""
    said = {"True": Outcome.CORRECT, "False": Outcome.INCORRECT}.get(row.get(judge, ""), Outcome.FAILED)
    return Verdict(said, float(said is Outcome.CORRECT))


def figures(labels: Sequence[bool], accepted: Sequence[bool]) -> dict[str, float]:
    """Cohen's kappa, false positive rate over wrong rows, false negative rate over right rows."""
    pairs = list(zip(labels, accepted, strict=True))
    right, wrong = sum(labels), len(labels) - sum(labels)
    return {
        "kappa": float(cohen_kappa_score(labels, accepted)),
        "fpr": sum(said and not label for label, said in pairs) / wrong,
        "fnr": sum(label and not said for label, said in pairs) / right,
    }


def show(results: dict[str, dict[str, float]], rows: int, right: int) -> None:
    table = Table(title=f"{rows} rows with verdicts, {right} right")
    for column in ("judge or panel", "kappa", "FPR", "FNR"):
        table.add_column(column, justify="left" if column == "judge or panel" else "right")
    for name, result in results.items():
        table.add_row(name, *(f"{result[key]:.3f}" for key in ("kappa", "fpr", "fnr")))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
