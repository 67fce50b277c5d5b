"""What verl is handed by `demo.py`: its configuration, as a user types it, and batches in its layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import verl
from demo_policy import RESPONSE_WIDTH, mask_of, positions_of
from demo_task import Question
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from verl import DataProto

OURS = "pkg://hybridverify.adapters.verl_reward_loop", "HybridRewardManager"
FAILING = "pkg://training.failing", "FailingHybrid"  # with the folder above on the path
OVERRIDES = (
    "reward.reward_manager.source=importlib",
    "+reward.reward_kwargs.policy=addon",
    "+reward.reward_kwargs.judges=[{preset: embedded}]",
    # The embedded judge is not asked about sums, so what a policy babbles there may have no grade; it is not down.
    "+reward.reward_kwargs.max_ungraded=1.0",
    # Of an answer that does not end the reward is half a point less: nothing else would teach the policy to stop.
    f"+reward.reward_kwargs.max_resp_len={RESPONSE_WIDTH}",
    "+reward.reward_kwargs.overlong_buffer_cfg={enable: true, len: 1, penalty_factor: 0.5, log: false}",
)


def configuration(folder: Path, fails: bool = False) -> Any:
    """verl's own ppo_trainer.yaml with our manager; tokenizer and cache lie in this folder. `fails`: its judge does,
    for some rows (failing.py)."""
    own = Path(verl.__file__).parent / "trainer" / "config"
    module, manager = FAILING if fails else OURS
    places = (
        f"reward.reward_manager.module.path={module}",
        f"reward.reward_manager.name={manager}",
        *(["+reward.reward_kwargs.outage_wait_s=0"] if fails else []),
        f"actor_rollout_ref.model.path={folder}",
        f"+reward.reward_kwargs.cache={{path: {folder / 'cache'}}}",
    )
    with initialize_config_dir(config_dir=str(own), version_base=None):
        return compose("ppo_trainer", overrides=[*places, *OVERRIDES])


def batch_of(
    asked: Sequence[Question],
    group_size: int,
    prompts: torch.Tensor,
    sampled: Sequence[torch.Tensor],
    tokenizer: Any,
) -> Any:
    """Responses and their log-probabilities, with the columns that verl's agent loop hands to the reward loop."""
    responses, told = sampled
    mask = mask_of(tokenizer, prompts, responses)
    tensors = {
        "prompts": prompts,
        "responses": responses,
        "input_ids": torch.cat([prompts, responses], 1),
        "attention_mask": mask,
        "position_ids": positions_of(mask),
        "response_mask": mask[:, prompts.shape[1] :].clone(),
        "old_log_probs": told,
    }
    columns = {
        "data_source": [question.source for question in asked],
        "reward_model": [{"style": "rule", "ground_truth": question.truth} for question in asked],
        "extra_info": [{"index": i} for i, _ in enumerate(asked)],
        "raw_prompt": [[{"role": "user", "content": question.text}] for question in asked],
        "uid": [f"group{i // group_size}" for i, _ in enumerate(asked)],
    }
    arrays = {name: _objects(values) for name, values in columns.items()}
    return DataProto(batch=TensorDict(tensors, batch_size=len(asked)), non_tensor_batch=arrays)


def _objects(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
