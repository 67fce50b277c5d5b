"""A cascade: judges in order, each asked only about what those before it left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import hybridverify as hv
from hybridverify.agreement import agreement
from hybridverify.agreement.cases import Collector
from hybridverify.agreement.rows import LabelledRow
from hybridverify.errors import ConfigError
from hybridverify.policies.panel import CASCADE, Panel
from hybridverify.testing import ScriptedJudge

NAMES = ("Ada Holm", "Ivo Brandt", "Ruth Vale", "Per Lund")
UNSURE: dict[str, Any] = {"score": "p_yes", "abstain": (0.2, 0.8)}


def sample(name: str) -> hv.Sample:
    return hv.Sample(rf"\boxed{{the engineer {name}}}", f"{name}, who was an engineer", "Who built it?")


def by_answer(table: Mapping[str, Any], **settings: Any) -> ScriptedJudge:
    said = {f"the engineer {name}": reply for name, reply in table.items()}
    return ScriptedJudge(lambda _question, _reference, answer: said[answer], **settings)


def judges() -> tuple[ScriptedJudge, ScriptedJudge]:
    first = by_answer({NAMES[0]: 0.9, NAMES[1]: 0.5, NAMES[2]: 0.5, NAMES[3]: 0.1}, name="first", **UNSURE)
    second = by_answer({NAMES[1]: True, NAMES[2]: False}, name="second")
    return first, second


def graded(made: Sequence[Any], cascade: Sequence[str], policy: str = "addon") -> list[hv.Grade]:
    with hv.Verifier(judges=made, cascade=cascade, policy=policy) as verifier:
        return verifier.grade([sample(name) for name in NAMES])


def test_the_next_judge_is_asked_only_about_what_is_left_open() -> None:
    first, second = judges()
    grades = graded([second, first], ["first", "second"])
    assert [grade.score for grade in grades] == [0.9, 1.0, 0.0, 0.1]
    assert [asked[2] for asked in second.asked] == [f"the engineer {name}" for name in NAMES[1:3]]
    assert [grade.judge.source for grade in grades] == [
        f"judge:{n}" for n in ("first", "second", "second", "first")
    ]


def test_who_was_not_asked_is_seen_in_the_votes() -> None:
    grades = graded(judges(), ["first", "second"])
    assert [grade.votes[1].outcome for grade in grades] == [
        hv.Outcome.SKIPPED,
        hv.Outcome.CORRECT,
        hv.Outcome.INCORRECT,
        hv.Outcome.SKIPPED,
    ]


@pytest.mark.parametrize("policy", ["addon", "judge_only", "mixed"])
def test_any_policy_takes_the_verdict_of_a_cascade(policy: str) -> None:
    grades = graded(judges(), ["first", "second"], policy)
    assert [grade.judge.outcome for grade in grades][1:3] == [hv.Outcome.CORRECT, hv.Outcome.INCORRECT]


def test_an_engine_that_failed_hands_no_row_on() -> None:
    down = ScriptedJudge(hv.Outcome.FAILED, name="first")
    second = ScriptedJudge(True, name="second")
    grades = graded([down, second], ["first", "second"])
    assert {grade.judge.outcome for grade in grades} == {hv.Outcome.FAILED}
    assert second.asked == []


def test_the_last_judge_may_leave_a_row_open() -> None:
    made = [ScriptedJudge(0.5, name=name, **UNSURE) for name in ("first", "second")]
    grades = graded(made, ["first", "second"])
    assert {(grade.judge.outcome, grade.judge.source, grade.graded) for grade in grades} == {
        (hv.Outcome.UNDECIDED, "judge:second", False)
    }


def test_a_panel_may_be_told_to_ask_in_order() -> None:
    first, second = judges()
    with hv.Verifier(judges=[first, second], policy="addon", panel={"combine": "cascade"}) as verifier:
        assert [grade.score for grade in verifier.grade([sample(name) for name in NAMES])] == [
            0.9,
            1.0,
            0.0,
            0.1,
        ]
    assert Panel(CASCADE).decide([], []).outcome is hv.Outcome.SKIPPED


def test_order_enters_the_fingerprint() -> None:
    prints = set()
    for order in (["first", "second"], ["second", "first"]):
        with hv.Verifier(judges=judges(), cascade=order, policy="addon") as verifier:
            prints.add(verifier.fingerprint())
    assert len(prints) == 2


def test_agree_shows_what_each_step_adds() -> None:
    first, second = judges()
    rows = [
        LabelledRow(sample(name), label)
        for name, label in zip(NAMES, (True, True, False, False), strict=True)
    ]
    settings = {"policy": "addon", "judges": [first, second], "cascade": ["first", "second"], "cache": None}
    with Collector.of(settings) as collector:
        found = agreement(list(collector.collect(rows)), collector.setup, collector.stats["judge"])
    steps = {name: member for name, member in found.members().items() if name.startswith("up to")}
    assert list(steps) == ["up to judge first", "up to judge second"]
    assert [member.rescues.right for member in steps.values()] == [1, 2]
    assert [member.whole.undecided for member in steps.values()] == [2, 0]


@pytest.mark.parametrize(
    ("cascade", "said"),
    [
        (["first"], "second"),
        (["first", "secnd"], "second"),
        (["first", "second", "second"], "twice"),
        ("first", "list"),
    ],
)
def test_faults_of_a_cascade_are_named(cascade: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        hv.Verifier(judges=judges(), cascade=cascade, policy="addon")


def test_a_cascade_takes_no_vote() -> None:
    with pytest.raises(ConfigError, match="panel"):
        hv.Verifier(judges=judges(), cascade=["first", "second"], panel={"combine": "any"}, policy="addon")


def test_names_have_to_differ() -> None:
    made = [ScriptedJudge(True, name="same"), ScriptedJudge(True, name="same")]
    with pytest.raises(ConfigError, match="named 'same'"):
        hv.Verifier(judges=made, cascade=["same", "same"], policy="addon")
