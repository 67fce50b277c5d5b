"""Advantages of graded rows only, through verl's own `compute_advantage` and its v1 trainer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import scripted
from fresh import Parent
from hybridverify.adapters.advantage import COLUMN, ESTIMATORS
from hybridverify.adapters.graded_only import GradedOnly
from hybridverify.adapters.verl_manager import HybridRewardManager
from releases import COLOCATES, HAS_LOOP, STREAMS, VERSION, compose, manager_overrides
from toy import SUMS, WORDS, batch_of, objects

from hybridverify.errors import ConfigError

HERE = Path(__file__).resolve().parent
TRAINERS_NEED = ("torchdata", "peft", "accelerate")
WIDTH = 6
NAMES = sorted(ESTIMATORS)
JUNK = (0.0, 7.5, -3.0, float("nan"), float("inf"))


@pytest.fixture
def trainer() -> Any:
    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    import verl.trainer.ppo.ray_trainer as ray_trainer

    return ray_trainer


def batch(rewards: Sequence[float], groups: Sequence[str], graded: Sequence[Any] | None) -> Any:
    """Rows of one to `WIDTH` tokens with their reward on the last one."""
    import torch
    from verl import DataProto

    mask = torch.zeros(len(rewards), WIDTH, dtype=torch.int64)
    scores = torch.zeros(len(rewards), WIDTH)
    for i, reward in enumerate(rewards):
        tokens = 1 + i % WIDTH
        mask[i, :tokens], scores[i, tokens - 1] = 1, reward
    columns = {"uid": objects(groups)} | ({} if graded is None else {COLUMN: np.array(graded)})
    tensors = {"token_level_rewards": scores, "token_level_scores": scores, "response_mask": mask}
    return DataProto.from_dict(tensors=tensors, non_tensors=columns)


def eights(graded: Sequence[Any] | None, junk: float | None = None) -> Any:
    """Three groups of eight, mixed; where `junk` is given, it is the reward of the rows that are not graded."""
    chance = np.random.default_rng(5)
    rewards = chance.choice([0.0, 0.25, 1.0], 24).tolist()
    groups = chance.permutation([f"group{i % 3}" for i in range(24)]).tolist()
    if graded is not None and junk is not None:
        rewards = [reward if yes else junk for reward, yes in zip(rewards, graded, strict=True)]
    return batch(rewards, groups, graded)


def own(trainer: Any, name: str, data: Any, **named: Any) -> Any:
    """What verl itself makes of it."""
    function = trainer.compute_advantage
    return getattr(function, "__wrapped__", function)(data, adv_estimator=ESTIMATORS[name], **named)


def same(ours: Any, verls: Any) -> None:
    import torch

    for column in ("advantages", "returns"):
        assert ours.batch[column].dtype == verls.batch[column].dtype
        assert torch.equal(ours.batch[column], verls.batch[column])


@pytest.mark.parametrize("normed", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_with_every_row_graded_they_are_verls_own(trainer: Any, name: str, normed: bool) -> None:
    ours = trainer.compute_advantage(
        eights([1] * 24), adv_estimator=name, norm_adv_by_std_in_grpo=normed, config={}
    )
    same(ours, own(trainer, name, eights(None), norm_adv_by_std_in_grpo=normed, config={}))
    assert ours.batch["advantages"].abs().sum() > 0


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("normed", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_rows_ungraded_are_as_if_they_had_never_been_there(
    trainer: Any, name: str, normed: bool, junk: float
) -> None:
    graded = [i % 2 for i in range(24)]
    rows, others = np.flatnonzero(graded), np.flatnonzero(np.logical_not(graded))
    ours = trainer.compute_advantage(
        eights(graded, junk), adv_estimator=name, norm_adv_by_std_in_grpo=normed, config={}
    )
    without = eights(graded).select_idxs(rows)
    assert min(np.unique(without.non_tensor_batch["uid"], return_counts=True)[1]) > 1
    same(ours.select_idxs(rows), own(trainer, name, without, norm_adv_by_std_in_grpo=normed, config={}))
    for column in ("advantages", "returns"):
        assert not ours.batch[column][others].any()  # NaN would count as true
        assert ours.batch[column].shape == (24, WIDTH)


LEFT_OUT = [("failed", 1), ("timed_out", 1), ("undecided", 1), ("bad_reference", 0)]
COUNTED = [("undecided", 0), ("timed_out", 0), ("failed", 0), ("too_long", 1), ("unparseable", 1)]


@pytest.mark.parametrize("name", NAMES)
def test_a_row_is_left_out_for_its_judges_fault_and_counts_for_its_own(trainer: Any, name: str) -> None:
    said = [*LEFT_OUT, *COUNTED, *[("correct", 0), ("incorrect", 1)] * 3]
    rewards = [0.0] * 9 + [1.0, 0.0] * 3
    graded = [int(status in ("correct", "incorrect")) for status, _ in said]

    def told() -> Any:
        data = batch(rewards, ["group"] * 15, graded)
        data.non_tensor_batch["hv_status"] = objects([status for status, _ in said])
        data.non_tensor_batch["hv_judge_asked"] = np.array([asked for _, asked in said])
        return data

    rows = [row for row, one in enumerate(said) if one not in LEFT_OUT]
    ours = trainer.compute_advantage(told(), adv_estimator=name, config={})
    same(ours.select_idxs(rows), own(trainer, name, told().select_idxs(rows), config={}))
    assert not ours.batch["advantages"][: len(LEFT_OUT)].any()
    unread = ours.batch["advantages"][len(LEFT_OUT) : len(LEFT_OUT) + len(COUNTED)].sum(-1)
    assert (unread < 0).all()  # else a policy that is often wrong would seek them


@pytest.mark.skipif(VERSION >= (0, 5, 0), reason="this verl has one mask for several turns, too")
def test_the_mask_of_several_turns_is_verls_own(trainer: Any) -> None:
    graded = [i % 2 for i in range(24)]
    rows, data = np.flatnonzero(graded), eights(graded)
    data.batch["loss_mask"] = data.batch["response_mask"].roll(1, 1)
    without = own(trainer, "hv_grpo", data.select_idxs(rows), multi_turn=True)
    ours = trainer.compute_advantage(data, adv_estimator="hv_grpo", multi_turn=True)
    same(ours.select_idxs(rows), without)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_its_judge_left_alone_teaches_nothing(trainer: Any, name: str) -> None:
    lost = batch([1.0] + [0.0] * 7, ["a"] * 8, [1] + [0] * 7)
    assert not trainer.compute_advantage(lost, adv_estimator=name, config={}).batch["advantages"].any()


@pytest.mark.parametrize("name", NAMES)
def test_a_group_that_was_sampled_as_one_is_verls_own(trainer: Any, name: str) -> None:
    rewards, groups = [1.0, 0.5, 0.0], ["a", "b", "b"]
    ours = trainer.compute_advantage(batch(rewards, groups, [True] * 3), adv_estimator=name, config={})
    same(ours, own(trainer, name, batch(rewards, groups, None), config={}))
    assert ours.batch["advantages"][0, 0] > 0


@pytest.mark.parametrize("name", NAMES)
def test_no_row_graded_gives_zeros(trainer: Any, name: str) -> None:
    ours = trainer.compute_advantage(eights([0] * 24), adv_estimator=name, config={})
    assert not ours.batch["advantages"].any()
    assert ours.batch["advantages"].shape == (24, WIDTH)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("graded", [None, [1] * 23 + [None]])
def test_a_row_of_which_nobody_knows_stops_the_run(trainer: Any, name: str, graded: Any) -> None:
    with pytest.raises(ConfigError, match=f"{1 if graded else 24} of 24 rows came without 'hv_graded'"):
        trainer.compute_advantage(eights(graded), adv_estimator=name, config={})


def test_a_batch_without_groups_stops_the_run(trainer: Any) -> None:
    data = eights([1] * 24)
    data.non_tensor_batch.pop("uid")
    with pytest.raises(ConfigError, match="no 'uid'"):
        trainer.compute_advantage(data, adv_estimator="hv_rloo", config={})


def test_a_trainer_with_code_of_its_own_is_told(trainer: Any) -> None:
    with pytest.raises(ConfigError, match="code of its own"):
        trainer.compute_advantage.__wrapped__(eights([1] * 24), adv_estimator="hv_grpo", config={})


@pytest.mark.parametrize("name", sorted(ESTIMATORS.values()))
def test_verls_names_mean_what_they_meant(trainer: Any, name: str) -> None:
    graded = [i % 2 for i in range(24)]
    ours = trainer.compute_advantage(eights(graded), adv_estimator=name, config={})
    same(ours, trainer.compute_advantage.__wrapped__(eights(None), adv_estimator=name, config={}))


def test_the_columns_of_our_manager_are_enough(trainer: Any, tokenizer: Any) -> None:
    """Words, which rules leave to a judge that fails for every second row of a group; sums, which need none."""
    replies = {"bard of Avon": "True", "Vinci": {"outcome": "failed"}, "light": "False", "eternal": "True"}
    options = {"policy": "addon", "outage_wait_s": 0, "max_ungraded": 1.0, "cache": None}
    manager = HybridRewardManager(tokenizer, 0, judges=[scripted(replies)], **options)
    data = batch_of(tokenizer, [*SUMS, *WORDS], group_size=4)
    result = manager(data, return_dict=True)
    data.batch["token_level_scores"] = data.batch["token_level_rewards"] = result["reward_tensor"]
    data.non_tensor_batch.update({k: np.array(v) for k, v in result["reward_extra_info"].items()})  # as fit()
    rows = [0, 1, 2, 3, 4, 6, 7]
    without = own(trainer, "hv_grpo", data.select_idxs(rows))
    ours = trainer.compute_advantage(data, adv_estimator="hv_grpo")
    same(ours.select_idxs(rows), without)
    assert not ours.batch["advantages"][5].any()


@pytest.mark.skipif(not HAS_LOOP, reason="this verl loads no modules by name")
def test_the_variable_reaches_verl_before_any_trainer_takes_its_functions(fresh: Parent) -> None:
    done = printed(
        fresh,
        "import sys, verl; assert 'verl.trainer.ppo.ray_trainer' not in sys.modules\n"
        "from verl.trainer.ppo.ray_trainer import compute_advantage\n"
        "from verl.trainer.ppo.core_algos import get_adv_estimator_fn\n"
        "print(hasattr(compute_advantage, '__wrapped__'), get_adv_estimator_fn('hv_rloo').__module__)\n",
        VERL_USE_EXTERNAL_MODULES="hybridverify.adapters.advantage",
    )
    assert done.split()[-2:] == ["True", "hybridverify.adapters.advantage"]


@pytest.mark.ray
@pytest.mark.skipif(not HAS_LOOP, reason="this verl loads no modules by name")
def test_the_variable_reaches_the_trainers_process() -> None:
    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    code = (
        "import ray\n"
        "from verl.trainer.constants_ppo import get_ppo_ray_runtime_env\n"
        "ray.init(num_cpus=2, include_dashboard=False, runtime_env=get_ppo_ray_runtime_env())\n"
        "@ray.remote\n"
        "def runner():\n"
        "    from verl.trainer.ppo.ray_trainer import compute_advantage\n"
        "    return hasattr(compute_advantage, '__wrapped__')\n"
        "print(ray.get(runner.remote()))\n"
    )
    variables = {"VERL_USE_EXTERNAL_MODULES": "hybridverify.adapters.advantage"}
    command, environment = [sys.executable, "-W", "ignore", "-c", code], {**os.environ, **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, cwd=HERE, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == "True"


def test_our_manager_brings_them_to_trainers_that_were_there_first(fresh: Parent) -> None:
    done = printed(
        fresh,
        "import verl.trainer.ppo.ray_trainer as trainer\n"
        "from verl.trainer.ppo.ray_trainer import compute_advantage\n"
        "verls = trainer.compute_advantage\n"
        "import hybridverify.adapters.verl_manager, hybridverify.adapters.verl_reward_loop\n"
        "print(trainer.compute_advantage.__wrapped__ is verls is compute_advantage.__wrapped__)\n",
    )
    assert done.split()[-1] == "True"


@pytest.mark.skipif(not COLOCATES, reason="this verl has no v1 trainer")
def test_our_manager_brings_them_to_a_v1_trainer_that_was_there_first(fresh: Parent) -> None:
    pytest.importorskip("transfer_queue")
    done = printed(
        fresh,
        "import verl.trainer.ppo.v1.trainer_base as trainer, verl.trainer.ppo.v1.utils as utils\n"
        "import hybridverify.adapters.verl_reward_loop\n"
        "function = trainer.compute_advantage_for_multi_trajectories\n"
        "places = [function, trainer.PPOTrainer._compute_advantage, utils.compute_advantage]\n"
        "print(all(hasattr(place, '__wrapped__') for place in places))\n",
    )
    assert done.split()[-1] == "True"


@pytest.mark.skipif(not STREAMS, reason="this verl's trainer does not load the loop's manager")
def test_the_trainer_that_only_loads_our_class_has_them(
    fresh: Parent, tokenizer_folder: Any, tmp_path: Path
) -> None:
    from omegaconf import OmegaConf

    OmegaConf.save(compose(tokenizer_folder, manager_overrides({"policy": "rule_only"})), tmp_path / "c.yaml")
    done = printed(
        fresh,
        "import verl.trainer.ppo.ray_trainer as trainer\n"
        "from omegaconf import OmegaConf\n"
        "from verl.trainer.ppo.reward import resolve_reward_manager_cls\n"
        f"resolve_reward_manager_cls(OmegaConf.load({str(tmp_path / 'c.yaml')!r}))\n"
        "print(hasattr(trainer.compute_advantage, '__wrapped__'))\n",
    )
    assert done.split()[-1] == "True"


def printed(fresh: Parent, code: str, **variables: str) -> str:
    """What a process prints that has never imported verl."""
    for package in TRAINERS_NEED:
        pytest.importorskip(package)
    done = fresh.run(code, **variables)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(VERSION >= (0, 6, 0), reason="this verl takes any name of an estimator")
def test_the_trainer_of_old_releases_is_made_with_our_names(trainer: Any, tokenizer_folder: Any) -> None:
    class Trainer(trainer.RayPPOTrainer):  # type: ignore[misc,name-defined]
        def _validate_config(self) -> None:
            assert self.config.algorithm.adv_estimator == "grpo"

        def _create_dataloader(self, *_: Any) -> None:
            pass

    config = compose(tokenizer_folder, ["algorithm.adv_estimator=hv_grpo"])
    roles = {trainer.Role.ActorRollout: object}
    made = Trainer(config, None, roles, None)
    assert made.config.algorithm.adv_estimator == "hv_grpo"
    assert not made.use_critic


@pytest.fixture
def v1() -> Any:
    """Where this release has its v1 trainer: the function for several outputs, and the trainer's class."""
    for package in (*TRAINERS_NEED, "transfer_queue"):
        pytest.importorskip(package)
    if not STREAMS:
        pytest.skip("this verl has no v1 trainer")
    if COLOCATES:
        import verl.trainer.ppo.v1.trainer_base as module
    else:
        import verl.trainer.main_ppo_sync as module
    return module


SESSIONS = ["a_0_0", "a_0_1", "a_1_0", "a_2_0", "a_2_1", "a_3_0", "b_0_0", "b_1_0", "b_1_1", "b_2_0"]
PAID = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]  # each output with its trajectory's reward
KNOWN = [1, 1, 1, 0, 0, 1, 1, 1, 1, 1]
FINAL = [1, 2, 5, 6, 8, 9]  # the last output of each graded trajectory


def sessions(graded: bool = True) -> Any:
    return batch(PAID, [key[0] for key in SESSIONS], KNOWN if graded else None)


def scattered(trainer: Any, data: Any) -> Any:
    """verl's own GRPO on the last outputs of graded trajectories, given to all of their outputs."""
    import torch

    final = own(trainer, "hv_grpo", data.select_idxs(FINAL)).batch["advantages"][:, 0]
    by_session = {SESSIONS[row].rsplit("_", 1)[0]: value for row, value in zip(FINAL, final, strict=True)}
    values = [by_session.get(key.rsplit("_", 1)[0], torch.tensor(0.0)) for key in SESSIONS]
    return torch.stack(values).unsqueeze(-1) * data.batch["response_mask"]


def test_of_several_outputs_the_last_one_counts_as_in_verls_own_grpo(v1: Any, trainer: Any) -> None:
    import torch

    expected = scattered(trainer, sessions())
    ours = v1.compute_advantage_for_multi_trajectories(sessions(), SESSIONS, adv_estimator="hv_grpo")
    assert torch.equal(ours.batch["advantages"], expected)
    assert torch.equal(ours.batch["returns"], expected)
    assert not ours.batch["advantages"][[3, 4]].any()


@pytest.mark.parametrize("name", NAMES)
def test_several_outputs_all_graded_are_verls_own(v1: Any, name: str) -> None:
    own_function = v1.compute_advantage_for_multi_trajectories.__wrapped__
    groups = [key[0] for key in SESSIONS]
    ours = v1.compute_advantage_for_multi_trajectories(
        batch(PAID, groups, [1] * len(PAID)), SESSIONS, adv_estimator=name, config={}
    )
    same(ours, own_function(batch(PAID, groups, None), SESSIONS, adv_estimator=ESTIMATORS[name], config={}))


def test_the_v1_trainer_without_the_column_stops_the_run(v1: Any) -> None:
    with pytest.raises(ConfigError, match="came without 'hv_graded'"):
        v1.compute_advantage_for_multi_trajectories(sessions(False), SESSIONS, adv_estimator="hv_grpo")


def test_the_name_on_its_way_is_equal_to_verls(trainer: Any) -> None:
    estimators = trainer.core_algos.AdvantageEstimator
    assert GradedOnly("grpo") == estimators.GRPO
    assert GradedOnly("rloo") != estimators.GRPO


@pytest.mark.ray
def test_the_v1_trainer_finds_the_column_in_its_queue(v1: Any, trainer: Any, tokenizer_folder: Any) -> None:
    """Its own `_compute_advantage` on a real TransferQueue."""
    import ray
    import torch
    import transfer_queue as tq

    ray.init(num_cpus=8, include_dashboard=False, object_store_memory=100 * 2**20)
    try:
        tq.init()
        config = compose(tokenizer_folder, ["algorithm.adv_estimator=hv_grpo"])
        expected, mask = scattered(trainer, sessions()), sessions().batch["response_mask"].bool()
        for statuses in ([], [("undecided", 0) if yes else ("failed", 1) for yes in KNOWN]):
            graded = [0] * len(KNOWN) if statuses else KNOWN
            for row, advantages in enumerate(advantages_of_v1(v1, config, tq, graded, statuses)):
                assert torch.equal(advantages, expected[row][mask[row]])
        with pytest.raises(ConfigError, match="came without 'hv_graded'"):
            advantages_of_v1(v1, config, tq, [None] * len(SESSIONS))
        config.algorithm.adv_estimator = "grpo"
        assert len(advantages_of_v1(v1, config, tq, [None] * len(SESSIONS))) == len(SESSIONS)
        tq.close()
    finally:
        ray.shutdown()


def advantages_of_v1(
    v1: Any, config: Any, tq: Any, known: Sequence[Any], statuses: Sequence[tuple[str, int]] = ()
) -> list[Any]:
    from verl.utils.tensordict_utils import list_of_dict_to_tensordict

    data, rows = sessions(False), []
    for i, key in enumerate(SESSIONS):
        said = data.batch["response_mask"][i].bool()
        info = {"acc": PAID[i]} if known[i] is None else {"acc": PAID[i], COLUMN: known[i]}
        if statuses:
            info |= {"hv_status": statuses[i][0], "hv_judge_asked": statuses[i][1]}
        tensors = {"rm_scores": data.batch["token_level_rewards"][i][said]}
        tensors |= {"response_mask": data.batch["response_mask"][i][said]}
        rows.append({**tensors, "uid": key[0], "extra_fields": {"reward_extra_info": info}})
    put = list_of_dict_to_tensordict(rows)
    meta = tq.kv_batch_put(keys=SESSIONS, partition_id="train", fields=put, tags=[{}] * len(rows))

    class Trainer(v1.PPOTrainer):  # type: ignore[misc,name-defined]
        pass

    Trainer.__abstractmethods__ = frozenset()
    trainer = Trainer.__new__(Trainer)
    trainer.config = config
    meta = trainer._compute_advantage(meta, {})
    fields = tq.kv_batch_get(keys=SESSIONS, partition_id="train", select_fields=["advantages"])
    tq.kv_clear(keys=SESSIONS, partition_id="train")
    return list(fields["advantages"].unbind())
