"""The reward-model worker in a Ray worker group, and the training entry that puts it there."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import (
    HAS_LOOP,
    LOADS_PACKAGES,
    ONLY_LOOP,
    classic_manager,
    compose,
    manager_overrides,
    plain_class,
)
from toy import SUM_SCORES, SUMS, WORDS, batch_of

needs_entry = pytest.mark.skipif(ONLY_LOOP, reason="this verl loads managers by itself")
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


@needs_entry
def test_the_training_entry_registers_the_manager_and_reads_tinyvs_settings(tokenizer_folder: Path) -> None:
    from hybridverify.adapters.verl_main import hydra_arguments, prepare, task_runner
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


@pytest.fixture
def fsdp_workers() -> Iterator[Any]:
    import verl.workers.fsdp_workers as workers

    original = workers.RewardModelWorker
    yield workers
    workers.RewardModelWorker = original


VERIFIER = ["reward_model.enable=True", "reward_model.strategy=verifier", "reward_model.model.path=/m/gv"]
SEVERAL = [
    "reward_model.enable=True",
    "reward_model.reward_function=[rider_reward,consistency_reward]",
    "reward_model.model.path=[/m/a,/m/b]",
    "reward_model.reward_vllm_rollout.temperature=[0.7,0.7]",
    "reward_model.reward_vllm_rollout.gpu_memory_utilization=[0.8,0.8]",
    "reward_model.reward_weight=[0.3,0.5]",
    "reward_model.reward_combine_func=['add','add']",
    "reward_model.reward_model_type=grm",
    "reward_model.combine_reward=True",
]


@needs_entry
@pytest.mark.parametrize("typed", [VERIFIER, SEVERAL], ids=["verifier", "several"])
def test_engines_of_earlier_systems_go_to_our_worker(
    tokenizer_folder: Path, fsdp_workers: Any, typed: list[str]
) -> None:
    from hybridverify.adapters.options import parse_options
    from hybridverify.adapters.verl_main import hydra_arguments, prepare
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

    config = compose(tokenizer_folder, hydra_arguments(typed))
    prepare(config)
    section = config.reward_model
    assert fsdp_workers.RewardModelWorker is HybridRewardModelWorker
    assert (section.enable, section.strategy, section.reward_manager) == (True, "fsdp", "hybridverify")
    assert section.reward_kwargs.policy == "rule_only"
    settings = parse_options(section.worker_kwargs).settings
    assert settings["policy"] == ("judge_only" if typed is VERIFIER else "sum")
    assert {judge["backend"]["name"] for judge in settings["judges"]} == {"vllm"}


@needs_entry
def test_a_server_in_place_of_the_engine_needs_no_worker(tokenizer_folder: Path, fsdp_workers: Any) -> None:
    from hybridverify.adapters.verl_main import hydra_arguments, prepare

    original = fsdp_workers.RewardModelWorker
    typed = [*VERIFIER, "+reward_model.reward_kwargs.base_url=http://judge:8000/v1"]
    config = compose(tokenizer_folder, hydra_arguments(typed))
    prepare(config)
    assert fsdp_workers.RewardModelWorker is original
    assert config.reward_model.enable is False
    manager = classic_manager(config, None, {})
    assert (
        manager.options.describe()
        == "policy judge_only, judge general_verifier (/m/gv) at http://judge:8000/v1"
    )


@needs_entry
def test_plain_verl_settings_are_left_alone(tokenizer_folder: Path) -> None:
    from hybridverify.adapters.verl_main import prepare

    config = compose(tokenizer_folder)
    before = copy.deepcopy(config)
    prepare(config)
    assert config == before


@needs_entry
@pytest.mark.ray
@pytest.mark.skipif(not HAS_LOOP, reason="this verl has no reward loop")
def test_reward_actors_find_the_manager_by_name(
    local_ray: None, tokenizer_folder: Path, tokenizer: Any
) -> None:
    import ray
    from hybridverify.adapters.verl_main import prepare

    if LOADS_PACKAGES:
        from verl.experimental.reward_loop import RewardLoopWorker as Worker
    else:
        from verl.experimental.reward.reward_manager import RewardManagerWorker as Worker
    options = {"policy": "rule_only", "cache": None}
    typed = ["reward_model.reward_manager=hybridverify"]
    typed += [one for one in manager_overrides(options) if one.startswith("+")]
    config = compose(tokenizer_folder, typed)
    prepare(config)
    worker = Worker.remote(config, None)
    batch = batch_of(tokenizer, SUMS)
    outputs = ray.get([worker.compute_score.remote(batch[i : i + 1]) for i in range(len(batch))])
    assert [output["reward_score"] for output in outputs] == SUM_SCORES


@pytest.mark.ray
def test_the_training_entry_starts_verl_with_our_manager(tokenizer_folder: Path, tmp_path: Path) -> None:
    """As far as a machine without a GPU goes: to the check of the resources, which comes after the managers."""
    arguments = [
        "reward_model.reward_manager=hybridverify" if not ONLY_LOOP else "reward.num_workers=1",
        *([] if ONLY_LOOP else ["+reward_model.reward_kwargs.policy=rule_only"]),
        *training_arguments(tokenizer_folder, tmp_path),
    ]
    command = [sys.executable, "-m", "hybridverify.adapters.verl_main", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, cwd=tmp_path)
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
