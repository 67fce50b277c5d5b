"""Grade rows from a file and see what rules alone leave open.

Rules answer with one of three values. "undecided" is not "incorrect": it is what a judge would be asked about.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hybridverify as hv

ROWS = Path(__file__).with_name("rollouts.jsonl")


def samples(path: Path) -> Iterator[hv.Sample]:
    """One sample at a time, so that a file of any size fits in memory."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield hv.Sample(row["response"], row["reference"], row["question"])


def main() -> None:
    counts: Counter[str] = Counter()
    with hv.Verifier() as verifier:  # the default rules, no judge, no cache
        for number, grade in enumerate(verifier.grade_iter(samples(ROWS)), 1):
            counts[grade.outcome.value] += 1
            print(f"row {number}: {grade.outcome.value:<9} score {grade.score:g}  {grade.rule.source}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
