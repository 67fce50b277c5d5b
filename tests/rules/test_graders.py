"""Graders of others: what each says of a row, told by the originals once, and how `grader` chooses them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hybridverify as hv
from hybridverify.config.graders import GRADERS, asking_policy
from hybridverify.config.registry import CHECKERS, DEFAULT_RULES
from hybridverify.errors import ConfigError
from hybridverify.objects import load
from hybridverify.rules.graders import installed
from hybridverify.rules.graders.latex_form import normal_form
from hybridverify.rules.graders.plain_latex import plain_latex
from hybridverify.rules.graders.rules import described
from hybridverify.rules.graders.values import by_value
from hybridverify.testing import ScriptedJudge
from tests.rules.cases import rows

DESCRIBED = (
    "gsm8k_strict",
    "gsm8k_flexible",
    "hendrycks",
    "math_dapo",
    "math_dapo_answer",
    "prime_math",
)


@pytest.mark.parametrize("row", rows("graders"))
def test_each_grader_says_of_a_case_what_its_original_says(row: dict[str, Any]) -> None:
    said = {
        name: described(name).check(hv.Sample(row["response"], row["reference"])).outcome.value
        for name in DESCRIBED
    }
    assert [name for name in DESCRIBED if said[name] == "correct"] == row["right"]
    assert [name for name in DESCRIBED if said[name] == "undecided"] == row.get("open", [])


def test_any_of_several_references_may_match() -> None:
    verdict = described("gsm8k_strict").check(hv.Sample("#### 5", ["4", "5"]))
    assert verdict.outcome is hv.Outcome.CORRECT


@pytest.mark.parametrize("name", DESCRIBED)
@given(response=st.text(st.sampled_from("\\{}$%^_#/,.=()[] 10aefrcsqtboxdn:A\n"), max_size=80))
def test_no_text_breaks_a_grader(name: str, response: str) -> None:
    for reference in (response, "1", r"\frac{1}{2}"):
        verdict = described(name).check(hv.Sample(response, reference))
        assert verdict.outcome.value in ("correct", "incorrect", "undecided")


@given(st.text(st.sampled_from("\\{}frac12sqrtleidg ^=./"), max_size=40))
def test_spelling_a_text_is_bounded_and_total(text: str) -> None:
    assert len(normal_form(text)) <= 8 * len(text) + 20
    plain_latex(text)


def test_deep_nesting_is_refused_not_followed() -> None:
    deep = "\\boxed{" + "{" * 900 + "7" + "}" * 900 + "}"
    assert described("prime_math").check(hv.Sample(deep, r"\frac{7}{1}")).outcome.value == "undecided"


@pytest.mark.parametrize(
    "text", ["__import__('os').system('true')", "lambda: 5", "[].append(1)", "9**9**9**9"]
)
def test_text_is_compared_and_never_run(text: str) -> None:
    assert by_value(text, "5") is not True


def test_every_preset_names_a_rule_and_none_is_in_the_default_chain() -> None:
    named = {f"grader_{preset.grader}" for preset in GRADERS.values()}
    assert named <= set(CHECKERS)
    assert {name for name in CHECKERS if name.startswith("grader_")} == named
    assert not named & set(DEFAULT_RULES)
    assert [name for name in sorted(named) if load(CHECKERS[name])().name != name] == []


def test_a_preset_is_the_only_rule_and_sets_the_reward() -> None:
    samples = [hv.Sample("Answer: 7", "7"), hv.Sample("It is 7.", "7"), hv.Sample("Answer: 7", "")]
    with hv.Verifier(grader="math_dapo_answer") as verifier:
        grades = verifier.grade(samples)
    assert [(grade.score, grade.graded) for grade in grades] == [(1.0, True), (-1.0, True), (0.0, False)]
    assert "rules=grader_math_dapo_answer@1" in grades[0].fingerprint
    with hv.Verifier(grader="math_dapo_answer", reward={"correct": 2.0}) as verifier:
        assert [grade.score for grade in verifier.grade(samples[:2])] == [2.0, 0.0]


def test_a_setting_and_a_keyword_say_the_same() -> None:
    settings = {"grader": "hendrycks", "cache": None}
    with hv.Verifier.from_config(settings) as one, hv.Verifier(grader="hendrycks") as other:
        assert one.fingerprint() == other.fingerprint()


def test_a_route_may_move_to_a_grader_alone() -> None:
    routes = {"openai/gsm8k": {"grader": "gsm8k_strict"}}
    with hv.Verifier(routes=routes) as verifier:
        grades = verifier.grade(
            [hv.Sample(r"\boxed{5}", "5", data_source=source) for source in ("openai/gsm8k", "")]
        )
    assert [grade.score for grade in grades] == [0.0, 1.0]


def test_tinyvs_routes_ask_the_judge_where_its_reward_function_does() -> None:
    judge = ScriptedJudge(True)
    rows = [
        (r"\boxed{7}", "math_tinyv"),  # the rule says yes
        (r"\boxed{8}", "math_tinyv"),  # it says no: asked
        (r"\boxed{8}", "math"),  # no suffix: never asked
        ("#### 8", "openai/gsm8k"),
    ]
    samples = [
        hv.Sample(response, "8" if "gsm8k" in source else "7", data_source=source)
        for response, source in rows
    ]
    asked = {
        "tinyv_addon": [False, True, False, False],
        "tinyv_mixed": [True, True, False, False],
        "tinyv_only": [True, True, False, False],
    }
    for name, wanted in asked.items():
        with hv.Verifier(grader=name, judges=[judge]) as verifier:
            grades = verifier.grade(samples)
        assert [grade.judge_asked for grade in grades] == wanted
        assert [grade.score for grade in grades] == [1.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"grader": "math_verif"}, "grader: no grader 'math_verif'; did you mean 'math_verify'?"),
        ({"grader": "hendrycks", "rules": ["exact"]}, "grader and rules: give one"),
        ({"routes": {"a": {"grader": "hendryck"}}}, "routes.a.grader: no grader 'hendryck'"),
        ({"routes": {"a": {"grader": "hendrycks", "rules": "exact"}}}, "routes.a.grader and routes.a.rules"),
        ({"routes": {"a": {"grader": "tinyv_only"}}}, "name it at the top"),
        ({"grader": "tinyv_addon"}, "policy addon asks a judge, and none is configured"),
        ({"grader": ["hendrycks"]}, "grader"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(settings: dict[str, Any], told: str) -> None:
    for make in (hv.Verifier.from_config, lambda given: hv.Verifier(**given)):
        with pytest.raises(ConfigError) as fault:
            make(settings)
        assert told in str(fault.value)
        assert "\n" not in str(fault.value)


def test_math_verify_is_called_in_a_worker_in_both_forms() -> None:
    samples = [
        hv.Sample(r"so \boxed{\frac{2}{4}}", "1/2"),
        hv.Sample("so it is 0.5", r"$\frac{1}{2}$"),
        hv.Sample(r"\boxed{3}", "4"),
        hv.Sample("nothing", "4"),
    ]
    for name in ("math_verify", "math_verify_verl"):
        with hv.Verifier(grader=name) as verifier:
            grades = verifier.grade(samples)
            assert verifier.stats["rules"]["isolated"] == len(samples)
        assert [grade.score for grade in grades] == [1.0, 1.0, 0.0, 0.0]
        assert all(math.isfinite(grade.score) and grade.graded for grade in grades)


def test_without_verl_its_graders_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "file_of", lambda grader: None)
    for name in ("gsm8k_strict", "gsm8k_flexible", "hendrycks", "math_dapo"):
        assert not load(CHECKERS[f"grader_{name}"])().isolated


def test_a_named_judge_is_asked_in_spite_of_another_systems_no() -> None:
    judge = ScriptedJudge(True)
    with hv.Verifier(grader="hendrycks", judges=[judge], policy=asking_policy("hendrycks")) as verifier:
        grades = verifier.grade([hv.Sample(r"\boxed{8}", "7"), hv.Sample(r"\boxed{7}", "7")])
    assert [grade.judge_asked for grade in grades] == [True, False]
