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
        ("Ulm? Bonn? " * 100, ["Ulm"], True),
        ("1. Kiel\n2. Ulm\n3. Bonn", ["Ulm"], True),
        ("(a) Kiel (b) Ulm", ["Ulm"], True),
        ("Kiel; Ulm", ["Ulm"], True),
        ("**Kiel**\n**Ulm**", ["Ulm"], True),
        ("It was Kiel. It was Ulm.", ["Ulm"], True),
        ("Some say Kiel, others say Ulm.", ["Ulm"], True),
        ("a copper coin; a silver spoon", ["a silver spoon"], True),
        ("Kiel and Ulm", ["Ulm"], True),
        ("Some say \\text{Ulm}, some say Kiel.", ["\\text{Ulm}"], True),
        ("It is Kiel or it is Ulm", ["Ulm"], True),
        ("Kiel & Bonn & Ulm & Hof", ["Ulm"], True),
        ("Anna Berg Karl Roth Ulm Peters Max Kern", ["Karl Roth"], True),
        ("Built between 1871 and 1899", ["1871"], False),
        ("between 1871 and 1899", ["1871"], True),
        ("1871, also 1899", ["1871"], True),
        ("It was in 1871. It was in 1872. It was in 1873.", ["1872"], True),
        ("Ulm. It lies on the Danube.", ["Ulm"], False),
        ("Ulm\n(the town on the Danube)", ["Ulm"], False),
        ("Dr. Karl M. Roth of St. Gallen", ["Karl M. Roth"], False),
        ("Karl Roth was born in Ulm. He was raised in Bonn.", ["Ulm"], False),
        ("salt and pepper", ["salt and pepper"], False),
        ("The town of Ulm, which lies in Swabia and belongs to Germany", ["Ulm"], False),
        ("1. Huey\n2. Louie\n3. Dewey", ["Huey/Louie/Dewey/Scrooge"], False),
        ("", ["Ulm"], False),
    ],
)
def test_several_candidates_are_told_from_one_answer(
    answer: str, references: list[str], several: bool
) -> None:
    assert offers_several(answer, references) is several


def test_a_question_for_several_things_may_be_answered_by_a_list() -> None:
    listed = "1. Ulm\n2. Kiel\n3. Bonn"
    assert not offers_several(listed, ["Ulm"], "What are towns with a minster?")
    assert offers_several(listed, ["Ulm"], "Which town has the highest spire?")


def test_the_guard_against_hedges_refuses_candidates() -> None:
    subject = Subject(Sample("Ulm? Bonn?", "Ulm", "Where?"), "Bonn", False, "Ulm? Bonn?")
    assert Guards().refusal(subject) == HEDGE
    assert Guards(hedge=False).refusal(subject) == ""


@pytest.mark.parametrize(
    ("answer", "references", "refused"),
    [
        ("of", ["Republic of Genoa"], True),
        ("in the", ["in the barn"], True),
        ("of", ["Of"], False),
        ("A", ["42"], False),
        ("both", ["both of them"], False),
        ("the opposite of Ulm", ["Ulm"], True),
        ("the city of Ulm", ["Ulm"], False),
    ],
)
def test_words_that_name_nothing_and_opposites_are_kept_from_judges(
    answer: str, references: list[str], refused: bool
) -> None:
    subject = Subject(Sample(answer, references, "Where is it?"), answer, True, answer)
    assert bool(Guards().refusal(subject)) is refused


@pytest.mark.parametrize(
    ("question", "answer", "references", "refused"),
    [
        (
            "What is another word for the herb known as cilantro?",
            "the herb known as cilantro",
            ["coriander"],
            True,
        ),
        ("What is the herb known as cilantro?", "coriander", ["coriander"], False),
        ("Is the river on the left or the canal longer?", "the river on the left", ["river"], False),
        ("Where do the boats to the islands leave?", "boats to the islands leave from Ulm", ["Ulm"], False),
    ],
)
def test_a_piece_of_the_question_is_no_answer(
    question: str, answer: str, references: list[str], refused: bool
) -> None:
    subject = Subject(Sample(answer, references, question), answer, True, answer)
    assert bool(Guards().refusal(subject)) is refused
