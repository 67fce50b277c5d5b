"""The batch flow: gates, policies, grades, routes, streaming, statistics."""

from __future__ import annotations

import asyncio
import json
import math
import pickle
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import hybridverify as hv
from hybridverify.cache import MemoryCache
from hybridverify.errors import ConfigError, Fault, HybridVerifyError, JudgeError, JudgeUnavailable
from hybridverify.judges.base import Failure
from hybridverify.testing import ScriptedJudge
from hybridverify.types import GRADE_KEYS, Outcome, Verdict

RIGHT, WRONG = hv.Sample("#### 12", "12"), hv.Sample("#### 13", "12")
UNSURE = hv.Sample("He was born in the town of Ulm.", "Ulm", "Where was he born?")
EMPTY, NO_REFERENCE = hv.Sample("", "12"), hv.Sample("#### 12", "")


def outcomes(grades: list[hv.Grade]) -> list[str]:
    return [grade.outcome.value for grade in grades]


def test_grades_keep_length_and_order() -> None:
    samples = [RIGHT, WRONG, UNSURE, EMPTY, NO_REFERENCE] * 7
    with hv.Verifier() as verifier:
        grades = verifier.grade(iter(samples))
    assert outcomes(grades) == ["correct", "incorrect", "undecided", "incorrect", "bad_reference"] * 7
    assert [grade.graded for grade in grades[:5]] == [True, True, True, True, False]


@pytest.mark.parametrize("policy", ["rule_only", "addon", "mixed", "judge_only", "veto", "sum"])
def test_content_gate_holds_under_every_policy(policy: str) -> None:
    judge = ScriptedJudge(True)
    texts = ["", "  \u200b ", "...", "Solution:", "N/A", r"\boxed{}"]
    with hv.Verifier(policy=policy, judges=[judge]) as verifier:
        grades = verifier.grade([hv.Sample(text, "12") for text in texts])
        asked = verifier.stats["judge"]["asked"]
    assert [(g.score, g.graded, g.outcome, g.judge.outcome) for g in grades] == [
        (0.0, True, Outcome.INCORRECT, Outcome.SKIPPED)
    ] * len(texts)
    assert judge.prompts == []
    assert asked == 0


def test_addon_asks_exactly_what_is_neither_accepted_nor_gated_nor_a_repeat() -> None:
    judge = ScriptedJudge(True)
    samples = [RIGHT, WRONG, UNSURE, UNSURE, EMPTY, NO_REFERENCE, hv.Sample("In Ulm, I think.", "Ulm")]
    with hv.Verifier(policy="addon", judges=[judge]) as verifier:
        grades = verifier.grade(samples)
        stats = verifier.stats["judge"]
    assert [g.judge_asked for g in grades] == [False, False, True, True, False, False, True]
    assert [g.score for g in grades] == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    assert len(judge.prompts) == 2
    assert (stats["asked"], stats["called"], stats["deduplicated"], stats["gated"]) == (3, 2, 1, 2)


def test_without_trust_every_rule_failure_is_judged() -> None:
    judge = ScriptedJudge(True)
    policy = {"name": "addon", "judge_weight": 0.5, "trust_reject": False}
    with hv.Verifier(policy=policy, judges=[judge]) as verifier:
        assert [g.score for g in verifier.grade([RIGHT, WRONG, UNSURE])] == [1.0, 0.5, 0.5]
    assert len(judge.prompts) == 2


@pytest.mark.parametrize(
    ("policy", "scores", "asked"),
    [
        ("rule_only", [1.0, 0.0, 0.0], 0),
        ("addon", [1.0, 0.0, 1.0], 1),
        ("mixed", [1.0, 0.5, 0.5], 3),
        ("judge_only", [1.0, 1.0, 1.0], 3),
        ("tinyv_only", [1.0, 1.0, 1.0], 3),
        ("veto", [1.0, 0.0, 0.0], 1),
        ("sum", [2.0, 1.0, 1.0], 3),
    ],
)
def test_policies_end_to_end_on_a_judge_that_always_agrees(
    policy: str, scores: list[float], asked: int
) -> None:
    judge = ScriptedJudge(True)
    with hv.Verifier(policy=policy, judges=[judge]) as verifier:
        assert [g.score for g in verifier.grade([RIGHT, WRONG, UNSURE])] == scores
    assert len(judge.prompts) == asked


@pytest.mark.parametrize(("name", "score"), [("tinyv_only", 1.0), ("judge_only", 0.5)])
def test_a_grade_and_its_fingerprint_name_the_policy_that_was_asked_for(name: str, score: float) -> None:
    policy = {"name": name, "judge_weight": 0.5}
    with hv.Verifier(policy=policy, judges=[ScriptedJudge(True)]) as verifier:
        (grade,) = verifier.grade([UNSURE])
    assert (grade.score, grade.policy) == (score, name)
    assert f"policy={name}" in grade.fingerprint


@pytest.mark.parametrize(
    ("setting", "graded", "score"), [("mask", False, 0.0), ("zero", True, 0.0), ("neutral", True, 0.5)]
)
@pytest.mark.parametrize("failure", [Outcome.FAILED, Outcome.TIMED_OUT, Outcome.TOO_LONG])
def test_a_failed_judge_is_neither_wrong_nor_right(
    failure: Outcome, setting: str, graded: bool, score: float
) -> None:
    with hv.Verifier(policy="addon", judges=[ScriptedJudge(failure)], on_judge_error=setting) as verifier:
        (grade,) = verifier.grade([UNSURE])
    assert (grade.graded, grade.score, grade.outcome, grade.judge.outcome) == (
        graded,
        score,
        failure,
        failure,
    )


def test_raise_ends_the_batch_on_request() -> None:
    with (
        hv.Verifier(
            policy="addon", judges=[ScriptedJudge(Outcome.FAILED)], on_judge_error="raise"
        ) as verifier,
        pytest.raises(JudgeError),
    ):
        verifier.grade([UNSURE])


def test_rule_score_runs_rules_even_where_the_policy_does_not() -> None:
    judge = ScriptedJudge(Outcome.FAILED)
    with hv.Verifier(policy="judge_only", judges=[judge], on_judge_error="rule_score") as verifier:
        assert [(g.score, g.graded) for g in verifier.grade([RIGHT, WRONG])] == [(1.0, True), (0.0, True)]


def test_verdicts_are_cached_and_a_new_policy_asks_nothing_again() -> None:
    cache, judge = MemoryCache(), ScriptedJudge(True)
    with hv.Verifier(policy="addon", judges=[judge], cache=cache) as verifier:
        first = verifier.grade([RIGHT, UNSURE])
    with hv.Verifier(policy={"name": "addon", "judge_weight": 0.25}, judges=[judge], cache=cache) as verifier:
        second = verifier.grade([RIGHT, UNSURE])
        assert verifier.stats["judge"]["cached"] == 1
    assert len(judge.prompts) == 1
    assert [g.score for g in (*first, *second)] == [1.0, 1.0, 1.0, 0.25]
    assert second[1].judge.cached
    assert second[1].judge_asked


def test_failures_are_asked_again() -> None:
    cache = MemoryCache()
    for reply, graded in ((Outcome.FAILED, False), (True, True)):
        with hv.Verifier(policy="addon", judges=[ScriptedJudge(reply)], cache=cache) as verifier:
            assert verifier.grade([UNSURE])[0].graded is graded


def test_panel_votes_are_kept_and_combined() -> None:
    judges = [ScriptedJudge(True, name="a"), ScriptedJudge(False, name="b"), ScriptedJudge(True, name="c")]
    with hv.Verifier(policy="addon", judges=judges) as verifier:
        (grade,) = verifier.grade([UNSURE])
    assert [vote.score for vote in grade.votes] == [1.0, 0.0, 1.0]
    assert (grade.score, grade.judge.source) == (1.0, "panel:majority")


def test_sum_folds_a_list_from_the_rule_term() -> None:
    judges = [ScriptedJudge(True, name="a", weight=0.3), ScriptedJudge(True, name="b", weight=0.5)]
    for combine, right, wrong in ((["add", "add"], 1.8, 0.8), (["add", "mul"], 0.65, 0.15)):
        with hv.Verifier(policy="sum", judges=judges, panel={"combine": combine}) as verifier:
            assert [g.score for g in verifier.grade([RIGHT, WRONG])] == pytest.approx([right, wrong])


def test_routes_choose_rules_policy_and_form() -> None:
    judge = ScriptedJudge(True)
    routes: dict[str, Any] = {
        "OpenAI/GSM8K": {"rules": ["gsm8k"], "form": "hash"},
        "*_tinyv": {"policy": {"name": "addon", "trust_reject": False}},
        "*": {"policy": "judge_only"},
    }
    samples = [
        hv.Sample("no mark at all, so what", "12", data_source=" openai/gsm8k "),
        hv.Sample("#### 13", "12", data_source="math_tinyv"),
        hv.Sample("#### 13", "12", data_source="other"),
    ]
    with hv.Verifier(judges=[judge], routes=routes) as verifier:
        grades = verifier.grade(samples)
    assert [(g.score, g.policy, g.judge_asked) for g in grades] == [
        (0.0, "rule_only", False),
        (1.0, "addon", True),
        (1.0, "judge_only", True),
    ]
    assert grades[0].rule.outcome is Outcome.INCORRECT


def test_an_unknown_source_is_refused_on_request_with_the_routes() -> None:
    with (
        hv.Verifier(routes={"a": {}, "b*": {}}, unknown_source="error") as verifier,
        pytest.raises(HybridVerifyError, match=r"'c' has no route; routes: a, b\*"),
    ):
        verifier.grade([hv.Sample("1", "1", data_source="c")])


def test_grade_iter_streams_in_order_and_constant_memory() -> None:
    drawn = 0

    def endless() -> Iterator[hv.Sample]:
        nonlocal drawn
        while True:
            drawn += 1
            yield hv.Sample(f"#### {drawn}", str(drawn - drawn % 2))

    with hv.Verifier() as verifier:
        grades = verifier.grade_iter(endless(), chunk_size=8)
        scores = [next(grades).score for _ in range(20)]
        grades.close()
    assert scores == [0.0, 1.0] * 10
    assert drawn <= 40


def test_grade_iter_of_nothing_is_nothing() -> None:
    with hv.Verifier() as verifier:
        assert list(verifier.grade_iter([])) == []
        assert verifier.grade([]) == []


def test_async_grades_equal_sync_ones() -> None:
    async def many(verifier: hv.Verifier) -> list[list[hv.Grade]]:
        return await asyncio.gather(*(verifier.agrade([RIGHT, WRONG, UNSURE]) for _ in range(20)))

    with hv.Verifier() as verifier:
        results = asyncio.run(many(verifier))
        expected = [g.to_dict() for g in verifier.grade([RIGHT, WRONG, UNSURE])]
    assert all([g.to_dict() for g in grades] == expected for grades in results)


def test_many_threads_get_the_verdicts_of_the_main_thread() -> None:
    samples = [hv.Sample(rf"\boxed{{\frac{{{n}}}{{6}}}}", f"{n}/6") for n in range(30)]
    with hv.Verifier() as verifier:
        expected = [g.to_dict() for g in verifier.grade(samples)]
        results: list[Any] = [None] * 8

        def work(slot: int) -> None:
            results[slot] = [g.to_dict() for g in verifier.grade(samples)]

        threads = [threading.Thread(target=work, args=(slot,)) for slot in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [expected] * 8
    assert {g["outcome"] for g in expected} == {"correct"}


def test_to_dict_has_one_json_ready_key_set_on_every_path() -> None:
    with hv.Verifier(policy="addon", judges=[ScriptedJudge(Outcome.FAILED)]) as verifier:
        dicts = [g.to_dict() for g in verifier.grade([RIGHT, WRONG, UNSURE, EMPTY, NO_REFERENCE])]
    assert {tuple(d) for d in dicts} == {GRADE_KEYS}
    assert all(math.isfinite(d["score"]) for d in dicts if isinstance(d["score"], float))
    assert json.loads(json.dumps(dicts)) == dicts


def test_reward_maps_graded_rows_only() -> None:
    with hv.Verifier(reward={"correct": 1.0, "incorrect": -1.0}) as verifier:
        assert [g.score for g in verifier.grade([RIGHT, WRONG, UNSURE, NO_REFERENCE])] == [
            1.0,
            -1.0,
            -1.0,
            0.0,
        ]


def test_max_calls_bounds_what_is_spent() -> None:
    judge = ScriptedJudge(True)
    samples = [hv.Sample(f"It was in {town}.", "Ulm") for town in ("Bonn", "Trier", "Mainz")]
    with hv.Verifier(policy="addon", judges=[judge], max_calls=2) as verifier:
        grades = verifier.grade(samples)
    assert len(judge.prompts) == 2
    assert [g.graded for g in grades] == [True, True, False]
    assert "max_calls (2)" in grades[2].judge.reason


def test_second_attempts_after_unreadable_replies_count_against_max_calls() -> None:
    samples = [hv.Sample(f"It was in {town}.", "Ulm") for town in ("Bonn", "Trier", "Mainz")]
    for most, sent in ((3, 3), (4, 4), (6, 6), (0, 6)):
        judge = ScriptedJudge("a reply that holds no label")
        with hv.Verifier(policy="addon", judges=[judge], max_calls=most) as verifier:
            grades = verifier.grade(samples)
            more = verifier.grade([hv.Sample("It was in Linz.", "Ulm")])
        assert len(judge.prompts) == sent + 2 * (most == 0)
        assert [g.judge.outcome for g in grades] == [Outcome.UNPARSEABLE] * 3
        assert more[0].judge.outcome is (Outcome.FAILED if most else Outcome.UNPARSEABLE)


def test_extra_passes_of_guards_count_against_max_calls() -> None:
    judge = ScriptedJudge(True)
    guards = {"swap_check": True, "canary": 1.0}
    with hv.Verifier(policy="addon", judges=[judge], max_calls=2, guards=guards) as verifier:
        (grade,) = verifier.grade([hv.Sample("It was in Bonn.", "Ulm")])
    assert len(judge.prompts) == 2
    assert [(check.source, check.outcome) for check in grade.checks] == [
        ("swap:scripted", Outcome.CORRECT),
        ("canary:scripted", Outcome.FAILED),
    ]


def half(sample: hv.Sample) -> float:
    """A rule of a user."""
    return 0.5


def explode(sample: hv.Sample) -> float:
    """A faulty rule of a user."""
    raise KeyError("secret text of the sample")


def test_users_functions_are_rules() -> None:
    with hv.Verifier(rules=[half]) as verifier:
        (grade,) = verifier.grade([RIGHT])
    assert (grade.score, grade.outcome, grade.rule.source) == (0.5, Outcome.PARTIAL, "rule:half")
    with hv.Verifier(rules=[explode]) as verifier:
        (grade,) = verifier.grade([RIGHT])
    assert (grade.graded, grade.outcome) == (False, Outcome.FAILED)
    assert grade.rule.reason == "KeyError in the checker"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "yes", b"1"])
def test_a_users_rule_that_returns_no_number_failed(value: Any) -> None:
    with hv.Verifier(rules=[lambda sample: value]) as verifier:
        (grade,) = verifier.grade([RIGHT])
    assert (grade.graded, grade.outcome) == (False, Outcome.FAILED)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": ["gsm8"]}, "did you mean 'gsm8k'"),
        ({"rules": ["no_such_module:rule"]}, "cannot import 'no_such_module'"),
        ({"rules": ["math:sqroot"]}, "did you mean 'sqrt'"),
        ({"rules": 7}, "expected"),
        ({"policy": "addon"}, "none is configured"),
        ({"policy": "adon"}, "did you mean 'addon'"),
        ({"routes": {"a": {"rule": []}}}, "did you mean 'rules'"),
        ({"routes": {"a": {"form": "box"}}}, "did you mean 'boxed'"),
        ({"routes": {"a": {"policy": "mixed"}}}, "none is configured"),
        ({"conventions": {"roundin": "none"}}, "did you mean 'rounding'"),
        ({"conventions": {"rounding": "yes"}}, "not one of"),
        ({"reward": {"corect": 1}}, "did you mean 'correct'"),
        ({"workers": 0}, "from 1"),
        ({"rule_deadline_s": 0}, "above 0"),
        ({"thinking_tags": "<think>"}, "two texts"),
        ({"cache": 7}, "cache: expected"),
        ({"unknown_source": "ignore"}, "unknown_source"),
        (
            {"judges": [{"preset": "tinyvv", "backend": {"name": "scripted", "replies": ["True"]}}]},
            "did you mean",
        ),
        ({"judges": [{"preset": "tinyv", "backend": {"name": "opnai"}}]}, "did you mean 'openai'"),
        ({"judges": [{"preset": "tinyv"}]}, "backend"),
        ({"judges": [{"prest": "tinyv", "backend": "scripted"}]}, "did you mean 'preset'"),
        ({"judges": "tinyv"}, "a list of judges"),
    ],
)
def test_faults_of_configuration_are_told_when_the_verifier_is_made(arguments: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        hv.Verifier(**arguments)
    assert "\n" not in str(caught.value)


def test_a_verifier_pickles_with_its_settings() -> None:
    with hv.Verifier(reward={"correct": 2.0}) as verifier:
        copy = pickle.loads(pickle.dumps(verifier))  # noqa: S301
    assert [g.score for g in copy.grade([RIGHT])] == [2.0]
    copy.close()


def test_explain_shows_every_tier_and_the_grade() -> None:
    with hv.Verifier(policy="addon", judges=[ScriptedJudge(True)]) as verifier:
        explanation = verifier.explain(UNSURE)
    tiers = [step.tier for step in explanation.steps]
    assert tiers[0] == "extract"
    assert {"rule:exact", "rule:gsm8k", "rule:sympy"} <= set(tiers)
    assert tiers[-1].startswith("judge:")
    assert explanation.grade.score == 1.0


def test_numbers_and_arrays_are_references_and_none_is_no_reference() -> None:
    import numpy

    samples = [
        hv.Sample("#### 4", 4),  # type: ignore[arg-type]
        hv.Sample("#### 4", numpy.array(["4", "four"], dtype=object)),  # type: ignore[arg-type]
        hv.Sample("#### 4", ["5", "4"]),
        hv.Sample("#### 4", None),  # type: ignore[arg-type]
    ]
    with hv.Verifier() as verifier:
        assert outcomes(verifier.grade(samples)) == ["correct", "correct", "correct", "bad_reference"]
    with pytest.raises(HybridVerifyError, match="reference must be text"):
        hv.Sample("4", {"a": 1})  # type: ignore[arg-type]


def test_progress_bar_does_not_change_the_grades(capsys: pytest.CaptureFixture[str]) -> None:
    with hv.Verifier() as verifier:
        assert outcomes(verifier.grade([RIGHT, WRONG], progress=True)) == ["correct", "incorrect"]


class DarkBackend(ScriptedJudge):
    """A judge whose engine answers the first row and then is known to be down."""

    def __init__(self) -> None:
        super().__init__([True, Outcome.FAILED])
        self.backend.outage = "no server answers"  # type: ignore[attr-defined]


def test_an_outage_stops_a_batch_only_on_request_and_keeps_what_was_answered() -> None:
    samples = [hv.Sample("a town on the river", "Ulm"), hv.Sample("a town on a lake", "Ulm")]
    with hv.Verifier(policy="addon", judges=[DarkBackend()]) as verifier:
        assert [g.graded for g in verifier.grade(samples)] == [True, False]
    cache = MemoryCache()
    with (
        hv.Verifier(policy="addon", judges=[DarkBackend()], cache=cache, stop_on_outage=True) as verifier,
        pytest.raises(JudgeUnavailable, match="no server answers"),
    ):
        verifier.grade(samples)
    judge = ScriptedJudge(False)
    with hv.Verifier(policy="addon", judges=[judge], cache=cache) as verifier:
        assert [g.score for g in verifier.grade(samples)] == [1.0, 0.0]
    assert len(judge.prompts) == 1


@pytest.mark.parametrize("strict", [False, True])
def test_an_engine_that_refuses_everybody_from_the_start_has_the_wrong_settings(strict: bool) -> None:
    refusal = Failure(Outcome.FAILED, "no such model", Fault.SETTINGS)
    with hv.Verifier(policy="addon", judges=[ScriptedJudge(refusal)], stop_on_outage=strict) as verifier:
        if strict:
            with pytest.raises(JudgeUnavailable, match="judge scripted: no such model") as caught:
                verifier.grade([UNSURE])
            assert caught.value.fault is Fault.SETTINGS
        else:
            (grade,) = verifier.grade([UNSURE])
            assert (grade.graded, grade.outcome, grade.judge.fault) == (False, Outcome.FAILED, Fault.SETTINGS)


def test_a_refusal_by_an_engine_that_has_answered_before_is_an_outage() -> None:
    judge = ScriptedJudge([True, Failure(Outcome.FAILED, "no such path", Fault.SETTINGS)])
    samples = [hv.Sample("a town on the river", "Ulm"), hv.Sample("a town on a lake", "Ulm")]
    with hv.Verifier(policy="addon", judges=[judge], stop_on_outage=True) as verifier:
        first, second = verifier.grade(samples)
    assert first.graded
    assert (second.judge.outcome, second.judge.fault) == (Outcome.FAILED, Fault.ENGINE)


def test_what_stands_in_for_a_question_is_the_row_s_own_fault_whoever_wrote_the_judge() -> None:
    class Own(ScriptedJudge):
        def prepare(self, subjects: Any) -> Any:
            return [Verdict(Outcome.FAILED, reason="the row lacks a field") for _ in subjects]

    with hv.Verifier(policy="addon", judges=[Own(True)]) as verifier:
        (grade,) = verifier.grade([UNSURE])
    assert (grade.judge.outcome, grade.judge.fault, grade.judge.silent) == (Outcome.FAILED, Fault.ROW, False)


class SlicedJudge(ScriptedJudge):
    """A judge whose engine answers piece by piece and dies after the first piece."""

    def __init__(self) -> None:
        super().__init__(True)
        self.backend.slice_size = 2  # type: ignore[attr-defined]


def test_what_is_answered_is_kept_even_where_a_later_slice_dies() -> None:
    class Dies(SlicedJudge):
        def decide(self, requests: Any) -> Any:
            if any("lake" in str(request.prompt) for request in requests):
                raise JudgeUnavailable("gone")
            return super().decide(requests)

    towns = [hv.Sample(f"a town called {name}", "Ulm") for name in ("one", "two", "three", "lake")]
    cache = MemoryCache()
    with (
        hv.Verifier(policy="addon", judges=[Dies()], cache=cache) as verifier,
        pytest.raises(JudgeUnavailable),
    ):
        verifier.grade(towns)
    again = SlicedJudge()
    with hv.Verifier(policy="addon", judges=[again], cache=cache) as verifier:
        assert [g.score for g in verifier.grade(towns)] == [1.0] * 4
    assert len(again.prompts) == 2


@pytest.mark.parametrize("concurrent", [True, False])
def test_slices_of_a_judge_that_takes_one_call_at_a_time_are_asked_in_turn(concurrent: bool) -> None:
    asked_in: list[str] = []

    class Notes(SlicedJudge):
        def decide(self, requests: Any) -> Any:
            asked_in.append(threading.current_thread().name)
            return super().decide(requests)

    judge = Notes()
    judge.concurrent = concurrent
    towns = [hv.Sample(f"a town called {name}", "Ulm") for name in ("one", "two", "three", "four")]
    with hv.Verifier(policy="addon", judges=[judge]) as verifier:
        assert [g.score for g in verifier.grade(towns)] == [1.0] * 4
    own = threading.current_thread().name
    assert [name == own for name in asked_in] == [not concurrent] * 2


def test_the_fingerprint_is_told_without_grading() -> None:
    with hv.Verifier(routes={"a": {"policy": {"name": "rule_only"}, "rules": ["exact"]}}) as verifier:
        (grade,) = verifier.grade([hv.Sample("1", "1", data_source="a")])
        assert verifier.fingerprint("a") == grade.fingerprint != verifier.fingerprint("b")


@dataclass(frozen=True)
class Peeks:
    """An isolated, cached checker that declares one key and looks at everything it gets."""

    name: ClassVar[str] = "peeks"
    version: ClassVar[int] = 1
    isolated: ClassVar[bool] = True
    meta_keys: ClassVar[tuple[str, ...]] = ("level",)

    def check(self, sample: hv.Sample) -> hv.Verdict:
        return hv.Verdict(Outcome.CORRECT, 1.0, "rule:peeks", f"{sorted(sample.meta)} {sample.data_source}")


def test_a_cached_checker_sees_only_what_is_hashed() -> None:
    cache = MemoryCache()
    meta = {"level": 2, "volatile": object()}
    with hv.Verifier(rules=[Peeks()], cache=cache) as verifier:
        first, second = verifier.grade(
            [hv.Sample("a", "b", "", source, {**meta, "row": source}) for source in ("x", "y")]
        )
        assert verifier.stats["rules"]["isolated"] == 1
    assert first.rule.answer == second.rule.answer == "['level'] "
