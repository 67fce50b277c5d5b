"""vLLM's OpenAI-compatible server through the backend `openai`, and what its death in the middle of a run costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.errors import HybridVerifyError
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.judges.llm import LLMJudge
from hybridverify.types import SURE, Outcome
from tests.vllm.server import NAME, free_port, kill, served

CHATS = [Prompt((Message("user", f"Spell the number {n}."),)) for n in range(12)]
SAMPLES = [Sample(f"\\boxed{{{n}}}", f"{n + n % 2}", f"Which number is {n}?") for n in range(40)]
BOUND = {"structured_outputs": {"choice": ["True", "False"]}}
"""The small model says anything; so it is left two words."""


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def process(model: str, port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Popen[bytes]]:
    with served(model, port, tmp_path_factory.mktemp("server") / "log.txt") as started:
        yield started


@pytest.fixture(scope="module")
def url(port: int, process: Popen[bytes]) -> str:
    return f"http://127.0.0.1:{port}/v1"


def asked(url: str, prompts: list[Prompt], sampling: Sampling, **options: Any) -> list[Reply | Failure]:
    backend = OpenAIBackend(NAME, url, **options)
    try:
        return backend.complete(prompts, sampling)
    finally:
        backend.close()


def test_chats_texts_and_token_ids_are_answered_alike(url: str, model: str) -> None:
    sampling = Sampling(max_tokens=6)
    found = [
        [reply.texts[0].strip() for reply in asked(url, CHATS, sampling, **way) if isinstance(reply, Reply)]
        for way in (
            {"request": "chat"},
            {"request": "completions_text", "tokenizer": model},
            {"request": "completions_ids", "tokenizer": model},
        )
    ]
    assert len(found[0]) == len(CHATS)
    assert found[0] == found[1] == found[2]


def test_the_label_has_a_probability(url: str, model: str) -> None:
    backend = OpenAIBackend(NAME, url, tokenizer=model)
    with Verifier(judges=[LLMJudge("tinyv", backend, score="p_yes")], policy="judge_only") as verifier:
        grades = verifier.grade(SAMPLES[:4])
    assert all(0.0 < grade.judge.p_yes < 1.0 for grade in grades)


def test_only_the_prompt_that_is_too_long_fails(url: str, model: str) -> None:
    prompts = [CHATS[0], Prompt((Message("user", "far too long " * 600),)), CHATS[1]]
    results = asked(url, prompts, Sampling(max_tokens=4), tokenizer=model)
    assert [isinstance(result, Reply) for result in results] == [True, False, True]
    assert isinstance(results[1], Failure)
    assert results[1].outcome is Outcome.TOO_LONG


def test_a_model_that_is_not_served_is_named_with_those_that_are(url: str) -> None:
    backend = OpenAIBackend("somebody-else", url)
    with pytest.raises(HybridVerifyError, match=r"somebody-else.*judge"):
        backend.ensure_ready()
    backend.close()


def test_a_model_without_typed_decisions_is_asked_for_p_yes(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    judge = {"preset": "decisions", "backend": {"name": "decisions", "model": NAME, "base_url": url}}
    with Verifier(judges=[judge], policy="judge_only", cache=None, guards=None) as verifier:
        grades = verifier.grade(SAMPLES[:6])
    assert "it is asked by chat, for P(yes)" in caplog.text
    assert {grade.judge.outcome.value for grade in grades} <= {"correct", "incorrect", "unparseable"}


def test_a_server_killed_in_the_middle_costs_no_wrong_verdict_and_the_rest_is_asked_later(
    model: str, port: int, process: Popen[bytes], url: str, tmp_path: Path
) -> None:
    """The last of this file: it kills the server that the others ask."""

    def verifier(cache: Path) -> Verifier:
        backend = OpenAIBackend(NAME, url, tokenizer=model, extra_body=BOUND, prompts_per_request=4)
        return Verifier(judges=[LLMJudge("tinyv", backend)], policy="judge_only", cache=str(cache))

    with verifier(tmp_path / "cache") as first:
        broken = []
        for grade in first.grade_iter(SAMPLES, chunk_size=8):
            broken.append(grade)
            if len(broken) == 8:
                kill(process)
    decided = [grade.graded for grade in broken]
    assert sum(decided[:8]) == 8
    assert not all(decided)
    assert all(grade.outcome not in SURE and grade.score == 0.0 for grade in broken if not grade.graded)
    with served(model, port, tmp_path / "second.txt"):
        with verifier(tmp_path / "cache") as second:
            resumed = second.grade(SAMPLES)
            assert second.stats["judge"]["called"] == decided.count(False)
        with verifier(tmp_path / "other") as third:
            whole = third.grade(SAMPLES)
    assert [grade.to_dict() for grade in resumed] == [grade.to_dict() for grade in whole]
    assert all(
        early.to_dict() == late.to_dict() for early, late in zip(broken, whole, strict=True) if early.graded
    )
