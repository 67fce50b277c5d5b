"""Relations between verdicts that must hold whatever the right answer is, tried on every row of labelled files.

    python benchmarks/metamorphic.py FILE.jsonl ... [--show N]

- wrapper: saying the same answer in a harmless way ("The answer is A.", a box, bold) turns no sure verdict round;
- rival: an answer beside another candidate is not right, whatever it was alone;
- exchange: where the answer is right for the reference, the reference is not wrong for the answer.

The answer of a row is what the default rules extract; rows without one are passed over. Prints how often each relation
was tried and broken, and exits with 1 where one was broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled import Pair, load

import hybridverify as hv
from hybridverify.answers.extract import extract
from hybridverify.types import CORRECT, INCORRECT, SURE

BOX = "\\boxed{%s}"
WRAPPERS = (
    "The answer is %s.",
    "So we get $\\boxed{%s}$.",
    "**Answer:** %s",
    "<answer>%s</answer>",
)
RIVALS = (
    "\\boxed{%s} or \\boxed{%s}",
    "%s\n%s",
    "1. %s\n2. %s",
    "Either %s or %s.",
    "\\boxed{%s, or maybe %s}",
)
_MAX_ANSWER = 60
_CHUNK = 2_000


class Broken(NamedTuple):
    """One relation that does not hold, with the texts that show it."""

    relation: str
    name: str
    question: str
    reference: str
    response: str
    verdict: str


def main() -> int:
    options = arguments()
    pairs = [pair for path in options.files for pair in load(path) if not pair.free]
    tried, broken = check(pairs)
    for relation in tried:
        found = [one for one in broken if one.relation == relation]
        print(f"{relation}: broken {len(found)} of {tried[relation]}")
        for one in found[: options.show]:
            print(
                f"  {one.name}: {one.verdict}: {one.reference!r} | {one.response!r} | {one.question[:80]!r}"
            )
    return 1 if broken else 0


def check(pairs: Sequence[Pair]) -> tuple[dict[str, int], list[Broken]]:
    """How often each relation was tried, and where it was broken, under the default rules."""
    bare = [pair for pair in pairs if answer_of(pair)]
    with hv.Verifier() as verifier:
        alone = grade(verifier, [(pair, BOX % answer_of(pair)) for pair in bare])
        known = list(zip(bare, alone, strict=True))
        jobs = [*wrapped(known), *rivalled(known), *exchanged(known)]
        outcomes = grade(verifier, [(pair, text) for _, pair, text, _ in jobs])
    tried: dict[str, int] = {}
    broken = []
    for (relation, pair, text, wrong), outcome in zip(jobs, outcomes, strict=True):
        tried[relation] = tried.get(relation, 0) + 1
        if outcome is wrong:
            broken.append(Broken(relation, pair.name, pair.question, pair.reference, text, outcome.value))
    return tried, broken


Job = tuple[str, Pair, str, hv.Outcome]
"""Relation, row, response, and the outcome that breaks the relation."""


def wrapped(known: Sequence[tuple[Pair, hv.Outcome]]) -> Iterator[Job]:
    for pair, outcome in known:
        if outcome in SURE:
            for wrapper in WRAPPERS:
                text = wrapper % answer_of(pair)
                yield "wrapper", pair, text, INCORRECT if outcome is CORRECT else CORRECT


def rivalled(known: Sequence[tuple[Pair, hv.Outcome]]) -> Iterator[Job]:
    """Each answer beside that of the next row which is surely another one, in both orders."""
    right = [pair for pair, outcome in known if outcome is CORRECT and is_one(pair)]
    for at, pair in enumerate(right):
        rival = next((one for one in (*right[at + 1 : at + 40], *right[:40]) if differ(pair, one)), None)
        if rival is not None:
            for form in RIVALS:
                yield "rival", pair, form % (answer_of(pair), answer_of(rival)), CORRECT
                yield "rival", pair, form % (answer_of(rival), answer_of(pair)), CORRECT


def exchanged(known: Sequence[tuple[Pair, hv.Outcome]]) -> Iterator[Job]:
    for pair, outcome in known:
        if outcome is CORRECT:
            turned = Pair(pair.name, pair.kind, pair.question, answer_of(pair), pair.reference, True, False)
            yield "exchange", turned, BOX % pair.reference, INCORRECT


def is_one(pair: Pair) -> bool:
    """Whether the reference is one number: of lists and sentences nobody knows whether a second one belongs to them."""
    return pair.reference.isascii() and pair.reference.strip("$ ").replace(".", "", 1).isdigit()


def differ(one: Pair, other: Pair) -> bool:
    first, second = (float(pair.reference.strip("$ ")) for pair in (one, other))
    return second not in (first, first / 100, first * 100) and str(int(second)) not in one.question


def answer_of(pair: Pair) -> str:
    """The final answer of the row's response, "" where there is none of a usual length."""
    answer = extract(pair.response).answer
    return answer if len(answer) <= _MAX_ANSWER and "\n" not in answer else ""


def grade(verifier: hv.Verifier, rows: Sequence[tuple[Pair, str]]) -> list[hv.Outcome]:
    found: list[hv.Outcome] = []
    for at in range(0, len(rows), _CHUNK):
        samples = [hv.Sample(text, pair.reference, pair.question) for pair, text in rows[at : at + _CHUNK]]
        found += [result.rule.outcome for result in verifier.grade(samples)]
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, help="labelled rows")
    parser.add_argument("--show", type=int, default=5, help="broken rows to print for each relation")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
