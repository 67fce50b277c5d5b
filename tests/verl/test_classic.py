"""The classic manager on a real DataProto, built by the trainer's own loader where the release has one."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from conftest import Write, scripted
from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.status import EXTRA_KEYS
from hybridverify.adapters.verl_manager import HybridRewardManager
from releases import ONLY_LOOP, classic_manager, compose, manager_overrides
from toy import PROMPT_WIDTH, SUM_SCORES, SUMS, WORDS, batch_of, copied, objects

HALF = {
    "bard of Avon": "True",
    "Vinci": {"outcome": "failed"},
    "city of light": "False",
    "eternal city": {"outcome": "timed_out"},
}


def manager_of(folder: Any, tokenizer: Any, options: dict[str, Any]) -> Any:
    return classic_manager(compose(folder, manager_overrides(options)), tokenizer, options)


@pytest.fixture
def by_rules(tokenizer_folder: Any, tokenizer: Any) -> Any:
    return manager_of(tokenizer_folder, tokenizer, {"policy": "rule_only", "cache": None})


def check_tensor(tensor: torch.Tensor, batch: Any) -> list[float]:
    """float32 like the responses, nothing but at the last valid token."""
    assert tensor.dtype == torch.float32
    assert tensor.shape == batch.batch["responses"].shape
    lengths = batch.batch["attention_mask"][:, PROMPT_WIDTH:].sum(1).tolist()
    for row, n in zip(tensor, lengths, strict=True):
        assert row.abs().sum() == (row[n - 1].abs() if n else 0.0)
    return [float(score) for score in tensor.sum(-1)]


def test_a_batch_gives_a_tensor_and_one_list_a_key(by_rules: Any, tokenizer: Any) -> None:
    batch = batch_of(tokenizer, SUMS)
    result = by_rules(batch, return_dict=True)
    assert check_tensor(result["reward_tensor"], batch) == SUM_SCORES
    assert tuple(result["reward_extra_info"]) == EXTRA_KEYS
    assert {len(values) for values in result["reward_extra_info"].values()} == {len(SUMS)}
    assert torch.equal(by_rules(batch), result["reward_tensor"])


def test_the_trainer_gets_the_same_through_compute_reward(by_rules: Any, tokenizer: Any) -> None:
    if ONLY_LOOP:
        pytest.skip("this verl's trainer calls no classic manager")
    from verl.trainer.ppo.reward import compute_reward

    tensor, extra = compute_reward(batch_of(tokenizer, SUMS), by_rules)
    assert tensor.sum(-1).tolist() == SUM_SCORES
    assert tuple(extra) == EXTRA_KEYS


def test_scores_of_a_reward_model_are_returned_as_they_are(by_rules: Any, tokenizer: Any) -> None:
    batch = batch_of(tokenizer, SUMS)
    given = torch.rand(batch.batch["responses"].shape)
    batch.batch["rm_scores"] = given
    batch.meta_info["reward_extra_keys"] = ["uid", "absent"]
    result = by_rules(batch, return_dict=True)
    assert torch.equal(result["reward_tensor"], given)
    assert list(result["reward_extra_info"]) == ["uid"]
    assert torch.equal(by_rules(batch), given)


def test_scores_of_a_reward_model_cost_no_rule_and_no_judge(
    tokenizer_folder: Any, tokenizer: Any, config_file: Write
) -> None:
    file = config_file({"policy": "mixed", "judges": [scripted("True")]})
    manager = manager_of(tokenizer_folder, tokenizer, {"config_file": file})
    manager(batch_of(tokenizer, WORDS))
    verifier = grader_for(manager.options).verifier
    before = verifier.stats
    assert before["judge"]["called"] == len(WORDS)
    batch = batch_of(tokenizer, WORDS)
    batch.batch["rm_scores"] = torch.rand(batch.batch["responses"].shape)
    manager(batch, return_dict=True)
    assert verifier.stats == before


def test_five_rows_that_hang_on_four_workers_leave_room_for_the_next(
    tokenizer_folder: Any, tokenizer: Any, config_file: Write
) -> None:
    file = config_file({"rules": ["gsm8k", "toy_rules:unruly", "toy_rules:seven"], "workers": 4})
    manager = manager_of(tokenizer_folder, tokenizer, {"config_file": file})
    rows = [("Where?", f"Place {i} is one that never ends", "Paris") for i in range(5)]
    stuck = manager(batch_of(tokenizer, rows), return_dict=True)["reward_extra_info"]
    assert stuck["hv_rule_outcome"] == ["timed_out"] * 5
    assert stuck["hv_graded"] == [0] * 5
    later = manager(batch_of(tokenizer, [("What is 3+4?", "it is seven", "seven")]), return_dict=True)
    assert later["reward_tensor"].sum() == 1.0
    assert later["reward_extra_info"]["hv_graded"] == [1]


def test_empty_responses_and_absent_columns_do_not_raise(by_rules: Any, tokenizer: Any) -> None:
    batch = batch_of(tokenizer, [("What is 3+4?", "", "7"), ("What is 3+4?", "#### 7", None), SUMS[0]])
    for name in ("extra_info", "data_source", "raw_prompt", "uid"):
        batch.non_tensor_batch.pop(name)
    result = by_rules(batch, return_dict=True)
    assert check_tensor(result["reward_tensor"], batch) == [0.0, 0.0, 1.0]
    assert result["reward_extra_info"]["hv_graded"] == [1, 0, 1]


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 2), (2, 3)])
def test_the_rows_that_the_trainer_asks_to_see_are_printed(
    tokenizer: Any, capsys: pytest.CaptureFixture[str], count: int, expected: int
) -> None:
    manager = HybridRewardManager(tokenizer, count, policy="rule_only", cache=None)
    batch = batch_of(tokenizer, SUMS[:3])
    batch.non_tensor_batch["data_source"] = objects(["one", "other", "one"])
    manager(batch)
    assert capsys.readouterr().out.count("[response]") == expected


def test_what_tools_wrote_is_not_graded_where_a_mask_tells_it_apart(by_rules: Any, tokenizer: Any) -> None:
    tool = "<tool> #### 42 </tool>"
    texts = [f"#### 8 {tool}", f"#### 4{tool}2", f"{tool} #### 42", "#### 42"]
    batch = batch_of(tokenizer, [("What is 6*7?", text, "42") for text in texts])
    for i, text in enumerate(texts):
        if tool in text:
            start = text.index(tool)
            batch.batch["response_mask"][i, start : start + len(tool)] = 0
    batch.batch["response_mask"][3] = 0  # a row that is not learnt from at all
    assert check_tensor(by_rules(batch), batch) == [0.0, 0.0, 1.0, 1.0]
    assert by_rules.metrics["hv/without_tools"] == 3
    covers_all = torch.cat([torch.zeros_like(batch.batch["prompts"]), batch.batch["response_mask"]], 1)
    batch.batch["loss_mask"] = covers_all  # as multi-turn rollouts up to 0.5.0 have it
    batch.batch["response_mask"] = batch.batch["attention_mask"][:, PROMPT_WIDTH:].clone()
    assert check_tensor(by_rules(batch), batch) == [0.0, 0.0, 1.0, 1.0]


def test_empty_texts_are_paid_like_wrong_ones_wherever_a_token_exists(
    tokenizer_folder: Any, tokenizer: Any, config_file: Write
) -> None:
    file = config_file({"reward": {"correct": 1.0, "incorrect": -1.0}})
    manager = manager_of(tokenizer_folder, tokenizer, {"config_file": file})
    batch = batch_of(tokenizer, [("What is 3+4?", text, "7") for text in ("", " ", "#### 8", "#### 7")])
    batch.batch["responses"][1, :1] = tokenizer.eos_token_id  # nothing but the end of the sequence
    batch.batch["attention_mask"][1, PROMPT_WIDTH + 1 :] = 0
    result = manager(batch, return_dict=True)
    assert check_tensor(result["reward_tensor"], batch) == [0.0, -1.0, -1.0, 1.0]
    assert result["reward_extra_info"]["score"] == [-1.0, -1.0, -1.0, 1.0]
    assert result["reward_extra_info"]["hv_graded"] == [1] * 4


def test_a_manager_works_off_the_main_thread_and_after_pickling(by_rules: Any, tokenizer: Any) -> None:
    there = copied(by_rules)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(there(batch_of(tokenizer, SUMS))))
    thread.start()
    thread.join()
    assert found[0].sum(-1).tolist() == SUM_SCORES


def test_rows_without_a_grade_get_the_mean_of_their_group(
    tokenizer_folder: Any, tokenizer: Any, config_file: Write
) -> None:
    file = config_file({"policy": "judge_only", "judges": [scripted(HALF)]})
    manager = manager_of(
        tokenizer_folder, tokenizer, {"config_file": file, "outage_wait_s": 0, "max_ungraded": 1.0}
    )
    rows = [WORDS[0], WORDS[2], WORDS[1], WORDS[3], WORDS[1], WORDS[3]]
    batch = batch_of(tokenizer, rows, group_size=4)
    result = manager(batch, return_dict=True)
    assert check_tensor(result["reward_tensor"], batch) == [1.0, 0.0, 0.5, 0.5, 0.0, 0.0]
    assert result["reward_extra_info"]["hv_graded"] == [1, 1, 0, 0, 0, 0]
    assert result["reward_extra_info"]["score"] == [1.0, 0.0, 0.5, 0.5, 0.0, 0.0]


def test_a_dead_judge_raises_on_both_calls_of_the_trainer(
    tokenizer_folder: Any, tokenizer: Any, config_file: Write
) -> None:
    from hybridverify.errors import JudgeUnavailable

    file = config_file({"policy": "judge_only", "judges": [scripted({"outcome": "failed"})]})
    manager = manager_of(tokenizer_folder, tokenizer, {"config_file": file, "outage_wait_s": 0})
    for return_dict in (True, False):  # what verl's compute_reward does on an exception
        with pytest.raises(JudgeUnavailable):
            manager(batch_of(tokenizer, WORDS), return_dict=return_dict)
