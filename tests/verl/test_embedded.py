"""The embedded judge under verl: a hybrid whose trainer needs no server, no GPU and no download."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from releases import HAS_LOOP, LoopWorker, classic_manager, compose, manager_overrides
from toy import SUM_SCORES, SUMS, batch_of

OPTIONS = {"policy": "addon", "judge": "embedded", "cache": None}
PEOPLE = [
    ("Who painted it?", "The painter is Vermeer.", "Johannes Vermeer"),
    ("Who painted it?", "It was painted by Rembrandt.", "Johannes Vermeer"),
    ("Where is it?", "It stands in the city of Lisbon.", "Lisbon, Portugal"),
    ("Where is it?", "It stands in the city of Madrid.", "Lisbon, Portugal"),
]
SCORES = [1.0, 0.0, 1.0, 0.0]


def check(scores: list[float], columns: dict[str, list[Any]]) -> None:
    """Words are for the judge, sums for the rules."""
    assert scores == [*SCORES, *SUM_SCORES]
    assert columns["hv_judge_asked"] == [1, 1, 1, 1, 0, 0, 0, 0]
    assert columns["hv_graded"] == [1] * 8


def test_it_decides_words_in_the_classic_manager(tokenizer_folder: Any, tokenizer: Any) -> None:
    manager = classic_manager(compose(tokenizer_folder, manager_overrides(OPTIONS)), tokenizer, OPTIONS)
    result = manager(batch_of(tokenizer, [*PEOPLE, *SUMS]), return_dict=True)
    check(result["reward_tensor"].sum(-1).tolist(), result["reward_extra_info"])


@pytest.mark.skipif(not HAS_LOOP, reason="this verl has no reward loop")
def test_it_decides_words_in_the_reward_loop(tokenizer_folder: Any, tokenizer: Any) -> None:
    worker = LoopWorker(compose(tokenizer_folder, manager_overrides(OPTIONS)))
    outputs = worker.score(batch_of(tokenizer, [*PEOPLE, *SUMS]))
    names = outputs[0]["reward_extra_info"]
    columns = {name: [output["reward_extra_info"][name] for output in outputs] for name in names}
    check([output["reward_score"] for output in outputs], columns)


@pytest.mark.skipif(not HAS_LOOP, reason="this verl has no reward loop")
def test_it_stays_in_this_process_where_verl_hosts_a_model(tokenizer: Any) -> None:
    from hybridverify.adapters.verl_reward_loop import HybridRewardManager

    config = {
        "reward": {"reward_kwargs": OPTIONS, "reward_model": {"enable": True, "model_path": "/models/m"}}
    }
    batch = batch_of(tokenizer, PEOPLE)

    async def graded() -> list[float]:
        # In the loop, where verl makes its managers: that of 0.6.1 asks for the running one.
        manager = HybridRewardManager(config, tokenizer, None, "127.0.0.1:9", None)
        outputs = [await manager.run_single(batch[i : i + 1]) for i in range(len(PEOPLE))]
        return [output["reward_score"] for output in outputs]

    assert asyncio.run(graded()) == SCORES
