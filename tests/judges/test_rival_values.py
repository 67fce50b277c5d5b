"""A second year, day or yes/no in the place of the reference, with twins that tell of something else."""

from __future__ import annotations

import pytest

import hybridverify as hv
from hybridverify.guards.rival_values import gives_a_rival
from hybridverify.testing import ScriptedJudge

OPENED = "When was the canal of Vell opened?"
RIVALS = [
    ("1766, also known as 1771", "1766", OPENED),
    ("1771 (formerly 1766)", "1766", OPENED),
    ("1766 aka 1771", "1766", OPENED),
    ("My first guess is 1766; my other guess is 1771.", "1766", OPENED),
    ("It is 1766, and 1771 is also right.", "1766", OPENED),
    ("It was surveyed in 1766 and opened in 1771.", "1766", OPENED),
    ("12 May 1766, also called 14 May 1766", "12 May 1766", OPENED),
    ("yes, no", "yes", "Was the canal ever used?"),
    ("Yes it was. No it was not.", "no", "Was the canal ever used?"),
]
ONE = [
    ("It was surveyed in 1766 and opened in 1771.", "1771", OPENED),
    ("1771, five years after 1766", "1771", OPENED),
    ("from 1766 to 1771", "1766", "How long did the digging take?"),
    ("originally used from May 12, 1766, to June 1, 1829", "12 May 1766", "When was it first used?"),
    ("1771, not 1766", "1771", OPENED),
    ("He was born in 1766, died in 1829", "1766", "When was its builder born?"),
    ("Born May 12, 1766, he died on June 1, 1829", "12 May 1766", "When was its builder born?"),
    ("12 May 1766 (May 12, 1766)", "12 May 1766", OPENED),
    ("It opened in 1771 and was widened in 1890.", "1771", OPENED),
    ("Yes, no doubt about it", "yes", "Was the canal ever used?"),
    ("No, it never was. Nobody said yes.", "no", "Was the canal ever used?"),
    ("1766 and 1771", ("1766", "1771"), "In which years was it flooded?"),
]


@pytest.mark.parametrize(("answer", "reference", "question"), RIVALS)
def test_a_second_value_is_a_rival(answer: str, reference: str, question: str) -> None:
    assert gives_a_rival(answer, [reference], question)


@pytest.mark.parametrize(("answer", "reference", "question"), ONE)
def test_a_value_of_something_else_is_none(
    answer: str, reference: str | tuple[str, ...], question: str
) -> None:
    references = (reference,) if isinstance(reference, str) else reference
    assert not gives_a_rival(answer, references, question)


def test_no_judge_is_asked() -> None:
    judge = ScriptedJudge(True)
    with hv.Verifier(judges=[judge], policy="addon") as verifier:
        rival, fine = verifier.grade(
            [
                hv.Sample(f"\\boxed{{\\text{{{text}}}}}", "1766", OPENED)
                for text in ("1766, later known as 1771", "opened in the year of 1766")
            ]
        )
    assert rival.score == 0.0
    assert fine.score == 1.0
