"""Templates: slots are checked when loaded and filled once; values stay literal."""

from __future__ import annotations

import pytest

from hybridverify.errors import ConfigError
from hybridverify.judges.template import FIELDS, Template, require

NASTY = (
    "{reference} {answer!r} {0} {} {{ }} %s $x$ \\boxed{\\frac{1}{2}} \\1 \\g<0> {{question}} {criteria}",
    "\\",
    "{",
    "}",
    "",
    "{unknown}",
)


@pytest.mark.parametrize("value", NASTY)
def test_values_stay_literal(value: str) -> None:
    template = Template.parse("<{question}|{reference}|{response}>")
    assert template.fill(dict.fromkeys(FIELDS, value)) == f"<{value}|{value}|{value}>"


def test_a_value_is_never_filled_again() -> None:
    template = Template.parse("{question} / {reference}")
    assert template.fill({"question": "{reference}", "reference": "{question}"}) == "{reference} / {question}"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{questoin}", "questoin"),
        ("{Question}", "Question"),
        ("{gold} and {question}", "gold"),
        ("{question2}", "question2"),
        ("{n}", "n"),
    ],
)
def test_an_unknown_field_is_refused_by_name(text: str, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"my\.txt: unknown field \{{{name}\}}"):
        Template.parse(text, "my.txt")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{{question}}", "question"),
        ("{{ reference }}", "reference"),
        ("\\boxed{answer}", "answer"),
        ("{ response }", "response"),
        ("{question!r}", "question"),
        ("{reference:>8}", "reference"),
        ("{answer.upper}", "answer"),
        ("{criteria[0]}", "criteria"),
        ("text {question", "question"),
    ],
)
def test_a_field_in_another_spelling_is_not_left_over_as_text(text: str, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"{name}.*write .*\{{{name}\}}"):
        Template.parse(text)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("\\boxed{A} {answer}", "\\boxed{A} 7"),
        ("\\boxed{{A}} {answer}", "\\boxed{A} 7"),
        ("\\boxed{{{answer}}}", "\\boxed{7}"),
        ('{{"match": true}} {answer}', '{"match": true} 7'),
        ('{"match": true} {answer}', '{"match": true} 7'),
        ("a } b { c {answer}", "a } b { c 7"),
        ("{} {answer} $x$ %d", "{} 7 $x$ %d"),
    ],
)
def test_braces_that_are_no_field_stay(text: str, filled: str) -> None:
    assert Template.parse(text).fill({"answer": "7"}) == filled


def test_fields_are_listed_once_in_order() -> None:
    assert Template.parse("{answer} {question} {answer}").fields == ("answer", "question")


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        (("question", "reference"), "response"),
        (("question", "response"), "reference"),
        (("reference", "answer"), "question"),
        ((), "response"),
    ],
)
def test_a_missing_field_is_refused_by_name(fields: tuple[str, ...], missing: str) -> None:
    with pytest.raises(ConfigError, match=rf"\{{{missing}\}}.* is missing"):
        require(fields, "my.txt")


@pytest.mark.parametrize(
    "fields",
    [
        ("question", "reference", "response"),
        ("question", "reference", "answer"),
        ("question", "criteria", "response"),
        ("rm_prompt", "response"),
    ],
)
def test_fields_that_stand_in_for_others_suffice(fields: tuple[str, ...]) -> None:
    require(fields, "my.txt")


def test_a_field_may_be_left_out_on_purpose() -> None:
    require(("reference", "response"), "my.txt", omitted=("question",))
