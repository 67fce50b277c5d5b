"""The content floor and the canary of foreign references."""

from __future__ import annotations

import pytest

from hybridverify.judges.base import Subject
from hybridverify.judges.guards import shares_content, with_foreign_references
from hybridverify.types import Sample


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("42", ["42"]),
        ("forty-two", ["42"]),
        ("7", ["seven"]),
        ("½", ["0.5"]),
        ("四十二", ["42"]),
        ("\\frac{1}{2}", ["0.5"]),
        ("Paris", ["London"]),
        ("∅", ["∅"]),
        ("x = 4", ["4"]),
        ("anything", []),
        ("anything", ["", "..."]),
        ("none of them", ["0"]),
        ("12 apples", ["a dozen"]),
        ("π", ["pi"]),
        ("blue", ["42", "blue"]),
    ],
)
def test_an_answer_that_could_say_it_passes(answer: str, references: list[str]) -> None:
    assert shares_content(answer, references)


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("", ["42"]),
        ("...", ["42"]),
        ("It follows from the definition.", ["42"]),
        ("Thought process:", ["3.5"]),
        ("()", ["x + 1"]),
        ("\\boxed{}", ["42"]),
        ("42", ["blue"]),
        ("\u200b", ["42"]),
        ("Solution", ["12", "13"]),
    ],
)
def test_an_answer_that_cannot_say_it_does_not(answer: str, references: list[str]) -> None:
    assert not shares_content(answer, references)


def subjects(*pairs: tuple[str, str]) -> list[Subject]:
    return [
        Subject(Sample(answer, reference, f"q{i}"), answer) for i, (answer, reference) in enumerate(pairs)
    ]


def test_the_canary_gives_everyone_another_s_reference() -> None:
    rows = subjects(("a", "1"), ("b", "2"), ("c", "3"), ("d", "1"))
    foreign = with_foreign_references(rows)
    for row, other in zip(rows, foreign, strict=True):
        assert other is not None
        assert other.sample.references != row.sample.references
        assert other.sample.references in [r.sample.references for r in rows]
        assert (other.answer, other.sample.question) == (row.answer, row.sample.question)


def test_the_canary_never_shows_a_reference_that_the_answer_equals() -> None:
    rows = subjects(("2", "1"), ("1", "2"), ("x", "3"))
    for row, other in zip(rows, with_foreign_references(rows), strict=True):
        assert other is not None
        assert row.answer not in other.sample.references


def test_without_a_different_reference_there_is_no_canary() -> None:
    assert with_foreign_references(subjects(("a", "1"), ("b", " 1 "))) == [None, None]
    assert with_foreign_references([]) == []


def test_the_canary_does_not_depend_on_the_order_of_the_batch() -> None:
    rows = subjects(*((f"a{i}", f"r{i}") for i in range(20)))
    there = with_foreign_references(rows, seed=3)
    back = with_foreign_references(rows[::-1], seed=3)[::-1]
    assert there == back
    assert there != with_foreign_references(rows, seed=4)
