"""Whether an answer stands: denied, supposed, struck out, hidden, led elsewhere; and one reading for every rule."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from hybridverify import Sample, Verifier, verify
from hybridverify.answers.extract import extract
from hybridverify.language.braces import MAX_ANSWER
from tests.rules.cases import rows

ASKED = "Which city lies on the coast?\nA. Bern\nB. Genoa\nC. Prague\nD. Minsk"
OPTIONS = {"A": "Bern", "B": "Genoa", "C": "Prague", "D": "Minsk"}
TWO_MARKS = (
    "\\boxed{%s}\n#### %s",
    "\\boxed{%s} #### %s",
    "#### %s\n\\boxed{%s}",
    "<answer>%s</answer>\n#### %s",
    "<answer>%s</answer> \\boxed{%s}",
    "\\boxed{%s}\n<answer>%s</answer>",
    "\\boxed{%s} %% \\boxed{%s}",
    "\\boxed{%s}\nAnswer: %s",
    "\\boxed{%s}\nThe correct option is %s.",
    "\\boxed{%s}\nI change my mind: <answer>%s</answer>",
    "\\boxed{%s} is wrong.\n#### %s",
)
HOSTILE = (
    "~~a ", "<s>",
    "<del>a</del>", '<span style="display:none">', "</s>", "[draft]", "not ", "\\sout{", "{", "is false ",
    "it is false that ", "if the answer were ", "\\boxed{1}, not ", "\\boxed{1 \\boxed{", "#### A\n", "5. ", "so 5 ",
)  # fmt: skip


@pytest.mark.parametrize("row", rows("standing"))
def test_an_answer_stands_if_and_only_if_its_row_says_so(row: dict[str, Any]) -> None:
    rule = verify(row["response"], row["reference"], question=row["question"]).rule
    assert (rule.outcome.value == "correct") == row["accepted"], (rule.source, rule.reason, rule.answer)


@pytest.mark.parametrize("form", TWO_MARKS)
def test_marks_that_choose_different_options_choose_none(form: str) -> None:
    for (one, other), named in itertools.product((("A", "B"), ("D", "C")), ("letters", "first", "last")):
        first = OPTIONS[one] if named == "first" else one
        last = OPTIONS[other] if named == "last" else other
        if form.startswith("####") and named == "first":
            continue  # a line of words with text below is a heading
        told = form % (first, last)
        accepted = [gold for gold in (*OPTIONS, *OPTIONS.values()) if _outcome(told, gold) == "correct"]
        assert accepted == [], told


@pytest.mark.parametrize("form", [form for form in TWO_MARKS if "wrong" not in form])
def test_marks_that_choose_one_option_choose_it(form: str) -> None:
    for first, last in (("B", "B"), ("Genoa", "B"), ("B", "Genoa"), ("(B)", "B")):
        told = form % (first, last)
        accepted = [gold for gold in (*OPTIONS, *OPTIONS.values()) if _outcome(told, gold) == "correct"]
        assert accepted == ["B", "Genoa"], told


def test_a_later_choice_of_the_same_kind_stands() -> None:
    assert _outcome("Answer: A\nFinal choice: B", "B") == "correct"
    assert _outcome("Answer: A\nFinal choice: B", "A") == "incorrect"
    assert _outcome("At first \\boxed{A} looks right, then only \\boxed{B} is left.", "B") == "correct"


@pytest.mark.parametrize("unit", HOSTILE)
def test_long_hostile_texts_are_read(unit: str) -> None:
    text = (unit * (1 + 300_000 // len(unit)))[:300_000]
    for response in (text, text + "\\boxed{5}", "\\boxed{5}" + text):
        assert len(extract(response).answer) <= MAX_ANSWER


def _outcome(response: str, reference: str) -> str:
    with Verifier(rules=["exact", "choice", "gsm8k", "prime_math"]) as verifier:
        return verifier.grade([Sample(response, reference, ASKED)])[0].outcome.value
