"""Relations between verdicts that hold whatever the right answer is, on the project's own cases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hybridverify import Outcome, Sample, Verifier

BENCHMARKS = str(Path(__file__).parents[1] / "benchmarks")
if BENCHMARKS not in sys.path:
    sys.path.insert(0, BENCHMARKS)

from labelled import Pair  # noqa: E402
from metamorphic import check, rivalled  # noqa: E402

VALUES = (
    "7",
    "3/4",
    "0.25",
    "12.5",
    "x+1",
    "(2,3)",
    "2, 5",
    "\\sqrt{2}",
    "x=4",
    "50\\%",
    "3 km",
    "Ulm",
    "(-1,4]",
    "True",
)


def rows() -> list[Pair]:
    """Each value as the answer to itself and to the next one."""
    return [
        Pair(
            f"{reference} by {answer}", "", "", reference, f"\\boxed{{{answer}}}", answer == reference, False
        )
        for at, reference in enumerate(VALUES)
        for answer in (reference, VALUES[(at + 1) % len(VALUES)])
    ]


def test_wrappers_rivals_and_exchanges_break_no_verdict() -> None:
    tried, broken = check(rows())
    assert broken == []
    assert min(tried[relation] for relation in ("wrapper", "rival", "exchange")) >= len(VALUES)


def test_a_verifier_that_looks_for_the_reference_breaks_the_relation_of_rivals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def contains(self: Verifier, samples: list[Sample]) -> list[object]:
        return [_Found(sample.references[0] in sample.response) for sample in samples]

    monkeypatch.setattr(Verifier, "grade", contains)
    _, broken = check(rows())
    assert {one.relation for one in broken} == {"rival"}
    assert len(broken) == len(list(rivalled([(pair, Outcome.CORRECT) for pair in rows() if pair.label])))


class _Found:
    def __init__(self, there: bool) -> None:
        self.rule = self
        self.outcome = Outcome.CORRECT if there else Outcome.INCORRECT
