"""Whose fault it is: a row's, the settings' or the engine's silence. Only the last is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hybridverify.adapters.grader import Grader
from hybridverify.adapters.options import parse_options
from hybridverify.adapters.reward_function import compute_score, compute_score_async, compute_score_batch

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.scripted import ScriptedBackend
from hybridverify.judges.base import Failure, Judge
from hybridverify.judges.embedded.judge import EmbeddedJudge
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Grade, Outcome, Sample
from tests.judges import server as faults
from tests.judges.server import Behaviour, JudgeServer

pytestmark = pytest.mark.load

ALONE: dict[str, Any] = {"policy": "judge_only", "cache": None, "outage_wait_s": 4}
NOT_WAITED = "asking again"


def graded(judges: Sequence[Judge], samples: Sequence[Sample], **options: Any) -> list[Grade]:
    """One batch through a grader of its own."""
    grader = Grader(parse_options({**ALONE, "judges": list(judges), **options}))
    try:
        return grader.grade(samples)
    finally:
        grader.close()


def towns(count: int) -> list[Sample]:
    return [Sample(f"It is the town of number {n}.", "Ulm", "Where?") for n in range(count)]


# ---- a row's own


def rubric(replies: Any = "Total Score: 8/10") -> tuple[LLMJudge, ScriptedBackend]:
    backend = ScriptedBackend(replies)
    return LLMJudge("rubric", backend), backend


def test_a_row_without_criteria_fails_alone_and_nobody_waits(caplog: pytest.LogCaptureFixture) -> None:
    judge, backend = rubric()
    extras = [{"criteria": "be clear"}, {}, {"criteria": "be brief"}]
    texts = [f"The answer is number {n}" for n in range(3)]
    results = compute_score_batch(["s"] * 3, texts, [""] * 3, extras, judges=[judge], **ALONE)
    assert [result["hv_status"] for result in results] == ["partial", "failed", "partial"]
    assert [result["hv_graded"] for result in results] == [1, 0, 1]
    assert [result["score"] for result in results] == [0.8, 0.0, 0.8]
    assert backend.batch_sizes == [2]
    assert NOT_WAITED not in caplog.text


@pytest.mark.parametrize("awaited", [False, True])
def test_a_lone_row_without_criteria_neither_waits_nor_stops_the_run(awaited: bool) -> None:
    judge, backend = rubric()
    options = {"judges": [judge], **ALONE, "outage_wait_s": 0}
    row = ("s", "The answer is this", "", {"prompt": "no criteria"})
    result = asyncio.run(compute_score_async(*row, **options)) if awaited else compute_score(*row, **options)
    assert result["hv_status"] == "failed"
    assert backend.batch_sizes == []


def raising_postprocess(results: list[str]) -> list[float]:
    return [1.0 / (float(result) - 5.0) for result in results]


def test_a_postprocess_that_raises_on_one_row_costs_no_other_row_and_no_second_question(
    caplog: pytest.LogCaptureFixture,
) -> None:
    backend = ScriptedBackend([str(n) for n in range(3, 11)])
    judge = LLMJudge("tinyv", backend, hooks={"postprocess": raising_postprocess})
    grades = graded([judge], towns(8))
    assert [grade.graded for grade in grades] == [True, True, False, *[True] * 5]
    assert [grade.score for grade in grades] == [-0.5, -1.0, 0.0, 1.0, 0.5, 1 / 3, 0.25, 0.2]
    assert grades[2].judge.outcome is Outcome.FAILED
    assert grades[2].judge.reason == "postprocess raised ZeroDivisionError"
    assert backend.batch_sizes == [8]
    assert NOT_WAITED not in caplog.text


def raising_preprocess(text_prompts: list[str], text_responses: list[str], tgt_tokenizer: Any) -> list[str]:
    return [
        f"{prompt} {response.split('number ')[1]}"
        for prompt, response in zip(text_prompts, text_responses, strict=True)
    ]


def test_a_preprocess_that_raises_on_one_row_costs_no_other_row() -> None:
    backend = ScriptedBackend("True")
    judge = LLMJudge("tinyv", backend, hooks={"preprocess": raising_preprocess})
    samples = towns(4)
    samples[1] = Sample("It is a town without one.", "Ulm", "Where?")
    grades = graded([judge], samples)
    assert [grade.graded for grade in grades] == [True, False, True, True]
    assert grades[1].judge.reason == "preprocess raised IndexError"
    assert backend.batch_sizes == [3]


def test_a_combination_that_raises_on_one_row_asks_nobody_again() -> None:
    def combine(votes: Any, weights: Any) -> float:
        return {2.0: 1.0, 1.0: 0.5}[sum(vote.score for vote in votes)]

    backends = [ScriptedBackend(["True", "False", "False"]), ScriptedBackend(["True", "False", "True"])]
    judges = [LLMJudge("tinyv", backend, name=str(n)) for n, backend in enumerate(backends)]
    grades = graded(judges, towns(3), panel={"combine": combine})
    assert [(grade.graded, grade.score) for grade in grades] == [(True, 1.0), (False, 0.0), (True, 0.5)]
    assert grades[1].judge.reason == "the combination raised KeyError"
    assert [backend.batch_sizes for backend in backends] == [[3], [3]]


def test_rows_that_fail_by_themselves_stop_a_run_only_when_they_are_many() -> None:
    judge, _ = rubric()
    few, many = towns(100), towns(300)
    assert {grade.outcome for grade in graded([judge], few)} == {Outcome.FAILED}
    with pytest.raises(
        JudgeUnavailable, match=r"0 not answered, 0 not readable, 300 by their own fault"
    ) as caught:
        graded([judge], many)
    assert "has no criteria" in str(caught.value)
    assert "server" not in str(caught.value)


def test_rows_of_a_kind_that_a_judge_does_not_take_are_nobodys_fault() -> None:
    """Mathematics that the rules cannot decide, beside a judge for text: no engine was asked, and none is down."""
    sums = [Sample(f"So it is \\boxed{{{n}, and", f"{n} m", "How far?") for n in range(300)]
    grades = graded([EmbeddedJudge()], sums)
    assert {(grade.outcome, grade.graded, grade.judge_asked) for grade in grades} == {
        (Outcome.UNDECIDED, False, False)
    }
    assert "mathematics" in grades[0].judge.reason


def test_a_prompt_that_the_server_refuses_fails_alone() -> None:
    class Poisoned(JudgeServer):
        def _completion(self, asked: Any, behaviour: Behaviour) -> tuple[int, str]:
            if "number 3" in str(asked.prompts()):
                return 400, '{"error": {"message": "invalid character"}}'
            return super()._completion(asked, behaviour)

    with Poisoned() as server:
        results = at(server, 6)
        assert [result["hv_status"] for result in results] == ["correct"] * 3 + ["failed"] + ["correct"] * 2
        assert len(server.asked) == 6


def test_a_silent_engine_beside_a_row_without_criteria_is_waited_for_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    judge, backend = rubric([{"outcome": "failed", "reason": "gone"}, "Total Score: 8/10"])
    samples = towns(2)
    samples[1] = Sample("It is the second town.", "Ulm", meta={"criteria": "be clear"})
    grades = graded([judge], samples)
    assert [grade.graded for grade in grades] == [False, True]
    assert backend.batch_sizes == [1, 1]
    assert caplog.text.count(NOT_WAITED) == 1


def test_what_max_calls_leaves_out_is_no_silence(caplog: pytest.LogCaptureFixture) -> None:
    judge = LLMJudge("tinyv", ScriptedBackend("True"))
    grades = graded([judge], towns(3), max_calls=2)
    assert [grade.graded for grade in grades] == [True, True, False]
    assert NOT_WAITED not in caplog.text


# ---- the settings


def at(server: JudgeServer, rows: int, **options: Any) -> list[dict[str, Any]]:
    texts = [f"It is the town of number {n}." for n in range(rows)]
    given = {"judge": "tinyv", "base_url": server.url, "model": "m", **ALONE, **options}
    return list(compute_score_batch(["s"] * rows, texts, ["Ulm"] * rows, None, **given))


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("another model", {"models": ("other",)}, "does not serve 'm': it has other"),
    (
        "no list, unknown model",
        {"models": None, "always": faults.UNKNOWN_MODEL_404},
        r"judge tinyv: the judge knows neither this model nor this path \(404\)",
    ),
    ("a key that is not ours", {"api_key": "right"}, r"the judge refused the API key \(401\)"),
]


@pytest.mark.parametrize(("kind", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_settings_that_the_server_refuses_are_told_at_once_in_one_line(
    kind: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with JudgeServer(**kind) as server:
        with pytest.raises(JudgeUnavailable, match=message) as caught:
            at(server, 2)
        assert "\n" not in str(caught.value)
        assert caught.value.fault is Fault.SETTINGS
        assert server.models_asked <= 2
        assert len(server.asked) <= 2
    assert NOT_WAITED not in caplog.text


def test_a_row_that_waits_with_others_hears_of_wrong_settings_too() -> None:
    with JudgeServer(models=("other",)) as server:
        given = {"judge": "tinyv", "base_url": server.url, "model": "m", **ALONE}

        async def awaited() -> list[Any]:
            rows = (compute_score_async("s", f"It is town {n}.", "Ulm", **given) for n in range(4))
            return list(await asyncio.gather(*rows, return_exceptions=True))

        assert [type(found) for found in asyncio.run(awaited())] == [JudgeUnavailable] * 4


def test_one_judge_of_a_panel_with_a_wrong_model_stops_the_run_at_once() -> None:
    wrong = Failure(Outcome.FAILED, "no such model", Fault.SETTINGS)
    judges = [
        LLMJudge("tinyv", ScriptedBackend(reply), name=name) for name, reply in (("a", "True"), ("b", wrong))
    ]
    with pytest.raises(JudgeUnavailable, match="judge b: no such model"):
        graded(judges, towns(2))


def test_a_refusal_by_a_judge_that_has_answered_is_an_outage(caplog: pytest.LogCaptureFixture) -> None:
    with JudgeServer(models=None, script=[faults.OK, faults.UNKNOWN_MODEL_404]) as server:
        for n in range(2):
            row = ("s", f"It is the town of number {n}.", "Ulm")
            given = {"judge": "tinyv", "base_url": server.url, "model": "m", **ALONE}
            assert compute_score(*row, **given)["hv_status"] == "correct"
    assert caplog.text.count(NOT_WAITED) == 1


# ---- the engine's silence


@pytest.mark.parametrize("fault", [faults.ERROR_500, faults.CUT, Behaviour(429)], ids=["500", "cut", "429"])
def test_an_engine_that_never_answers_is_waited_for_and_then_stops_the_run(
    fault: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    backend = {"name": "openai", "model": "m", "backoff_s": 0.01, "max_retries": 0}
    with JudgeServer(always=fault) as server:
        judges = [{"preset": "tinyv", "backend": {**backend, "base_url": server.url}}]
        with pytest.raises(JudgeUnavailable, match="2 not answered") as caught:
            compute_score_batch(
                ["s"] * 2,
                ["It is Rom.", "It is Bonn."],
                ["Ulm"] * 2,
                judges=judges,
                **{**ALONE, "outage_wait_s": 5},
            )
        assert caught.value.fault is Fault.ENGINE
    assert NOT_WAITED in caplog.text
