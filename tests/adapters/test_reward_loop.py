"""The loop manager by itself, on fakes: no verl, no torch."""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from hybridverify.adapters.verl_reward_loop import HybridRewardManager, loop_options
from verl_fakes import CharTokenizer, batch_of

from hybridverify.errors import ConfigError
from tests.waiting import GIVE_UP_S, soon

RULES: dict[str, Any] = {"reward": {"reward_kwargs": {"policy": "rule_only", "cache": None}}}


def run(manager: HybridRewardManager, batch: Any) -> list[dict[str, Any]]:
    async def gather() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(manager.run_single(batch[i : i + 1]) for i in range(len(batch)))))

    return asyncio.run(gather())


def test_one_row_gives_exactly_the_two_keys() -> None:
    outputs = run(
        HybridRewardManager(RULES, CharTokenizer()),
        batch_of([("2+2?", "#### 4", "4"), ("2+2?", "#### 5", "4")]),
    )
    assert [set(output) for output in outputs] == [{"reward_score", "reward_extra_info"}] * 2
    assert [output["reward_score"] for output in outputs] == [1.0, 0.0]
    assert {tuple(output["reward_extra_info"]) for output in outputs} == {EXTRA_KEYS}


def test_of_several_outputs_the_last_is_scored() -> None:
    manager = HybridRewardManager(RULES, CharTokenizer())
    batch = batch_of([("2+2?", "#### 5", "4"), ("2+2?", "#### 4", "4")])
    assert asyncio.run(manager.run_single(batch))["reward_score"] == 1.0


def test_an_empty_response_is_wrong_in_the_columns_and_carries_its_reward_only_on_a_token() -> None:
    options: dict[str, Any] = {"reward": {"correct": 1.0, "incorrect": -1.0}}
    batch = batch_of([("2+2?", "", "4"), ("2+2?", " ", "4"), ("2+2?", "#### 5", "4")])
    outputs = run(HybridRewardManager(RULES, CharTokenizer(), **options), batch)
    assert [output["reward_score"] for output in outputs] == [0.0, -1.0, -1.0]
    assert [output["reward_extra_info"]["score"] for output in outputs] == [-1.0] * 3
    assert [output["reward_extra_info"]["hv_graded"] for output in outputs] == [1] * 3


def test_an_unreadable_row_is_reported_and_not_raised() -> None:
    manager = HybridRewardManager(RULES, CharTokenizer(refuses="#"))
    (output,) = run(manager, batch_of([("2+2?", "#### 4", "4")]))
    assert output["reward_score"] == 0.0
    assert output["reward_extra_info"]["hv_status"] == "failed"
    assert output["reward_extra_info"]["hv_graded"] == 0


@pytest.mark.parametrize("where", ["reward", "reward_model"])
def test_options_come_from_the_section_of_the_release(where: str) -> None:
    config = {where: {"reward_kwargs": {"policy": "mixed", "cache": None}}}
    assert loop_options(config).settings["policy"] == "mixed"


def test_keyword_options_go_before_the_configuration() -> None:
    assert loop_options(RULES, given={"policy": "mixed"}).settings["policy"] == "mixed"


def test_the_hosted_judge_is_reached_through_the_router_under_its_path() -> None:
    config = {
        "reward": {
            "reward_kwargs": {"judge": "general_verifier", "policy": "judge_only", "cache": None},
            "reward_model": {"enable": True, "model_path": "/models/gv"},
            "custom_reward_function": {"path": "pkg://hybridverify.adapters.reward_function"},
        }
    }
    (judge,) = loop_options(config, "10.1.2.3:8000").settings["judges"]
    assert judge["backend"]["base_url"] == "http://10.1.2.3:8000/v1"
    assert judge["backend"]["model"] == "/models/gv"


def test_an_engine_in_a_worker_without_gpu_is_refused() -> None:
    judge = {"preset": "general_verifier", "backend": {"name": "vllm", "model": "/models/gv"}}
    config = {"reward": {"reward_kwargs": {"policy": "judge_only", "judges": [judge]}}}
    with pytest.raises(ConfigError, match="base_url"):
        loop_options(config)


def test_a_hosted_judge_without_a_function_path_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    config = {"reward": {**RULES["reward"], "reward_model": {"enable": True, "model_path": "/m"}}}
    with caplog.at_level(logging.WARNING):
        HybridRewardManager(config, CharTokenizer())
    assert "reward.custom_reward_function.path=pkg://hybridverify.adapters.reward_function" in caplog.text


def test_managers_survive_pickling() -> None:
    manager = HybridRewardManager(RULES, CharTokenizer(), None, "10.1.2.3:8000", None)
    copied = pickle.loads(pickle.dumps(manager))  # noqa: S301 - our own bytes
    assert copied.options == manager.options
    assert copied.reward_router_address == "10.1.2.3:8000"


@pytest.mark.load
def test_concurrent_rows_share_judge_batches_and_a_cancelled_one_harms_nobody(make_judge: Any) -> None:
    go_on = threading.Event()
    judge, backend = make_judge(lambda _: str(go_on.wait(GIVE_UP_S)))
    sharing = {"max_batch": 24, "max_wait_s": 3600.0}  # a batch goes when all are there
    options: dict[str, Any] = {"judges": [judge], "policy": "judge_only", "cache": None, **sharing}
    manager = HybridRewardManager({"reward": {"reward_kwargs": {}}}, CharTokenizer(), **options)
    batch = batch_of([("Who?", f"The author is number {i} of them", "Bard") for i in range(24)])

    async def go() -> list[Any]:
        tasks = [asyncio.create_task(manager.run_single(batch[i : i + 1])) for i in range(len(batch))]
        assert await asyncio.to_thread(soon, lambda: backend.prompts)
        tasks[5].cancel()
        go_on.set()
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    results = asyncio.run(go())
    assert isinstance(results.pop(5), asyncio.CancelledError)
    assert [result["reward_score"] for result in results] == [1.0] * 23
    assert backend.batch_sizes == [24]
