"""`verifiers.v1`: a task's own scoring of a trace, with our reward in the class and plugged in by its path."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
import toy
import verifiers.v1 as vf
from hybridverify.adapters.verifiers import trace_reward

from hybridverify.errors import ConfigError


class Data(vf.TaskData):
    answer: str = ""


ours = trace_reward(cache=None)
judged = trace_reward(name="judged", **toy.judged())


class Sums(vf.Task[Data]):
    @vf.reward
    async def correct(self, trace: Any) -> float:
        return await ours(self.data, trace)


class Words(vf.Task[Data]):
    @vf.reward
    async def correct(self, trace: Any) -> float:
        return await judged(self.data, trace)


def trace_of(task: Any, response: str) -> Any:
    row = vf.TraceTask(type=type(task).__name__, data=task.data)
    trace = vf.Trace(task=row, agent=vf.AgentInfo(config=vf.AgentConfig()))
    trace.root_reply = response
    return trace


def scored(task: Any, response: str) -> Any:
    trace = trace_of(task, response)
    asyncio.run(task.score(trace))
    return trace


def test_a_reward_of_the_task(tmp_path: Path) -> None:
    for question, response, reference, reward in toy.SUMS:
        trace = scored(Sums(Data(prompt=question, answer=reference)), response)
        assert trace.rewards["correct"].score == reward
        assert trace.reward == reward


def test_a_reward_plugged_in_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_rewards.py").write_text(
        "from hybridverify.adapters.verifiers import trace_reward\n\ncorrect = trace_reward(cache=None)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    config = vf.TaskConfig(rewards={"correct": {"fn": "my_rewards:correct", "weight": 2.0}})
    trace = scored(vf.Task(Data(prompt="What is 6*7?", answer="42"), config), r"\boxed{42}")
    assert (trace.rewards["correct"].score, trace.reward) == (1.0, 2.0)
    sys.modules.pop("my_rewards", None)


def test_a_row_without_a_grade_is_an_error_of_the_rollout() -> None:
    task = Words(Data(prompt=toy.QUESTION, answer=toy.REFERENCE))
    assert [scored(task, said).reward for said in toy.GROUP[:3]] == [1.0, 0.0, 0.0]
    trace = trace_of(task, toy.LOST)
    with pytest.raises(vf.TaskError, match="no grade for this rollout, unparseable"):
        asyncio.run(task.score(trace))
    assert trace.rewards == {"correct": None}  # its mark for a signal that did not run


def test_a_number_is_paid_where_asked_for() -> None:
    half = trace_reward(ungraded=0.5, **toy.judged())
    task = Words(Data(prompt=toy.QUESTION, answer=toy.REFERENCE))
    assert asyncio.run(half(task.data, trace_of(task, toy.LOST))) == 0.5


def test_a_task_sees_no_group() -> None:
    with pytest.raises(
        ConfigError, match=r"^ungraded: a task of verifiers\.v1 sees one rollout and no group"
    ):
        trace_reward(ungraded="group_mean", cache=None)
