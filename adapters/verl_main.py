"""verl's own training entry point with our classes registered, for 0.4.1 to 0.7.0, which have no hook for that.

    python -m hybridverify.adapters.verl_main reward_model.reward_manager=hybridverify [verl's own arguments]

Three things are added to `verl.trainer.main_ppo`: the manager is registered before its name is looked up; with
`reward_model.strategy=verifier` the reward-model worker is ours; and the settings of the earlier systems (systems.py)
are read where their users put them. Later releases take `pkg://` paths and need none of this.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Sequence
from typing import Any

from hybridverify.adapters.options import engine_of, parse_options
from hybridverify.adapters.overlong import completed
from hybridverify.adapters.programs import refuse_sandbox
from hybridverify.adapters.registration import LOOP_BASES, NAMES, base_class
from hybridverify.adapters.systems import FOREIGN_KEYS, from_reward_model

logger = logging.getLogger(__name__)

LOOP_MODULE = "hybridverify.adapters.verl_reward_loop"
NAME, CLASS = NAMES
NESTED_KEYS = ("rollout.gpu_memory_utilization", "model.tensor_model_parallel_size", "micro_batch_size")
"""Keys of the earlier systems inside sections of verl's, which not every release has."""
NESTED_SECTIONS = ("reward_model.reward_vllm_rollout.", "reward_model.overlong_buffer.")
LAST_WITH_CLASSIC_MANAGERS = (0, 7, 0)


def main() -> None:
    """Run verl's `main_ppo` with the arguments of the command line."""
    _check_version()  # first: the imports of main_ppo differ from release to release
    import verl.trainer.main_ppo as main_ppo

    sys.argv[1:] = hydra_arguments(sys.argv[1:])
    main_ppo.TaskRunner = task_runner(main_ppo.TaskRunner)
    main_ppo.main()


def hydra_arguments(arguments: Sequence[str]) -> list[str]:
    """Arguments of the earlier systems, with hydra's mark for keys that verl's own file does not have.

    >>> hydra_arguments(["reward_model.tinyv_setup=addon", "trainer.nnodes=1"])
    ['++reward_model.tinyv_setup=addon', 'trainer.nnodes=1']
    """
    foreign = {f"reward_model.{name}" for name in (*FOREIGN_KEYS, *NESTED_KEYS)} | {
        "trainer.rollout_data_dir"
    }
    return [_marked(argument, foreign) for argument in arguments]


def _marked(argument: str, foreign: set[str]) -> str:
    name = argument.lstrip("+").split("=")[0]
    if name in foreign or name.startswith(NESTED_SECTIONS):
        return f"++{argument.lstrip('+')}"
    return argument


def task_runner(verls: Any) -> Any:
    """verl's TaskRunner (a Ray actor class up to 0.5.0, plain from 0.6.0 on) that calls `prepare` before `run`."""
    is_actor = hasattr(verls, "__ray_metadata__")
    plain: Any = verls.__ray_metadata__.modified_class if is_actor else verls

    class TaskRunner(plain):  # type: ignore[misc]
        def run(self, config: Any) -> Any:
            prepare(config)
            return super().run(config)

    if not is_actor:
        return TaskRunner
    import ray

    return ray.remote(num_cpus=1)(TaskRunner)


def prepare(config: Any) -> None:
    """In the trainer's process: register, translate settings, and replace the reward model's worker by ours."""
    from omegaconf import OmegaConf, open_dict

    _register()
    legacy = config.reward_model
    share = OmegaConf.select(config, "actor_rollout_ref.rollout.gpu_memory_utilization")
    with open_dict(config):
        wanted = from_reward_model(legacy, share)
        given = dict(legacy.get("reward_kwargs") or {})
        if wanted or legacy.get("reward_manager") in NAMES:
            given = completed(given, config.data, legacy)
            if given:
                legacy.reward_kwargs = given
        if wanted:
            legacy.reward_manager = NAME
            if config.get("reward_manager") is not None and config.reward_manager.get("source") == "register":
                config.reward_manager.name = NAME
            _place(legacy, {**wanted, **given})
        if legacy.get("reward_manager") in NAMES:
            options = parse_options(legacy.get("worker_kwargs") or legacy.get("reward_kwargs") or {})
            refuse_sandbox(options.settings, legacy.get("sandbox_fusion"), config.get("sandbox_fusion"))
            _reach_reward_actors(config)


def _place(legacy: Any, given: dict[str, Any]) -> None:
    """Choose who asks the judges: the manager if they are on servers, a worker with a GPU if one is an engine."""
    judges = parse_options(given).settings.get("judges") or ()
    if not any(map(engine_of, judges)):
        legacy.reward_kwargs = given
        legacy.enable = False  # their reward models are judges of ours, not verl's
        return
    import verl.workers.fsdp_workers as workers
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

    workers.RewardModelWorker = HybridRewardModelWorker
    legacy.strategy = "fsdp"  # the one whose class was replaced: verl has no `verifier`
    legacy.enable = True
    legacy.worker_kwargs = given
    if "use_reward_loop" in legacy:
        legacy.use_reward_loop = False  # 0.7.0 would host the model in its own way
    logger.warning(
        "validation never asks a reward-model worker: it is graded by rules alone. To judge it as well, serve the "
        "judge and give +reward_model.reward_kwargs.base_url"
    )
    legacy.reward_kwargs = {"policy": "rule_only"}


def _reach_reward_actors(config: Any) -> None:
    """The reward actors of 0.6.1 and 0.7.0 are processes of their own, in which our package is not imported. Each
    release loads one thing by path before it looks a name up."""
    legacy, function = config.reward_model, config.custom_reward_function
    if base_class(LOOP_BASES) is object:
        return
    if "reward_loop_source" in legacy:
        if legacy.reward_loop_source == "register":
            legacy.reward_loop_source = "importlib"
            legacy.reward_loop_module_path = f"pkg://{LOOP_MODULE}"
            legacy.reward_loop_class_name = CLASS
    elif not function.get("path"):
        function.path, function.name = str(importlib.import_module(LOOP_MODULE).__file__), CLASS


def _register() -> None:
    for module in ("hybridverify.adapters.verl_manager", LOOP_MODULE):
        importlib.import_module(module)


def _check_version() -> None:
    import verl

    numbers = tuple(int("".join(filter(str.isdigit, part)) or 0) for part in verl.__version__.split(".")[:3])
    if numbers > LAST_WITH_CLASSIC_MANAGERS:
        raise SystemExit(
            f"verl {verl.__version__} loads managers by itself: start verl.trainer.main_ppo with "
            "reward.reward_manager.source=importlib reward.reward_manager.name=HybridRewardManager "
            "reward.reward_manager.module.path=pkg://hybridverify.adapters.verl_reward_loop"
        )


if __name__ == "__main__":
    main()
