"""A judge behind a server that misbehaves: what its verdicts say, and that no fault is ever a pass or a fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.base import Request, Subject
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import Outcome, Verdict
from tests.judges import server as faults
from tests.judges.server import Behaviour, JudgeServer

pytestmark = pytest.mark.load


def subjects(count: int) -> list[Subject]:
    return [Subject(Sample(f"It is {n}.", "one half", f"Half of {n}?"), answer=str(n)) for n in range(count)]


def judged(server: JudgeServer, count: int = 1, preset: str = "tinyv", **options: Any) -> list[Verdict]:
    settings = {"backoff_s": 0.01, "timeout_s": 50.0, "context_tokens": 100_000, **options}
    backend = OpenAIBackend("m", server.url, **settings)
    judge = LLMJudge(preset, backend)
    try:
        requests = [r for r in judge.prepare(subjects(count)) if isinstance(r, Request)]
        assert len(requests) == count
        return judge.decide(requests)
    finally:
        judge.close()


def outcomes(verdicts: Sequence[Verdict]) -> list[Outcome]:
    return [verdict.outcome for verdict in verdicts]


FAULTS: list[tuple[str, dict[str, Any], Outcome, int]] = [
    # name, server, outcome, the most requests that it may cost
    ("right", {"reply": lambda _: "True"}, Outcome.CORRECT, 1),
    ("wrong", {"reply": lambda _: "False"}, Outcome.INCORRECT, 1),
    ("500 for ever", {"always": faults.ERROR_500}, Outcome.FAILED, 4),
    ("500, then fine", {"script": [faults.ERROR_500] * 2}, Outcome.CORRECT, 3),
    ("429, then fine", {"script": [faults.BUSY_429]}, Outcome.CORRECT, 2),
    ("429 for ever", {"always": Behaviour(429)}, Outcome.FAILED, 4),
    ("hangs", {"always": faults.HANG}, Outcome.TIMED_OUT, 2),
    ("drips", {"always": faults.DRIP}, Outcome.TIMED_OUT, 2),
    ("cuts the connection", {"always": faults.CUT}, Outcome.FAILED, 4),
    ("garbage", {"always": faults.GARBAGE}, Outcome.FAILED, 4),
    ("empty choices", {"always": faults.NO_CHOICES}, Outcome.FAILED, 1),
    ("unknown model", {"models": None, "always": faults.UNKNOWN_MODEL_404}, Outcome.FAILED, 1),
    ("no list of models", {"models": None}, Outcome.CORRECT, 1),
    ("too long", {"max_model_len": 3}, Outcome.TOO_LONG, 1),
    ("prose", {"reply": lambda _: "It is not true that they match."}, Outcome.UNPARSEABLE, 2),
    ("prose, then a label", {"replies": ["Hard to say.", "True"]}, Outcome.CORRECT, 2),
    ("says nothing", {"reply": lambda _: ""}, Outcome.UNPARSEABLE, 2),
]


@pytest.mark.parametrize(
    ("kind", "outcome", "most"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_each_fault_has_its_outcome_and_a_bounded_cost(
    kind: dict[str, Any], outcome: Outcome, most: int
) -> None:
    replies = iter(kind.get("replies", ()))
    settings = {name: value for name, value in kind.items() if name != "replies"}
    if "replies" in kind:
        settings["reply"] = lambda _: next(replies)
    with JudgeServer(**settings) as server:
        (verdict,) = judged(server, timeout_s=1.5 if outcome is Outcome.TIMED_OUT else 50.0)
        assert verdict.outcome is outcome
        assert (verdict.score == 1.0) == (outcome is Outcome.CORRECT)
        assert verdict.source == "judge:tinyv"
        assert len(server.asked) <= most


def test_one_row_too_long_in_a_body_of_many_is_alone_in_that() -> None:
    with JudgeServer(max_model_len=400, reply=lambda _: "Final Decision: Yes") as server:
        backend = OpenAIBackend("m", server.url, backoff_s=0.01, context_tokens=100_000)
        judge = LLMJudge("general_verifier", backend)
        rows = subjects(40)
        rows[23] = Subject(Sample("x", "y", "word " * 500), answer="x")
        verdicts = judge.decide([r for r in judge.prepare(rows) if isinstance(r, Request)])
        judge.close()
    assert outcomes(verdicts) == [Outcome.CORRECT] * 23 + [Outcome.TOO_LONG] + [Outcome.CORRECT] * 16
    assert len(server.asked) <= 13


def test_a_server_that_dies_in_the_middle_of_a_batch_keeps_length_and_order() -> None:
    with JudgeServer(script=[faults.OK] * 12, always=faults.CUT) as server:
        verdicts = judged(server, 60, max_in_flight=1)
    assert outcomes(verdicts) == [Outcome.CORRECT] * 12 + [Outcome.FAILED] * 48
    assert [verdict.answer for verdict in verdicts] == [str(n) for n in range(60)]


def test_a_model_that_is_not_there_ends_the_batch_in_one_line() -> None:
    with JudgeServer(models=("someone-else",)) as server, pytest.raises(JudgeUnavailable) as caught:
        judged(server)
    assert str(caught.value).count("\n") == 0
    assert "someone-else" in str(caught.value)


@pytest.mark.parametrize("fault", [faults.ERROR_500, faults.GARBAGE, faults.NO_CHOICES, faults.CUT])
@pytest.mark.parametrize("policy", ["judge_only", "addon", "mixed"])
def test_a_grade_whose_judge_failed_is_not_graded_and_never_pays(policy: str, fault: Behaviour) -> None:
    with JudgeServer(always=fault) as server:
        judge = LLMJudge("tinyv", OpenAIBackend("m", server.url, backoff_s=0.01))
        with Verifier(judges=[judge], policy=policy, cache=None) as verifier:
            (grade,) = verifier.grade([Sample("The capital is Lutetia", "Paris", "Capital of France?")])
    assert (grade.score, grade.graded, grade.outcome) == (0.0, False, Outcome.FAILED)
    assert grade.judge_asked


def test_a_server_that_never_answers_stops_a_run_on_request_and_one_slow_row_does_not() -> None:
    samples = [Sample(f"It is town {n}.", "Ulm", "Where?") for n in range(2)]

    def verifier(server: JudgeServer) -> Verifier:
        backend = OpenAIBackend("m", server.url, backoff_s=0.01, timeout_s=2.0, context_tokens=100_000)
        return Verifier(policy="addon", judges=[LLMJudge("tinyv", backend)], stop_on_outage=True)

    with (
        JudgeServer(always=faults.HANG) as server,
        verifier(server) as strict,
        pytest.raises(JudgeUnavailable, match="none of 2 requests in time"),
    ):
        strict.grade(samples)
    with JudgeServer(script=[Behaviour()], always=faults.HANG) as server, verifier(server) as strict:
        assert [strict.grade([sample])[0].graded for sample in samples] == [True, False]
