"""The printed value of a program that the closing sentence repeats: a stated answer where it says what was asked."""

from __future__ import annotations

import pytest

import hybridverify as hv
from hybridverify.answers.extract import Mark, extract

QUESTION = "A box holds 30 bulbs and 12 of them are red. How many bulbs in the box are not red?"
RUN = "```python\nprint(30 - 13)\n```\n```output\n17\n```\n"


@pytest.mark.parametrize(
    ("sentence", "mark"),
    [
        ("17 bulbs in the box are not red.", Mark.STATED),
        ("There are 17 bulbs in the box that are not red.", Mark.STATED),
        ("17 bulbs in the box are red.", Mark.CONCLUSION),
        ("17 bulbs in the box are not blue.", Mark.CONCLUSION),
        ("17 of 30 bulbs in the box are not red.", Mark.CONCLUSION),
        ("17 bulbs in the box are not red?", Mark.CONCLUSION),
    ],
)
def test_a_sentence_in_the_words_of_the_question_states_what_was_printed(sentence: str, mark: Mark) -> None:
    found = extract(RUN + sentence, question=QUESTION)
    assert (found.answer, found.mark) == ("17", mark)


def test_only_a_stated_value_is_surely_wrong() -> None:
    told = hv.verify(RUN + "17 bulbs in the box are not red.", "18", QUESTION)
    other = hv.verify(RUN + "17 bulbs in the box are red.", "18", QUESTION)
    assert (told.outcome, other.outcome) == (hv.Outcome.INCORRECT, hv.Outcome.UNDECIDED)
