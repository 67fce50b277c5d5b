"""Our reward functions under verl's own managers."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import ONLY_LOOP, LoopWorker, compose, function_overrides
from toy import SUM_SCORES, SUMS, batch_of

OPTIONS = {"policy": "rule_only", "cache": None}


@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
def test_the_loops_naive_manager_calls_the_function(tokenizer_folder: Any, tokenizer: Any, name: str) -> None:
    if not ONLY_LOOP:
        pytest.skip("this verl's trainer calls the function from a classic manager")
    from verl.trainer.ppo.reward import get_custom_reward_fn

    config = compose(tokenizer_folder, function_overrides(name, OPTIONS))
    assert inspect.iscoroutinefunction(get_custom_reward_fn(config)) == name.endswith("async")
    outputs = LoopWorker(config).score(batch_of(tokenizer, SUMS))
    assert [output["reward_score"] for output in outputs] == SUM_SCORES
    assert {tuple(output["reward_extra_info"]) for output in outputs} == {EXTRA_KEYS}


@pytest.mark.parametrize(("name", "manager"), [("compute_score", "naive"), ("compute_score_batch", "batch")])
def test_the_classic_managers_call_the_function(
    tokenizer_folder: Any, tokenizer: Any, name: str, manager: str
) -> None:
    if ONLY_LOOP:
        pytest.skip("this verl has no classic managers in its trainer")
    from verl.trainer.ppo.reward import compute_reward, load_reward_manager

    config = compose(tokenizer_folder, function_overrides(name, OPTIONS, manager))
    built = load_reward_manager(config, tokenizer, num_examine=0)
    tensor, extra = compute_reward(batch_of(tokenizer, SUMS), built)
    assert tensor.sum(-1).tolist() == SUM_SCORES
    assert set(EXTRA_KEYS) <= set(extra)
