"""What becomes of a row whose judge misbehaves: outcome, whether it is graded, what it cost, what was cached.

    python benchmarks/faults.py

Asks the tests' misbehaving server through the real backend, preset `tinyv` and policy `addon`; run it in a checkout.
"""

from __future__ import annotations

import tempfile
from typing import Any

import checkout  # noqa: F401 - for `tests`
from rich.console import Console
from rich.table import Table

import hybridverify as hv
from hybridverify.cache.commands import stats
from tests.judges.server import JudgeServer
from tests.judges.test_openai_judge import FAULTS

COLUMNS = ("the server", "judge", "grade", "graded", "score", "requests", "verdicts cached")


def main() -> None:
    table = Table(title="policy addon, on_judge_error mask, the rule undecided")
    for column in COLUMNS:
        table.add_column(column, justify="right" if column in COLUMNS[3:] else "left")
    for name, server, _, _ in FAULTS:
        table.add_row(name, *row(server))
    Console(width=100).print(table)


def row(kind: dict[str, Any]) -> list[str]:
    """One line of the table after its name."""
    replies = iter(kind.get("replies", ()))
    settings = {name: value for name, value in kind.items() if name != "replies"}
    if "replies" in kind:
        settings["reply"] = lambda _: next(replies)
    with tempfile.TemporaryDirectory() as folder, JudgeServer(**settings) as server:
        backend = {
            "name": "openai",
            "model": "m",
            "base_url": server.url,
            "backoff_s": 0.01,
            "timeout_s": 0.4,
        }
        judges = [{"preset": "tinyv", "backend": {**backend, "context_tokens": 100_000}}]
        with hv.Verifier(policy="addon", judges=judges, cache=folder) as verifier:
            (grade,) = verifier.grade([hv.Sample("It is a town on a river.", "Ulm", "Where?")])
        kept = stats(folder).stages.get("judge", 0)
    return [
        grade.judge.outcome.value,
        grade.outcome.value,
        "yes" if grade.graded else "no",
        f"{grade.score:g}",
        str(len(server.asked)),
        str(kept),
    ]


if __name__ == "__main__":
    main()
