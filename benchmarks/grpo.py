"""What a GRPO-shaped batch costs: prompts asked, deduplicated and cached, in a first and a second run.

    python benchmarks/grpo.py [--questions 64] [--answers 8]

The judge is scripted, so the figures are counts, not speed. Half of the questions have a number as reference,
half a name; the answers of a question repeat, as those of a policy that agrees with itself do.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

import hybridverify as hv
from hybridverify.testing import ScriptedJudge

TOWNS = ("Ulm", "Bonn", "Trier", "Mainz", "Essen", "Hagen", "Kassel", "Worms")
COUNTERS = ("asked", "gated", "deduplicated", "cached", "called", "failed")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=64)
    parser.add_argument("--answers", type=int, default=8)
    options = parser.parse_args()
    samples = batch(options.questions, options.answers)
    table = Table(title=f"{options.questions} questions x {options.answers} answers, policy addon")
    for column in ("run", "rows", "accepted by rule", *COUNTERS):
        table.add_column(column, justify="left" if column == "run" else "right")
    with tempfile.TemporaryDirectory() as folder:
        for run in ("first", "second"):
            judge = ScriptedJudge(lambda question, reference, answer: reference in answer)
            with hv.Verifier(policy="addon", judges=[judge], cache=folder) as verifier:
                grades = verifier.grade(samples)
                table.add_row(run, str(len(grades)), *map(str, figures(grades, verifier.stats["judge"])))
            assert len(judge.prompts) == verifier.stats["judge"]["called"]
    Console(width=110).print(table)


def batch(questions: int, answers: int) -> list[hv.Sample]:
    """Rows in the order of a rollout: all answers of a question together."""
    random_ = random.Random(7)
    samples = []
    for number in range(questions):
        for _ in range(answers):
            if number % 2:
                value = 100 + number + random_.choice((0, 0, 0, 1))
                samples.append(
                    hv.Sample(f"We add up.\n#### {value}", str(100 + number), f"Sum number {number}?")
                )
            else:
                town = TOWNS[(number // 2 + random_.choice((0, 0, 0, 1, 2))) % len(TOWNS)]
                reference = TOWNS[number // 2 % len(TOWNS)]
                text = f"The answer is the old town of {town}."
                samples.append(hv.Sample(text, reference, f"Where does person {number} live?"))
    return samples


def figures(grades: list[hv.Grade], judge: Mapping[str, float]) -> list[int]:
    """The table's numbers after `rows`."""
    accepted = sum(grade.rule.outcome is hv.Outcome.CORRECT for grade in grades)
    return [accepted, *(int(judge[name]) for name in COUNTERS)]


if __name__ == "__main__":
    main()
