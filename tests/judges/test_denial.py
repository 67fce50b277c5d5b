"""Answers that name the reference only as what it is not."""

from __future__ import annotations

import pytest

from hybridverify import Outcome, Sample, Verifier
from hybridverify.guards.denial import denies
from hybridverify.testing import ScriptedJudge

WHO, WHERE, WHEN = "Who built the mill?", "Where does the ferry land?", "When did the mill open?"


@pytest.mark.parametrize(
    ("answer", "reference", "question"),
    [
        ("It was not Ada Holm.", "Ada Holm", WHO),
        ("Not by Ada Holm", "Ada Holm", WHO),
        ("It wasn't Ada Holm.", "Ada Holm", WHO),
        ("It wasn’t really Ada Holm.", "Ada Holm", WHO),
        ("Ivo Brandt, not Ada Holm", "Holm/Ada Holm", WHO),
        ("Ivo Brandt rather than Ada Holm", "Ada Holm", WHO),
        ("Anyone but Ada Holm", "Ada Holm", WHO),
        ("somebody other than Ada Holm", "Ada Holm", WHO),
        ("Nicht Ada Holm", "Ada Holm", WHO),
        ("Ce n'est pas Ada Holm.", "Ada Holm", WHO),
        ("Not at Kiel", "Kiel", WHERE),
        ("It opened in 1931, not 1932.", "1932", WHEN),
        ("before 1932", "1932", WHEN),
        ("after 1932", "1932", WHEN),
        ("1932 BC", "1932", WHEN),
        ("before May 4, 1932", "May 4, 1932", WHEN),
        ("after the 4th of May 1932", "4th of May 1932/the 4th May 1932", WHEN),
        ("Ada Holm's wife", "Ada Holm", WHO),
        ("It was Ada Holm's younger brother.", "Ada Holm", WHO),
        ("Ada Holm did not build the mill.", "Ada Holm", WHO),
        ("a follower of Ada Holm", "Ada Holm", WHO),
        ("Contrary to Ada Holm, it was Ivo Brandt.", "Ada Holm", WHO),
        ("Everything except Kiel", "Kiel", WHERE),
        ("Kiel (incorrect)", "Kiel", WHERE),
        ("~~Kiel~~ Bonn", "Kiel", WHERE),
        ("<del>Kiel</del> Bonn", "Kiel", WHERE),
        ("A town older than Kiel", "Kiel", WHERE),
        ("Bonn has more bridges than Kiel.", "Kiel", "Which has more bridges, Bonn or Kiel?"),
        ("Kiel isn't where the ferry lands.", "Kiel", WHERE),
    ],
)
def test_a_reference_that_is_only_denied_is_no_answer(answer: str, reference: str, question: str) -> None:
    assert denies(answer, [reference], question)


@pytest.mark.parametrize(
    ("answer", "reference", "question"),
    [
        ("Not Ivo Brandt but Ada Holm", "Ada Holm", WHO),
        ("Ada Holm, not Ivo Brandt", "Ada Holm", WHO),
        ("Not only Ada Holm", "Ada Holm", WHO),
        ("None other than Ada Holm", "Ada Holm", WHO),
        ("No one other than Ada Holm", "Ada Holm", WHO),
        ("Not Ada Holm's father but Holm herself", "Ada Holm", WHO),
        ("Not Ada Holm? Yes: Ada Holm.", "Ada Holm", WHO),
        ("Ada Holm's mill", "Ada Holm", WHO),
        ("Ada Holm's brother", "Ada Holm", "Whose brother built the mill?"),
        ("Ada Holm did not sign it.", "Ada Holm", "Who refused to sign it?"),
        ("Ada Holm did not sign it.", "Ada Holm", "Who was against it?"),
        ("Ada Holm did not sleep that night.", "Ada Holm", WHO),
        ("It is not Kiel.", "Kiel", "Which of these is not a port?"),
        ("It did not open until 1932.", "1932", WHEN),
        ("since 1932", "1932", WHEN),
        ("after 1932", "1932", "After which year did it close?"),
        ("after the flood", "the flood", WHEN),
        ("in 1932 before the flood", "1932", WHEN),
        ("44 BC", "44 BC", WHEN),
        ("before 1932", "before 1932", WHEN),
        ("~~Bonn~~ Kiel", "Kiel", WHERE),
        ("a friend of Ada Holm", "Ada Holm", "Whose friend built the mill?"),
        ("the mill of Ada Holm", "Ada Holm", WHO),
        ("non-stick", "non-stick", "Which pan?"),
        ("No town is older than Kiel.", "Kiel", "Which town is the oldest?"),
        ("It has more than 300.", "300", "How many does it have?"),
        ("Bonn is smaller than Kiel.", "Kiel", "Which town is larger than Bonn?"),
        ("not guilty", "not guilty", "What was the verdict?"),
        ("one of the oldest, if not the oldest", "the oldest", "Which mill is it?"),
        ("It is not known.", "Ada Holm", WHO),
        ("Not Ada Holm. " + "It was long ago. " * 40, "Ada Holm", WHO),
        ("", "Ada Holm", WHO),
    ],
)
def test_what_affirms_or_may_affirm_is_left_to_the_judge(answer: str, reference: str, question: str) -> None:
    assert not denies(answer, [reference], question)


def test_no_judge_is_asked_about_a_denial_and_the_floor_turns_it_off() -> None:
    sample = Sample("It was not Ada Holm.", "Ada Holm", WHO)
    for floor, outcome in ((True, Outcome.INCORRECT), (False, Outcome.CORRECT)):
        judge = ScriptedJudge(True)
        with Verifier(policy="addon", judges=[judge], guards={"content_floor": floor}) as verifier:
            assert verifier.grade([sample])[0].outcome is outcome
