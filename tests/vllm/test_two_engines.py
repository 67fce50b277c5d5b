"""Several engines of one process, each with its own settings, in a panel; an engine whose process dies."""

from __future__ import annotations

import os
from typing import Any

import pytest

from hybridverify import Sample, Verifier
from hybridverify.judges.backends.vllm import VLLMBackend
from hybridverify.judges.llm import LLMJudge


@pytest.fixture
def own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines in this very process share one set of groups and graphs: only one fits. As by default, each of
    these gets a process of its own."""
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "1")


@pytest.mark.usefixtures("own_processes")
def test_a_panel_of_two_engines_has_two_votes_a_row_and_closing_ends_both(
    model: str, small: dict[str, Any]
) -> None:
    two = [VLLMBackend(model, choice=["True", "False"], **{**small, "max_model_len": n}) for n in (640, 768)]
    judges = [LLMJudge("tinyv", backend, name=f"judge {n}") for n, backend in enumerate(two)]
    samples = [Sample(f"\\boxed{{{n}}}", "3", "How many?") for n in range(4)]
    with Verifier(judges=judges, policy="judge_only", panel={"combine": "all"}) as verifier:
        grades = verifier.grade(samples)
        assert two[0].engine() is not two[1].engine()
        with two[0].engine().running(0.0) as llm:
            process = llm.llm_engine.engine_core.resources.engine_manager.processes[0]
    assert all(len(grade.votes) == 2 and all(vote.sure for vote in grade.votes) for grade in grades)
    process.join(200)
    assert not process.is_alive()


@pytest.mark.usefixtures("own_processes")
def test_a_killed_engine_is_no_verdict_and_the_next_question_starts_another(
    model: str, small: dict[str, Any]
) -> None:
    backend = VLLMBackend(model, choice=["True", "False"], **small)
    sample = Sample("\\boxed{3}", "4", "How many?")
    with Verifier(judges=[LLMJudge("tinyv", backend)], policy="judge_only") as verifier:
        backend.start()
        with backend.engine().running(0.0) as llm:
            os.kill(llm.llm_engine.engine_core.resources.engine_manager.processes[0].pid, 9)
        with pytest.raises(Exception, match="the vLLM engine died"):
            verifier.grade([sample])
        (grade,) = verifier.grade([sample])
    assert grade.graded
