"""verifiers' own environment and rubrics (up to 0.3), with a client that answers from a script."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import toy
import verifiers as vf
from datasets import Dataset
from hybridverify.adapters.verifiers import group_reward, rollout_reward
from verifiers.clients import Client
from verifiers.types import Response, ResponseMessage

import hybridverify as hv
from hybridverify.errors import ConfigError


class Scripted(Client):
    """Answers in turn. What would turn messages into a provider's is left out."""

    def __init__(self, answers: Sequence[str]) -> None:
        super().__init__(None)
        self.answers, self.asked = answers, 0

    async def get_response(self, prompt: Any, model: str, *_: Any, **__: Any) -> Response:
        said = self.answers[self.asked % len(self.answers)]
        self.asked += 1
        message = ResponseMessage(content=said, finish_reason="stop", is_truncated=False)
        return Response(id="1", created=0, model=model, message=message)

    def setup_client(self, config: Any) -> Any: ...
    async def to_native_tool(self, tool: Any) -> Any: ...
    async def to_native_prompt(self, messages: Any) -> Any: ...
    async def get_native_response(self, *_: Any, **__: Any) -> Any: ...
    async def raise_from_native_response(self, response: Any) -> None: ...
    async def from_native_response(self, response: Any) -> Any: ...
    async def close(self) -> None: ...


def rollouts(
    function: Any, rows: Sequence[tuple[str, str]], answers: Sequence[str], each: int = 1, **more: Any
) -> Any:
    """The outputs of an evaluation of (question, answer)."""
    data = Dataset.from_list([{"question": question, "answer": answer} for question, answer in rows])
    rubric = vf.Rubric(funcs=[function])
    env = vf.SingleTurnEnv(dataset=data, eval_dataset=data, rubric=rubric, system_prompt="Be brief.")
    found = asyncio.run(
        env.evaluate(
            Scripted(answers),
            "scripted",
            num_examples=len(rows),
            rollouts_per_example=each,
            max_concurrent=1,
            state_columns=["trajectory"],
            **more,
        )
    )
    return sorted(found["outputs"], key=lambda output: output["example_id"])


def test_one_rollout_at_a_time() -> None:
    rows = [(question, reference) for question, _, reference, _ in toy.SUMS]
    answers = [response for _, response, _, _ in toy.SUMS]
    for function in (
        rollout_reward(cache=None),
        hv.make_reward(cache=None),
        hv.make_reward(cache=None).awaited,
    ):
        found = rollouts(function, rows, answers)
        assert [output["reward"] for output in found] == [reward for *_, reward in toy.SUMS]
        assert found[0]["metrics"] == {"hybridverify": found[0]["reward"]} | {
            name: value for name, value in found[0]["metrics"].items() if name != "hybridverify"
        }


def advantages(function: Any) -> tuple[list[float], list[float]]:
    found = rollouts(function, [(toy.QUESTION, toy.REFERENCE)], toy.GROUP, each=4)
    paid = {output["completion"][-1]["content"]: output for output in found}
    ordered = [paid[toy.RIGHT], paid[toy.WRONG], paid[toy.LOST]]
    return [output["reward"] for output in ordered], [
        output["trajectory"][-1]["advantage"] for output in ordered
    ]


def test_in_a_group_a_row_without_a_grade_has_no_advantage() -> None:
    paid, found = advantages(group_reward(**toy.judged()))
    assert paid == pytest.approx([1.0, 0.0, 1 / 3])
    assert found == pytest.approx([2 / 3, -1 / 3, 0.0])


def test_by_itself_it_has_the_advantage_of_a_wrong_one() -> None:
    paid, found = advantages(rollout_reward(**toy.judged()))
    assert paid == [1.0, 0.0, 0.0]
    assert found == pytest.approx([0.75, -0.25, -0.25])


def test_a_number_is_paid_where_asked_for() -> None:
    paid, _ = advantages(rollout_reward(ungraded=0.5, **toy.judged()))
    assert paid == [1.0, 0.0, 0.5]


def test_a_rubric_knows_a_group_function_by_its_arguments() -> None:
    rubric = vf.Rubric(funcs=[group_reward(cache=None), rollout_reward(cache=None)])
    assert [rubric._is_group_func(function) for function in rubric.funcs] == [True, False]
    assert rubric._get_reward_func_names() == ["hybridverify", "hybridverify"]


def test_none_is_refused_when_the_function_is_made() -> None:
    with pytest.raises(
        ConfigError, match=r"^ungraded: a rubric of verifiers wants a number for every rollout"
    ):
        group_reward(ungraded="none", cache=None)


def test_the_lines_of_the_page() -> None:
    rubric = toy.page("verifiers", vf=vf)["rubric"]
    assert rubric.has_group_rewards
