"""DAPO's penalty beside verl's own `dapo` managers: the same batch, the same digits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hybridverify.adapters.reward_function import compute_score
from hybridverify.adapters.status import EXTRA_KEYS
from hybridverify.adapters.verl_manager import HybridRewardManager
from releases import ONLY_LOOP, LoopWorker, compose, function_overrides, manager_overrides
from toy import batch_of

ROWS = [
    ("What is 3+4?", f"{'and so it is ' * n}#### {answer}", "7")
    for n, answer in ((0, 7), (1, 7), (2, 8), (3, 7), (4, 8), (4, 7))
]
SETTINGS = [
    ({"enable": True, "len": 50, "penalty_factor": 1.0, "log": True}, 64),
    ({"enable": True, "len": 7, "penalty_factor": 0.3, "log": True}, 40),
    ({"enable": True, "len": 13, "penalty_factor": 1 / 3, "log": False}, 13),
    ({"enable": False, "len": 7, "penalty_factor": 1.0, "log": True}, 40),
]
REWARD = {"correct": 0.7, "incorrect": -0.1}


@pytest.fixture
def config_of_both(tmp_path: Path) -> str:
    file = tmp_path / "verify.json"
    file.write_text(json.dumps({"policy": "rule_only", "cache": None, "reward": REWARD}))
    return str(file)


@pytest.mark.parametrize(("buffer", "longest"), SETTINGS)
def test_the_classic_manager_pays_what_verls_own_pays(
    tokenizer: Any, config_of_both: str, buffer: dict[str, Any], longest: int
) -> None:
    from omegaconf import OmegaConf
    from verl.workers.reward_manager.dapo import DAPORewardManager

    def score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> Any:
        return compute_score(data_source, solution_str, ground_truth, config=config_of_both)

    given = {"max_resp_len": longest, "overlong_buffer_cfg": OmegaConf.create(buffer)}
    theirs = DAPORewardManager(tokenizer, 0, score, **given)(batch_of(tokenizer, ROWS), return_dict=True)
    manager = HybridRewardManager(tokenizer, 0, config_file=config_of_both, **given)
    ours = manager(batch_of(tokenizer, ROWS), return_dict=True)
    assert torch.equal(ours["reward_tensor"], theirs["reward_tensor"])
    assert ours["reward_tensor"].count_nonzero() == len(ROWS)
    check_columns(ours["reward_extra_info"], theirs["reward_extra_info"])


@pytest.mark.skipif(not ONLY_LOOP, reason="this verl's trainer has the classic manager")
@pytest.mark.parametrize(("buffer", "longest"), SETTINGS)
def test_the_loops_manager_pays_what_verls_own_pays(
    tokenizer_folder: Any, tokenizer: Any, config_of_both: str, buffer: dict[str, Any], longest: int
) -> None:
    given = {"max_resp_len": longest, "overlong_buffer_cfg": buffer}
    theirs = LoopWorker(
        compose(
            tokenizer_folder,
            [
                *function_overrides("compute_score", {"config_file": config_of_both}, "dapo"),
                *(one for one in manager_overrides(given) if one.startswith("+reward.reward_kwargs")),
            ],
        )
    ).score(batch_of(tokenizer, ROWS))
    ours = LoopWorker(
        compose(tokenizer_folder, manager_overrides({**given, "config_file": config_of_both}))
    ).score(batch_of(tokenizer, ROWS))
    scores = [[float(output["reward_score"]) for output in outputs] for outputs in (ours, theirs)]
    assert torch.equal(*(torch.tensor(values, dtype=torch.float32) for values in scores))
    columns = [
        {
            name: [output["reward_extra_info"][name] for output in outputs]
            for name in outputs[0]["reward_extra_info"]
        }
        for outputs in (ours, theirs)
    ]
    check_columns(*columns)


def check_columns(ours: Any, theirs: Any) -> None:
    assert list(ours) == list(theirs)
    for name in EXTRA_KEYS:
        assert ours[name] == theirs[name]
    if "overlong" in theirs:
        assert torch.equal(torch.tensor(ours["overlong_reward"]), torch.tensor(theirs["overlong_reward"]))
        assert ours["overlong"] == list(map(bool, theirs["overlong"]))
