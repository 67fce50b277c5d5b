"""Tests of your own pipeline with a mocked judge: `pytest test_with_mocked_judge.py`. No model, no server."""

from __future__ import annotations

import hybridverify as hv
from hybridverify.testing import ScriptedJudge

QUESTION = "Which metal is liquid at room temperature?"


def grade(judge: ScriptedJudge, response: str, reference: str = "mercury") -> hv.Grade:
    """The function under test; yours would be your reward."""
    with hv.Verifier(policy="addon", judges=[judge]) as verifier:
        (result,) = verifier.grade([hv.Sample(response, reference, QUESTION)])
    return result


def test_the_judge_rescues_what_rules_cannot_read() -> None:
    judge = ScriptedJudge(lambda question, reference, answer: reference in answer.lower())
    assert grade(judge, "The metal with that property is quicksilver, also called mercury.").score == 1.0
    assert grade(judge, "The metal with that property is gallium, or so I was told.").score == 0.0


def test_no_judge_is_paid_for_an_empty_answer() -> None:
    judge = ScriptedJudge(True)
    assert grade(judge, "").score == 0.0
    assert judge.asked == []


def test_a_judge_that_fails_gives_no_grade_and_no_zero() -> None:
    result = grade(ScriptedJudge("failed"), "The metal with that property is quicksilver.")
    assert not result.graded
    assert result.outcome is hv.Outcome.FAILED
