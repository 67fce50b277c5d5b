"""Answers written to trick the judge, in `tricks.jsonl`: `python -m embedded.tricks [--errors]`.

Denials, comparisons, lists, kin, turned roles, dates a little off, echoes, beside right answers in other words. They
say what slips through, and what the guards before a judge catch; no rate of any real text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybridverify import Grade, Sample, Verifier

ROWS = Path(__file__).with_name("tricks.jsonl")
_OFF = {"content_floor": False, "hedge": False}


def graded(rows: list[dict[str, Any]], guards: Mapping[str, Any]) -> list[Grade]:
    """Rules, guards and the judge as policy `addon` has them."""
    samples = [Sample(row["response"], row["reference"], row["question"]) for row in rows]
    with Verifier(policy="addon", judges=[{"preset": "embedded"}], guards=guards) as verifier:
        return list(verifier.grade(samples))


def main() -> None:
    """Print counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--errors", action="store_true", help="print the rows that go wrong with the guards on"
    )
    options = parser.parse_args()
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    for name, guards in (("without guards", _OFF), ("with guards", {})):
        grades = graded(rows, guards)
        wrong = [row for row, grade in zip(rows, grades, strict=True) if (grade.score >= 0.5) != row["label"]]
        accepted, refused = (sum(row["label"] is label for row in wrong) for label in (False, True))
        rights = sum(row["label"] for row in rows)
        print(
            f"{name}: {accepted} of {len(rows) - rights} wrong accepted, {refused} of {rights} right refused"
        )
    for row in wrong if options.errors else []:
        sort = "refused " if row["label"] else "accepted"
        print(f"{sort} {row['question']} | {row['reference']} | {row['response']}")


if __name__ == "__main__":
    main()
