"""Options beside each other are several, in every joint and label form; options in a text that reasons are not."""

from __future__ import annotations

import itertools

import pytest

from hybridverify.guards.judge_guards import HEDGE, Guards
from hybridverify.judges.base import Subject
from hybridverify.redteam.option_lists import JOINTS, LABELS
from hybridverify.rules.choice import Choice
from hybridverify.types import Outcome, Sample

QUESTION = "Which of these is even?\nA. 7\nB. 8\nC. 9\nD. 11"
TEXTS = {"A": "7", "B": "8", "C": "9", "D": "11"}
FRAMES = ("{}", "Answer: {}", "\\boxed{{{}}}", "<answer>{}</answer>")
MARKED = ("answer line", "final answer", "sentence", "chosen", "right", "boxed", "tagged", "hashes")
"""Forms that choose an option in so many words."""


def accepted(response: str, reference: str) -> bool:
    return Choice().check(Sample(response, reference, QUESTION)).outcome is Outcome.CORRECT


@pytest.mark.parametrize(("number", "joint"), list(enumerate(JOINTS)))
def test_two_options_in_any_joint_are_not_paid_for_either(number: int, joint: str) -> None:
    forms = [name for name in LABELS if name not in MARKED][number % 5 :: 5]
    one, two = "AB" if number % 2 else "BA"
    found = []
    for form, frame in zip(forms, itertools.cycle(FRAMES), strict=False):
        response = frame.format(JOINTS[joint]([LABELS[form](one, TEXTS[one]), LABELS[form](two, TEXTS[two])]))
        found += [response for reference in "AB" if accepted(response, reference)]
    assert not found


@pytest.mark.parametrize("form", [name for name in LABELS if name not in ("small", "formula")])
def test_one_option_in_any_form_is_accepted(form: str) -> None:
    assert accepted(LABELS[form]("B", "8"), "B")


@pytest.mark.parametrize("response", ["Answer: (A)\nAnswer: (B)", "B. 8/A. 7", "Answer: B as well as D"])
def test_no_judge_is_asked_about_options_beside_each_other(response: str) -> None:
    subject = Subject(Sample(response, "B", QUESTION), "(B)", marked=True, reply=response)
    assert Guards().refusal(subject) == HEDGE


def test_a_judge_may_be_asked_about_one_option() -> None:
    response = "A. 7 B. 8 C. 9 D. 11\nAnswer: (B)"
    assert not Guards().refusal(Subject(Sample(response, "B", QUESTION), "(B)", marked=True, reply=response))
