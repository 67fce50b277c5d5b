"""Refusals, pointers and empty words, in many languages, and the answers that look like them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hybridverify as hv
from hybridverify.gate.claims import claims
from hybridverify.gate.content import gate_reason
from hybridverify.gate.fold import folded_words, table
from hybridverify.gate.refusals import names_nothing, points_elsewhere
from hybridverify.testing import ScriptedJudge
from tests.rules.cases import rows

QUESTION, REFERENCE = "Who carved the door of the chapel?", "Mila Torv"


@pytest.mark.parametrize("row", rows("gate_refusals"))
def test_a_text_that_declines_to_answer_reaches_no_judge(row: dict[str, Any]) -> None:
    assert gate_reason(row["response"], [row["reference"]], row["question"]) == row["reason"]


@pytest.mark.parametrize(
    "form", ["{}", "\\boxed{{\\text{{{}}}}}", "**{}**", "Answer: {}", "<answer>{}</answer>"]
)
@pytest.mark.parametrize(
    "text",
    ["I have no idea", "There is not enough information", "Keine Ahnung", "no tengo idea", "我无法确定答案"],
)
def test_no_mark_carries_a_refusal_through(text: str, form: str) -> None:
    assert gate_reason(form.format(text), [REFERENCE], QUESTION)


WORDS = sorted(
    table("OPENERS", "CLAIMS", "LABELS", "POINTING", "ABOUT_POINTING", "EMPTY_WORDS", "PLACEHOLDERS")
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.integers(0, 4), st.booleans())
def test_a_word_of_no_table_ends_the_search_for_claims_pointers_and_grammar(
    words: list[str], place: int, bracketed: bool
) -> None:
    """What `gate_reason` leaves out for such a text would have found nothing."""
    said = [*words[:place], "marlstone", *words[place:]]
    text = f"[{' '.join(said)}]" if bracketed else " ".join(said)
    assert claims(said, text, (REFERENCE,)) == ""
    assert not points_elsewhere(said, (REFERENCE,), QUESTION)
    assert not names_nothing(text, said, (REFERENCE,), QUESTION)


@given(st.lists(st.sampled_from(sorted(table("EMPTY_WORDS"))), min_size=2, max_size=6))
def test_words_of_grammar_alone_say_nothing(words: list[str]) -> None:
    assert gate_reason(" ".join(words), [REFERENCE], QUESTION)


@given(st.sampled_from(["Mila Torv", "a monk of Oss", "x^2", "seven", "Tor 3", "Ж", "东京"]))
def test_an_answer_behind_an_excuse_is_an_answer(answer: str) -> None:
    for excuse in (
        "I am not sure, but perhaps it was {}",
        "I don't know for certain; maybe {}",
        "No idea... probably {}",
    ):
        assert gate_reason(excuse.format(answer), [answer], QUESTION) == ""


@pytest.mark.parametrize("row", rows("gate_refusals"))
def test_a_refusal_that_the_reference_says_is_an_answer(row: dict[str, Any]) -> None:
    assert gate_reason(row["response"], [row["response"]], row["question"]) == ""


def test_a_judge_is_not_asked_and_the_grade_is_incorrect() -> None:
    judge = ScriptedJudge(lambda question, reference, answer: True)
    with hv.Verifier(judges=[judge], policy="judge_only") as verifier:
        grade = verifier.grade([hv.Sample("I cannot say who it was.", REFERENCE, QUESTION)])[0]
        assert (grade.outcome, grade.score, grade.graded) == (hv.Outcome.INCORRECT, 0.0, True)
        assert grade.judge.outcome is hv.Outcome.SKIPPED
        assert verifier.grade([hv.Sample("It was Mila.", REFERENCE, QUESTION)])[0].score == 1.0


def test_every_entry_is_one_folded_word() -> None:
    for name in (
        "DENIALS",
        "KNOWING",
        "UNKNOWING",
        "ABOUT_KNOWING",
        "ITSELF",
        "TURNS",
        "POINTING",
        "EMPTY_WORDS",
    ):
        assert all(len(folded_words(entry)) == 1 for entry in table(name)), name
