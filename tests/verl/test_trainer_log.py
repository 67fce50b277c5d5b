"""Our numbers in the log of verl's own trainer: validation and training, through its own functions."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import scripted
from fresh import Parent
from hybridverify.adapters.graders import close_graders
from hybridverify.adapters.status import EXTRA_KEYS
from hybridverify.adapters.trainer_log import NAME, log_in_trainer
from hybridverify.adapters.verl_manager import HybridRewardManager
from releases import COLOCATES, STREAMS, compose, manager_overrides
from toy import SUMS, WORDS, batch_of

REPLIES = {"bard of Avon": "True", "Vinci": {"outcome": "failed"}, "": "False"}
OPTIONS = {"policy": "addon", "outage_wait_s": 0, "max_ungraded": 1.0, "cache": None}
V1_TENSORS = ("token_level_rewards", "advantages", "returns", "values")
EXPECTED = {"hv/rows": 8, "hv/asked": 4, "hv/rescued": 1, "hv/ungraded": 1}


def scored(tokenizer: Any) -> Any:
    """A batch as the trainer holds it when it logs a step: with its rewards and the columns beside them."""
    import torch

    manager = HybridRewardManager(tokenizer, 0, judges=[scripted(REPLIES)], **OPTIONS)
    batch = batch_of(tokenizer, [*SUMS, *WORDS])
    result = manager(batch, return_dict=True)
    columns = {key: np.array(values) for key, values in result["reward_extra_info"].items()}
    batch.non_tensor_batch.update(columns)  # as fit() does
    for name in ("token_level_scores", "token_level_rewards", "advantages", "returns"):
        batch.batch[name] = result["reward_tensor"].clone()
    assert isinstance(batch.batch["token_level_scores"], torch.Tensor)
    return batch


@pytest.fixture
def trainer() -> Any:
    """The trainer's module with its own function, which is given back afterwards."""
    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    import verl.trainer.ppo.metric_utils as metric_utils
    import verl.trainer.ppo.ray_trainer as ray_trainer

    close_graders()  # those of other tests: a trainer's process has one
    own = getattr(metric_utils.compute_data_metrics, "__wrapped__", metric_utils.compute_data_metrics)
    ray_trainer.compute_data_metrics = metric_utils.compute_data_metrics = own
    yield ray_trainer
    ray_trainer.compute_data_metrics = metric_utils.compute_data_metrics = own


def test_a_training_step_logs_them_beside_verls_own(trainer: Any, tokenizer: Any) -> None:
    batch = scored(tokenizer)  # the manager is made where the trainer runs
    own = trainer.compute_data_metrics.__wrapped__(batch=batch, use_critic=False)
    logged = trainer.compute_data_metrics(batch=batch, use_critic=False)
    assert {name: value for name, value in logged.items() if name in own} == own
    assert {name: logged[name] for name in EXPECTED} == EXPECTED
    assert logged["hv/judge/asked"] >= 4.0
    assert all(name.startswith("hv/") for name in logged.keys() - own.keys())
    for name in ("hv/rows", "hv/monitor/rescued"):
        assert isinstance(float(logged[name]), float)


def test_they_go_through_verls_own_logger(
    trainer: Any, tokenizer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from verl.utils.tracking import Tracking

    logger = Tracking("project", "experiment", default_backend=["console"], config={})
    batch = scored(tokenizer)
    logger.log(data=trainer.compute_data_metrics(batch=batch, use_critic=False), step=7)
    assert "hv/rescued:1" in capsys.readouterr().out.replace(".0", "")


def test_rows_of_other_managers_change_nothing(trainer: Any, tokenizer: Any) -> None:
    batch = scored(tokenizer)
    for name in [name for name in batch.non_tensor_batch if name.startswith("hv_")]:
        batch.non_tensor_batch.pop(name)
    own = trainer.compute_data_metrics.__wrapped__(batch=batch, use_critic=False)
    assert trainer.compute_data_metrics(batch=batch, use_critic=False) == own


def test_doing_it_again_changes_nothing(trainer: Any) -> None:
    log_in_trainer()
    once = getattr(trainer, NAME)
    log_in_trainer()
    assert getattr(trainer, NAME) is once
    assert not hasattr(once.__wrapped__, "__wrapped__")


def test_a_validation_logs_the_columns_by_itself(tokenizer: Any) -> None:
    from verl.trainer.ppo.metric_utils import process_validation_metrics

    batch = scored(tokenizer)
    lists: dict[str, list[Any]] = defaultdict(list)
    for key in ("acc", "hv_graded", "hv_judge_asked", "hv_rule_score", "hv_judge_score"):
        lists[key] += batch.non_tensor_batch[key].tolist()
    sources = batch.non_tensor_batch["data_source"].tolist()
    prompts = [f"prompt {i}" for i in range(len(batch))]
    (metrics,) = process_validation_metrics(sources, prompts, dict(lists)).values()
    assert metrics["hv_graded"]["mean@1"] == pytest.approx(7 / 8)
    assert metrics["hv_judge_asked"]["mean@1"] == pytest.approx(4 / 8)


TRAINERS_NEED = ("torchdata", "peft", "accelerate")
DRIVER = """
import sys
import verl.trainer.ppo.ray_trainer as trainer
from omegaconf import OmegaConf
from verl.trainer.ppo.reward import resolve_reward_manager_cls

assert not hasattr(trainer.compute_data_metrics, "__wrapped__")
print(resolve_reward_manager_cls(OmegaConf.load(sys.argv[1])).__name__)
assert hasattr(trainer.compute_data_metrics, "__wrapped__")
"""


@pytest.mark.skipif(not STREAMS, reason="this verl's trainer does not load the loop's manager")
def test_the_trainer_that_only_loads_our_class_logs_them_as_well(
    fresh: Parent, tokenizer_folder: Any, tmp_path: Path
) -> None:
    from omegaconf import OmegaConf

    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    OmegaConf.save(compose(tokenizer_folder, manager_overrides({"policy": "rule_only"})), tmp_path / "c.yaml")
    done = fresh.run(DRIVER, str(tmp_path / "c.yaml"))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == "HybridRewardManager"


def test_a_trainer_that_is_loaded_after_our_manager_logs_them_as_well(fresh: Parent) -> None:
    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    code = (
        "from hybridverify.adapters.trainer_log import log_in_trainer\n"
        "log_in_trainer()\n"
        "import verl.trainer.ppo.ray_trainer as trainer\n"
        "assert hasattr(trainer.compute_data_metrics, '__wrapped__')\n"
    )
    done = fresh.run(code)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.ray
@pytest.mark.skipif(not COLOCATES, reason="this verl has no v1 trainer")
def test_the_v1_trainer_logs_them_out_of_its_queue(tokenizer_folder: Any, tokenizer: Any) -> None:
    """Its own `_compute_metrics` on a real TransferQueue; what only a GPU's trainer has is left out."""
    for package in (*TRAINERS_NEED, "transfer_queue"):
        pytest.importorskip(package)
    import ray
    import transfer_queue as tq

    ray.init(num_cpus=8, include_dashboard=False, object_store_memory=100 * 2**20)
    try:
        tq.init()
        assert logged_by_v1(tokenizer_folder, tokenizer, tq) == EXPECTED
        tq.close()
    finally:
        ray.shutdown()


def logged_by_v1(folder: Any, tokenizer: Any, tq: Any) -> dict[str, float]:
    import torch
    import verl.trainer.ppo.v1.trainer_base as trainer_base
    from verl.utils.tensordict_utils import list_of_dict_to_tensordict

    log_in_trainer()
    batch = scored(tokenizer)
    valid = batch.batch["attention_mask"].bool()
    width = batch.batch["responses"].shape[-1]
    rows, tags = [], []
    for i in range(len(batch)):
        said = valid[i, -width:]
        one = dict.fromkeys(("rm_scores", *V1_TENSORS), batch.batch["token_level_scores"][i][said])
        info = {name: batch.non_tensor_batch[name][i].item() for name in EXTRA_KEYS}
        rows.append(
            {
                **one,
                "prompts": batch.batch["prompts"][i][valid[i, :-width]],
                "responses": batch.batch["responses"][i][said],
                "response_mask": torch.ones(int(said.sum()), dtype=torch.int64),
                "num_turns": 2,
                "extra_fields": {"reward_extra_info": info},
            }
        )
        tags.append({"min_global_steps": 0, "max_global_steps": 0})
    keys = [f"row{i}_0_0" for i in range(len(rows))]
    meta = tq.kv_batch_put(
        keys=keys, partition_id="train", fields=list_of_dict_to_tensordict(rows), tags=tags
    )

    class Trainer(trainer_base.PPOTrainer):  # type: ignore[misc]
        def _get_n_gpus_for_throughput(self) -> int:
            return 1

    Trainer.__abstractmethods__ = frozenset()
    trainer = Trainer.__new__(Trainer)
    trainer.config, trainer.use_critic = compose(folder), False
    trainer._rollout_moe_lb_metrics_accumulator = None
    metrics: dict[str, float] = {}
    trainer._compute_metrics(meta, metrics, {"step": 1.0}, global_steps=1, epoch=0)
    assert metrics["training/global_step"] == 1
    return {name: metrics[name] for name in EXPECTED}
