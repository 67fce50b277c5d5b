"""Answers in words that offer several candidates."""

from __future__ import annotations

import pytest

from hybridverify.guards.candidates import offers_several
from hybridverify.guards.judge_guards import HEDGE, Guards
from hybridverify.judges.base import Subject
from hybridverify.types import Sample


@pytest.mark.parametrize(
    ("answer", "references", "several"),
    [
        ("Ulm? Bonn? Kiel?", ["Ulm"], True),
        ("Bonn? Ulm?", ["Ulm", "Ulm on the Danube"], True),
        ("One of Bonn, Ulm, Kiel", ["Ulm"], True),
        ("It's one of these: Bonn or Ulm", ["Ulm"], True),
        ("All of: Bonn, Kiel and Ulm", ["Ulm"], True),
        ("Ulm vs. Bonn", ["Ulm"], True),
        ("Ulm vs. Bonn", ["Ulm vs. Bonn"], False),
        ("yes or no", ["yes"], True),
        ("Yes/No", ["No"], True),
        ("Maybe yes and maybe no.", ["yes"], True),
        ("both true and false", ["false"], True),
        ("Ulm?", ["Ulm"], False),
        ("Ulm? Yes, Ulm.", ["Ulm"], False),
        ("Ulm, Swabia, Germany", ["Ulm"], False),
        ("Bonn? Kiel?", ["Ulm"], False),
        ("One of the oldest towns", ["Ulm"], False),
        ("All of them: Huey and Louie", ["Huey", "Louie"], False),
        ("One of Bonn/Ulm", ["One of Bonn/Ulm"], False),
        ("yes or no", ["yes or no"], False),
        ("No, it is not true.", ["no"], False),
        ("yes", ["yes"], False),
        ("Yes and no", ["It depends"], False),
        ("Ulm? Bonn? " * 100, ["Ulm"], False),
        ("", ["Ulm"], False),
    ],
)
def test_several_candidates_are_told_from_one_answer(
    answer: str, references: list[str], several: bool
) -> None:
    assert offers_several(answer, references) is several


def test_the_guard_against_hedges_refuses_candidates() -> None:
    subject = Subject(Sample("Ulm? Bonn?", "Ulm", "Where?"), "Bonn", False, "Ulm? Bonn?")
    assert Guards().refusal(subject) == HEDGE
    assert Guards(hedge=False).refusal(subject) == ""
