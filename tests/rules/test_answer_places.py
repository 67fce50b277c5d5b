"""Where an answer stands in unusual responses, and the like of it where none stands."""

from __future__ import annotations

import pytest

from hybridverify.answers import closing_line
from hybridverify.answers.extract import extract


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ('```json\n{"answer": 31}\n```', "31"),
        ("<|im_start|>assistant\n31", "31"),
        ("31<|im_start|>user\n47", "31"),
        ("The answer is:\n31", "31"),
        ("The answer is:\n1. Add both.\n2. Halve the sum.", ""),
        (r"It is $x = \boxed{31}$", "31"),
        (r"It is not $x = \boxed{31}$", ""),
        ("We add both loads. So in total $31$", "31"),
        (r"\boxed{31}" + "\n后来变成47。", ""),
        (r"\boxed{31}" + "\n后来还是31。", "31"),
    ],
)
def test_an_answer_is_read_where_it_stands(response: str, answer: str) -> None:
    found = extract(response)
    assert (found.answer if not found.problem else "") == answer


def test_a_number_of_times_is_not_the_load() -> None:
    assert extract("We add both loads. So in total $31$ times the load").answer != "31"


def test_a_bound_on_the_last_line_is_no_value() -> None:
    assert closing_line.value_of("Therefore\n$$x = 31$$") == "x = 31"
    assert closing_line.value_of("Therefore\n$$x > 31$$") == ""
