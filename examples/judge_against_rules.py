"""How often do a judge and the rules agree, and who is right where they differ?

Needs the extra `[embedded]`. The policy `mixed` asks the judge about every row, so that both verdicts are there.
For figures with intervals, thresholds and a page of plots use `hybridverify agree` (extra `[report]`).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import hybridverify as hv

ROWS = Path(__file__).with_name("rollouts.jsonl")
JUDGE = {"preset": "embedded", "kinds": "all"}  # "all": mathematics too, which it is not made for


def main() -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    samples = [hv.Sample(row["response"], row["reference"], row["question"]) for row in rows]
    with hv.Verifier(policy="mixed", judges=[JUDGE]) as verifier:
        grades = verifier.grade(samples)
    pairs = Counter((grade.rule.outcome.value, grade.judge.outcome.value) for grade in grades)
    for (rule, judge), count in sorted(pairs.items()):
        print(f"rule {rule:<9}  judge {judge:<9}  {count} rows")
    for row, grade in zip(rows, grades, strict=True):
        if grade.rule.sure and grade.judge.sure and grade.rule.outcome is not grade.judge.outcome:
            label = "correct" if row["label"] else "incorrect"
            print(f"they differ on {row['question']!r}; the label says {label}")


if __name__ == "__main__":
    main()
