"""Another day than the reference."""

from __future__ import annotations

import pytest

from hybridverify.guards.judge_guards import OTHER_CONTENT, Guards
from hybridverify.guards.other_date import gives_another_date
from hybridverify.judges.base import Subject
from hybridverify.types import Sample


@pytest.mark.parametrize(
    ("answer", "reference", "another"),
    [
        ("March 6, 1987", "March 5, 1987", True),
        ("It opened on the 5th of May, 1987.", "March 5, 1987", True),
        ("5 Mar 1988", "1987-03-05", True),
        ("1987-03-06", "on Thursday, 5 March 1987", True),
        ("March 6, 1987 or so", "March 5, 1987 / 5 March 1987", True),
        ("June 1, 1980, though some say June 2, 1980", "March 5, 1987", True),
        ("5 March 1987", "March 5, 1987", False),
        ("Mar. 5th 1987", "March 5, 1987", False),
        ("1987-03-05", "March 5, 1987", False),
        ("in March 1987", "March 5, 1987", False),
        ("on March 5", "March 5, 1987", False),
        ("on March 6", "March 5, 1987", False),
        ("March 6, 1987", "March 1987", False),
        ("March 6, 1987", "between March 5, 1987 and June 2, 1990", False),
        ("March 6, 1987", "March 5, 1987/early in March", False),
        ("on 3/5/1987, that is, 6 March 1987", "March 5, 1987", False),
        ("from 5-7 March 1987", "March 5, 1987", False),
        ("5 to 7 March 1987", "March 5, 1987", False),
        ("March 5 or 6, 1987", "March 5, 1987", False),
        ("March 6, 1987 in Ulm; March 5, 1987 in Bonn", "March 5, 1987", False),
        ("March 6, 1987 in Ulm; in Bonn on March 5.", "March 5, 1987", False),
        ("March 6, 1987. " * 200, "March 5, 1987", False),
        ("", "March 5, 1987", False),
        ("5 March 1987", "", False),
    ],
)
def test_another_day_is_told_from_the_same_and_from_what_may_be_it(
    answer: str, reference: str, another: bool
) -> None:
    assert gives_another_date(answer, [reference]) is another


def test_no_judge_is_asked_about_another_day() -> None:
    answer = "It opened on March 6, 1987."
    subject = Subject(Sample(answer, "March 5, 1987", "When?"), answer, False, answer)
    assert Guards().refusal(subject) == OTHER_CONTENT
    assert Guards(content_floor=False).refusal(subject) == ""
