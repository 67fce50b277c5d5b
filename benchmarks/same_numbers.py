"""Whether the grader presets give the numbers of the graders they stand for: equal rows, and every difference.

    python benchmarks/same_numbers.py --data FOLDER --verl FOLDER_OF_THE_PACKAGE [--differences OUT.jsonl]

Each row that `labelled.py` reads counts twice: as it is, and with its bare answer in the mark that the grader looks for
and the bare reference, as data sets for it have them. Our own descriptions are measured, also where verl is installed.
`prime_math` (needs pylatexenc) is measured on the rows that the original decides without evaluating.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graders import Process
from labelled import Pair, load
from originals import Evaluates, original

import hybridverify as hv
from hybridverify.answers.extract import extract
from hybridverify.answers.references import read_reference
from hybridverify.rules.base import Checker
from hybridverify.rules.graders.math_verify import MathVerify
from hybridverify.rules.graders.rules import described

FILE_GRADERS = ("math_verify_verl", "gsm8k_strict", "gsm8k_flexible", "hendrycks", "math_dapo", "prime_math")
MARKS = {"gsm8k_strict": "#### {}", "gsm8k_flexible": "It is {}", "math_dapo": "Answer: {}"}
"""The others look for a box."""
CERTAINTIES = ("sure", "fact")
LIMIT_S = 60.0


@dataclass
class Count:
    """One grader on one file."""

    rows: int = 0
    equal: int = 0
    right: int = 0
    evaluated: int = 0
    differences: list[dict[str, Any]] = field(default_factory=list)

    def share(self) -> str:
        """Equal rows in per cent."""
        return f"{100 * self.equal / self.rows:.2f}" if self.rows else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled .jsonl files")
    parser.add_argument("--verl", type=Path, help="folder of the verl package; without it only math_verify")
    parser.add_argument("--graders", nargs="*", default=("math_verify", *FILE_GRADERS))
    parser.add_argument("--files", nargs="*", default=(), help="names without .jsonl; default: all")
    parser.add_argument("--limit", type=int, default=0, help="rows a file, drawn with a fixed seed")
    parser.add_argument("--differences", type=Path, help="write each differing row here")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    files = [p for p in sorted(options.data.glob("*.jsonl")) if not options.files or p.stem in options.files]
    rows = {path.stem: pairs for path in files if (pairs := loaded(path, options.limit))}
    found = []
    print(f"{'grader':<18}{'file':<22}{'rows':>7}{'right':>7}{'equal %':>9}{'differ':>8}{'evaluated':>11}")
    for grader in options.graders:
        if grader != "math_verify" and options.verl is None:
            continue
        whole = Count()
        for name, pairs in rows.items():
            dressed = [marked(grader, pair) for pair in pairs]
            count = compare(grader, [*pairs, *dressed], options.verl)
            found += [{"grader": grader, "file": name, **row} for row in count.differences]
            whole.rows, whole.equal = whole.rows + count.rows, whole.equal + count.equal
            whole.evaluated, whole.right = whole.evaluated + count.evaluated, whole.right + count.right
            print(line(grader, name, count), flush=True)
        print(line(grader, "all", whole))
    for (grader, why), number in Counter((row["grader"], row["why"]) for row in found).most_common():
        print(f"{number:5} {grader}: {why}")
    if options.differences:
        options.differences.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")


def loaded(path: Path, limit: int) -> list[Pair]:
    """The rows of a file, `limit` of them by certainty."""
    pairs = {pair.name: pair for certainty in CERTAINTIES for pair in load(path, limit, certainty)}
    return list(pairs.values())


def marked(grader: str, pair: Pair) -> Pair:
    """The bare answer in the grader's mark, under the bare reference."""
    answer = extract(pair.response).shown.strip()
    mark = MARKS.get(grader, "\\boxed{{{}}}")
    return replace(pair, response=mark.format(answer), reference=read_reference(pair.reference))


def line(grader: str, name: str, count: Count) -> str:
    """One line of the table."""
    return (
        f"{grader:<18}{name:<22}{count.rows:>7}{count.right:>7}{count.share():>9}{count.rows - count.equal:>8}"
        f"{count.evaluated:>11}"
    )


def compare(grader: str, pairs: list[Pair], verl: Path | None) -> Count:
    """Both graders on the rows of one file; "no" and "cannot tell" pay the same, so they are equal."""
    as_verl = grader == "math_verify_verl"
    checker: Checker = MathVerify(as_verl) if grader.startswith("math_verify") else described(grader)
    with hv.Verifier(rules=[checker]) as verifier:
        grades = verifier.grade([hv.Sample(pair.response, pair.reference) for pair in pairs])
    theirs = theirs_by_alarm(pairs) if grader == "math_verify" else theirs_by_file(grader, pairs, verl)
    count = Count()
    for pair, grade, (right, why) in zip(pairs, grades, theirs, strict=True):
        if right is None:
            count.evaluated += 1
            continue
        count.rows, count.right = count.rows + 1, count.right + right
        count.equal += (grade.score == 1.0) == right
        if (grade.score == 1.0) != right:
            told = why or grade.rule.reason
            count.differences.append(
                {
                    "why": f"theirs {'right' if right else 'wrong'}, ours {grade.outcome.value}: {told}",
                    "reference": pair.reference,
                    "response": pair.response[-200:],
                }
            )
    return count


def theirs_by_file(grader: str, pairs: list[Pair], verl: Path | None) -> Iterator[tuple[bool | None, str]]:
    """What the original says of each; None where it would evaluate."""
    assert verl is not None
    grade = original(grader, verl / "utils" / "reward_score")
    for pair in pairs:
        try:
            yield grade(pair.response, pair.reference), ""
        except Evaluates:
            yield None, "evaluates"


def theirs_by_alarm(pairs: list[Pair]) -> Iterator[tuple[bool | None, str]]:
    """Math-Verify as its users call it, with its own alarms, in a process that can be killed."""
    process = Process("math-verify", LIMIT_S)
    try:
        for pair in pairs:
            answer = process.ask(pair)
            yield bool(answer.verdict), f"original: {answer.error}" if answer.error else ""
    finally:
        process.stop()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
