"""Extraction: which text is the final answer, in every form, on friendly and hostile responses."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.answers.extract import FORMS, MAX_RESPONSE, MAX_SHOWN, Mark, extract
from hybridverify.errors import ConfigError
from hybridverify.language.braces import MAX_ANSWER
from hybridverify.language.wrapping import unwrap
from tests.rules.cases import rows

PROBLEMS = ("", "no_answer", "empty_mark", "hedge", "unfinished_thinking", "limit", "not_alone")
WRITTEN = (
    r"\boxed{|\boxed |}|{|$|\(|\]|####|<answer>|</answer>|<think>|</think>|the answer is |Answer:|答案是|**|either |"
    r" or |5|-3|x|\text{|\\|```output|```|So it is |. |,|é|(A)|Option B|<im_end>"
)
PIECES = st.sampled_from([*WRITTEN.split("|"), "\n", " ", "\u200b", "\ud800", "\x00", "<|im_end|>"])
HOSTILE = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))
UNIT = [
    "\\boxed{",
    "\\boxed{1} ",
    "\\boxed{1} and ",
    "{",
    "#",
    "#### ",
    "#### 5\n",
    "$",
    "\n x",
    "<answer>",
    "Answer:\n",
]
UNIT += [
    "the answer is not ",
    "if the answer is 5 ",
    ". ",
    "**",
    "7 or ",
    "x is ",
    "\\",
    "\\text{",
    "\u200b",
    "a",
    "1,",
]
UNIT += ["答案是", "<think></think>", "a\n\n", "is the answer ", "option ", "\u0301", "\x00", "(", "so "]


@pytest.mark.parametrize("row", rows("extract"))
def test_the_final_answer_is_found_and_its_mark_named(row: dict[str, Any]) -> None:
    found = extract(row["response"], row["form"])
    assert (found.answer, found.mark.value, found.problem) == (row["answer"], row["mark"], row["problem"])


@given(HOSTILE, st.sampled_from(FORMS))
def test_no_text_raises_and_everything_found_is_bounded(text: str, form: str) -> None:
    found = extract(text, form)
    assert found.problem in PROBLEMS
    assert len(found.answer) <= MAX_ANSWER
    assert len(found.shown) <= MAX_SHOWN
    assert not (found.firm and not found.answer)


@given(st.text(st.sampled_from("0123456789xyz+-*/=,.()^ "), min_size=1, max_size=60), HOSTILE)
def test_whatever_stands_in_the_last_box_is_the_answer(answer: str, before: str) -> None:
    wanted = unwrap(answer)
    if not any(char.isalnum() or char in "+-=" for char in wanted):
        return  # only dots and blanks: an empty box
    response = (
        before.replace("<", "").replace("\\", "").replace("#", "") + ".\nHence \\boxed{" + answer + "} holds."
    )
    found = extract(response)
    assert (found.answer, found.mark) == (wanted, Mark.BOXED)


@pytest.mark.load
@pytest.mark.parametrize("unit", UNIT)
@pytest.mark.parametrize("form", FORMS)
def test_a_megabyte_is_scanned_in_linear_time(unit: str, form: str) -> None:
    text = unit * (MAX_RESPONSE // len(unit))
    begin = time.process_time()
    extract(text, form)
    assert time.process_time() - begin < 2.0  # about 0.05 on an idle core


def test_a_response_beyond_the_limit_has_no_answer() -> None:
    found = extract("x" * MAX_RESPONSE + "\\boxed{5}")
    assert (found.answer, found.problem) == ("", "limit")


def test_an_answer_beyond_the_limit_shows_its_tail_and_is_not_read() -> None:
    found = extract("\\boxed{" + "1+" * MAX_ANSWER + "7}")
    assert (found.answer, found.problem) == ("", "limit")
    assert found.shown.startswith("1+") or found.shown.startswith("+1")


def test_an_unknown_form_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'boxed'"):
        extract("5", "box")


def test_a_judge_is_shown_the_answer_else_one_line_else_the_last_paragraph() -> None:
    assert extract("We add.\n\nThe answer is **12 km**.").shown == "12 km"
    assert extract("I would say that it rains a lot there").shown == "I would say that it rains a lot there"
    assert extract("First this.\n\nThen that,\nor so.\n\n---\n").shown == "Then that,\nor so."


def test_the_body_has_no_thinking_and_no_further_turn() -> None:
    assert extract("<think>3?</think>It is 4.<|im_end|>\n<|im_start|>user\nWhy?").body == "It is 4."


def test_other_thinking_tags_are_a_setting() -> None:
    assert extract("[T]\\boxed{3}[/T]\\boxed{4}", thinking_tags=("[T]", "[/T]")).answer == "4"
    assert extract("[T]\\boxed{3}", thinking_tags=("[T]", "[/T]")).problem == "unfinished_thinking"
    assert extract("<think>\\boxed{3}", thinking_tags=("", "")).answer == "3"


def test_boxes_are_joined_or_must_agree_where_the_convention_says_so() -> None:
    text = "\\boxed{1} first. Later on \\boxed{2}."
    assert extract(text).answer == "2"
    assert extract(text, multiple_boxes="join").answer == "1, 2"
    assert extract(text, multiple_boxes="all_same").problem == "hedge"
    assert extract("\\boxed{2}. Again \\boxed{2}.", multiple_boxes="all_same").problem == ""


def test_the_last_number_is_taken_only_under_its_convention() -> None:
    text = "We count 3.\nThen we see 4 of them here"
    assert extract(text).answer == ""
    assert extract(text, number_fallback=True).answer == "4"
    assert not extract(text, number_fallback=True).firm


def test_a_closing_sentence_is_not_firm_and_a_mark_is() -> None:
    assert not extract("3 and 4.\nSo the total is 7.").firm
    assert extract("3 and 4.\n\\boxed{7}").firm
