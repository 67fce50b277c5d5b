"""Our reward functions under verl's own managers."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest
from hybridverify.adapters.programs import PROGRAM_SOURCES
from hybridverify.adapters.status import EXTRA_KEYS
from releases import ONLY_LOOP, VERSION, LoopWorker, compose, function_overrides
from toy import SUM_SCORES, SUMS, batch_of

OPTIONS = {"policy": "rule_only", "cache": None}


def test_the_data_sources_of_programs_are_those_that_verl_runs() -> None:
    import verl.utils.reward_score as scores

    tree = ast.parse(inspect.getsource(scores))
    lists = [
        [getattr(item, "value", "") for item in node.elts]
        for node in ast.walk(tree)
        if isinstance(node, ast.List)
    ]
    assert [sorted(names) for names in lists if "codecontests" in names] == [list(PROGRAM_SOURCES)]


@pytest.mark.parametrize("manager", ["naive", "dapo"])
@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
def test_the_loops_own_managers_call_the_function(
    tokenizer_folder: Any, tokenizer: Any, name: str, manager: str
) -> None:
    if not ONLY_LOOP:
        pytest.skip("this verl's trainer calls the function from a classic manager")
    from verl.trainer.ppo.reward import get_custom_reward_fn

    config = compose(tokenizer_folder, function_overrides(name, OPTIONS, manager))
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


def test_the_prime_manager_gets_numbers(tokenizer_folder: Any, tokenizer: Any) -> None:
    """It pays every row 0, and says so nowhere but in its output, where it cannot read what the function gives."""
    if ONLY_LOOP or VERSION < (0, 5, 0):
        pytest.skip(
            "this verl has no prime manager, or one that can send no custom function to its processes"
        )
    from verl.trainer.ppo.reward import load_reward_manager

    config = compose(tokenizer_folder, function_overrides("compute_score", OPTIONS, "prime"))
    built = load_reward_manager(config, tokenizer, num_examine=0)
    assert built(batch_of(tokenizer, SUMS)).sum(-1).tolist() == SUM_SCORES


def test_the_offline_evaluation_takes_their_mean(tokenizer_folder: Any) -> None:
    """`main_eval` of every release; from 0.7.1 on its own file lacks the section that it reads the function from."""
    import verl.trainer.main_eval as main_eval
    from verl.trainer.ppo.reward import get_custom_reward_fn

    config = compose(tokenizer_folder, function_overrides("compute_score", OPTIONS))
    process_item = main_eval.process_item._function  # beneath @ray.remote
    finds_it_itself = "config" in inspect.signature(process_item).parameters
    given = config if finds_it_itself else get_custom_reward_fn(config)
    for responses, mean in ([SUMS[0][1], SUMS[1][1]], 0.5), ([SUMS[0][1]], 1.0):
        assert process_item(given, "toy/sums", responses, {"ground_truth": "7"}) == ("toy/sums", mean)
