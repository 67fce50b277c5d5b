"""The content gate: nothing without content reaches a judge, and no real answer is held back."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridverify.answers.extract import MAX_RESPONSE, extract
from hybridverify.gate.content import gate_reason
from hybridverify.language.wrapping import visible
from tests.rules.cases import rows

SILENT = st.text(st.characters(categories=("P", "Z", "C", "M"), exclude_characters="\\"), max_size=30)
DECORATIONS = [
    "{}",
    "**{}**",
    "*{}*",
    "\\boxed{{\\text{{{}}}}}",
    "({})",
    "[{}]",
    "「{}」",
    "# {}",
    "> {}",
    "{}:",
    "{}...",
    "✨ {} ✨",
]
OPENERS = [
    "Solution",
    "Answer",
    "Thought process",
    "Lösung",
    "Respuesta",
    "Réponse",
    "Ответ",
    "解",
    "답",
    "उत्तर",
    "الجواب",
]
MARKERS = ["None", "null", "N/A", "undefined", "unknown", "I don't know", "no answer", "не знаю", "不知道"]


@pytest.mark.parametrize("row", rows("gate"))
def test_each_text_gets_the_reason_of_its_row(row: dict[str, Any]) -> None:
    assert gate_reason(row["response"], [row["reference"]]) == row["reason"]


@given(SILENT)
def test_no_text_without_a_letter_or_digit_passes(text: str) -> None:
    assert gate_reason(text, ["42"])
    assert gate_reason(f"\\boxed{{{text}}}".replace("{", "", 0), ["42"]) or "}" in text or "{" in text


@given(st.sampled_from(OPENERS), st.sampled_from(DECORATIONS), st.sampled_from(DECORATIONS))
def test_decorations_do_not_carry_an_opener_through(opener: str, inner: str, outer: str) -> None:
    assert gate_reason(outer.format(inner.format(opener)), ["42"])


@given(
    st.lists(st.sampled_from(OPENERS), min_size=1, max_size=8),
    st.sampled_from([" ", "\n", ": ", ", ", ":\n\n"]),
)
def test_openers_in_a_row_stay_openers(openers: list[str], between: str) -> None:
    assert gate_reason(between.join(openers), ["42"])


@given(st.sampled_from(MARKERS), st.sampled_from(DECORATIONS))
def test_decorations_do_not_carry_a_no_answer_marker_through(marker: str, decoration: str) -> None:
    assert gate_reason(decoration.format(marker), ["42"])


@given(
    st.integers(),
    st.sampled_from(["{}", "\\boxed{{{}}}", "The answer is {}.", "x = {}", "{} apples", "#### {}"]),
)
def test_a_number_always_passes(number: int, form: str) -> None:
    assert gate_reason(form.format(number), ["42"]) == ""


@given(st.text(max_size=60), st.text(max_size=20))
def test_the_gate_never_raises_and_lets_the_reference_itself_through(text: str, other: str) -> None:
    assert isinstance(gate_reason(text, [other]), str)
    if extract(text).problem != "unfinished_thinking":
        blank = (
            not visible(text).strip() or not extract(text).body.strip()
        )  # "</s>" ends a text and says nothing
        assert gate_reason(text, [text]) == "" or blank


def test_the_gate_judges_the_answer_and_not_the_way_to_it() -> None:
    assert gate_reason("We add 3 and 4 and get 7.\n\n\\boxed{\\text{Solution}}", ["7"]) == "master_key"
    assert gate_reason("Solution:\n\nWe add 3 and 4.\n\n\\boxed{7}", ["8"]) == ""


def test_an_extraction_is_taken_as_it_is() -> None:
    assert gate_reason(extract("We guess.\nNothing here", "boxed"), ["7"]) == "no_answer"
    assert gate_reason(extract("We guess.\nNothing here", "auto"), ["7"]) == ""


def test_without_references_only_the_text_counts() -> None:
    assert gate_reason("True") == ""
    assert gate_reason("None") == "no_answer"


@pytest.mark.load
@pytest.mark.parametrize(
    "unit",
    ["Solution ", "解", "?", "\u200b", "x", "Answer:\n\n", "None ", "<b>", "\\text{", "&nbsp;", "\u0301"],
)
def test_long_texts_are_cheap(unit: str) -> None:
    text = unit * (MAX_RESPONSE // len(unit))
    begin = time.process_time()
    gate_reason(text, ["42"])
    assert time.process_time() - begin < 2.0
