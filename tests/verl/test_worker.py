"""The reward-model worker in a Ray worker group, and the training entry that puts it there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import ONLY_LOOP, classic_manager, compose, manager_overrides, plain_class
from toy import WORDS, batch_of

HERE = Path(__file__).resolve().parent
HALF = {
    "bard of Avon": "True",
    "Vinci": {"outcome": "failed"},
    "city of light": "True",
    "eternal city": "False",
}


@pytest.fixture
def local_ray() -> Iterator[None]:
    import ray

    path = os.pathsep.join([str(HERE), str(HERE.parent.parent), os.environ.get("PYTHONPATH", "")])
    ray.init(
        num_cpus=3,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        runtime_env={"env_vars": {"PYTHONPATH": path.rstrip(os.pathsep)}},
    )
    yield
    ray.shutdown()


def reward_model_section(folder: Path, tmp_path: Path) -> Any:
    """verl's `reward_model` section as the worker gets it, with a scripted judge."""
    from omegaconf import OmegaConf

    judge = {"preset": "tinyv", "backend": {"name": "scripted", "replies": HALF}}
    file = tmp_path / "verify.json"
    file.write_text(json.dumps({"policy": "judge_only", "judges": [judge], "cache": None}))
    options = {"config_file": str(file), "outage_wait_s": 0, "max_ungraded": 1.0}
    return OmegaConf.create(
        {"model": {"path": "unused", "input_tokenizer": str(folder)}, "worker_kwargs": options}
    )


@pytest.mark.ray
def test_two_workers_put_scores_in_the_batch_and_the_manager_keeps_them(
    local_ray: None, tokenizer_folder: Path, tokenizer: Any, tmp_path: Path
) -> None:
    import ray
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker
    from verl.single_controller.ray import RayClassWithInitArgs, RayResourcePool, RayWorkerGroup

    section = reward_model_section(tokenizer_folder, tmp_path)
    kind = RayClassWithInitArgs(ray.remote(HybridRewardModelWorker), config=section)
    pool = RayResourcePool([2], use_gpu=False, name_prefix="judges", max_colocate_count=1)
    group = RayWorkerGroup(pool, kind, device_name="cpu")
    group.init_model()
    batch = batch_of(tokenizer, WORDS)
    scored = group.compute_rm_score(batch)
    assert scored.batch["rm_scores"].sum(-1).tolist() == [1.0, 0.0, 1.0, 0.0]
    merged = batch.union(scored)
    manager = classic_manager(
        compose(tokenizer_folder, manager_overrides({"policy": "rule_only"})),
        tokenizer,
        {"policy": "rule_only"},
    )
    result = manager(merged, return_dict=True)
    assert result["reward_tensor"].equal(scored.batch["rm_scores"])
    assert tuple(result["reward_extra_info"]) == EXTRA_KEYS
    assert list(result["reward_extra_info"]["hv_graded"]) == [1, 0, 1, 1]


@pytest.mark.skipif(ONLY_LOOP, reason="this verl loads managers by itself")
def test_the_training_entry_registers_translates_and_places_the_worker(tokenizer_folder: Path) -> None:
    import verl.workers.fsdp_workers as workers
    from hybridverify.adapters.verl_main import hydra_arguments, prepare, task_runner
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker
    from verl.trainer import main_ppo
    from verl.workers.reward_manager import get_reward_manager_cls

    runner = task_runner(main_ppo.TaskRunner)
    assert hasattr(runner, "remote") == hasattr(main_ppo.TaskRunner, "remote")
    assert issubclass(plain_class(runner), plain_class(main_ppo.TaskRunner))
    typed = [
        "reward_model.tinyv_setup=addon",
        "reward_model.tinyv_weight=0.5",
        "reward_model.reward_manager=prime",
    ]
    config = compose(tokenizer_folder, hydra_arguments(typed))
    prepare(config)
    assert get_reward_manager_cls(config.reward_model.reward_manager).__name__ == "HybridRewardManager"
    assert config.reward_model.reward_kwargs.tinyv_setup == "addon"

    original = workers.RewardModelWorker
    try:
        typed = [
            "reward_model.enable=True",
            "reward_model.strategy=verifier",
            "reward_model.model.path=/m/gv",
        ]
        config = compose(tokenizer_folder, hydra_arguments(typed))
        prepare(config)
        assert workers.RewardModelWorker is HybridRewardModelWorker
        assert config.reward_model.strategy == "fsdp"
        assert config.reward_model.worker_kwargs.model.path == "/m/gv"
        assert config.reward_model.reward_kwargs.policy == "rule_only"
    finally:
        workers.RewardModelWorker = original


@pytest.mark.ray
def test_the_training_entry_starts_verl_with_our_manager(tokenizer_folder: Path, tmp_path: Path) -> None:
    """As far as a machine without a GPU goes: to the check of the resources, which comes after the managers."""
    arguments = [
        "reward_model.reward_manager=hybridverify" if not ONLY_LOOP else "reward.num_workers=1",
        *([] if ONLY_LOOP else ["+reward_model.reward_kwargs.policy=rule_only"]),
        *training_arguments(tokenizer_folder, tmp_path),
    ]
    command = [sys.executable, "-m", "hybridverify.adapters.verl_main", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=tmp_path)
    output = done.stdout + done.stderr
    assert done.returncode != 0
    if ONLY_LOOP:
        assert "pkg://hybridverify.adapters.verl_reward_loop" in output.splitlines()[-1]
    else:
        assert "policy rule_only, judge none" in output
        assert "is less than total desired GPUs" in output


def training_arguments(folder: Path, tmp_path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (folder / "config.json").write_text(
        json.dumps({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})
    )
    rows = [
        {
            "data_source": "toy/sums",
            "prompt": [{"role": "user", "content": "What is 3+4?"}],
            "reward_model": {"ground_truth": "7", "style": "rule"},
        }
        for _ in range(8)
    ]
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), file)
    one_each = "_micro_batch_size_per_gpu=1"
    return [
        f"data.train_files={file}",
        f"data.val_files={file}",
        "data.train_batch_size=4",
        "trainer.n_gpus_per_node=1",
        "trainer.logger=console",
        f"actor_rollout_ref.model.path={folder}",
        f"critic.model.path={folder}",
        "actor_rollout_ref.rollout.name=hf",
        "actor_rollout_ref.actor.ppo_mini_batch_size=4",
        f"actor_rollout_ref.actor.ppo{one_each}",
        f"critic.ppo{one_each}",
        f"actor_rollout_ref.rollout.log_prob{one_each}",
        f"actor_rollout_ref.ref.log_prob{one_each}",
    ]
