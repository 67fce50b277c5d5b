"""What differs between the releases of verl, and the ways into its own code that the tests take.

Nothing of verl is replaced where a real entry point exists: configurations are composed from its own files,
managers are built by its loaders, and rows travel through its workers.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import verl

VERSION = tuple(int(re.sub(r"\D", "", part) or 0) for part in verl.__version__.split(".")[:3])
HAS_LOOP = VERSION >= (0, 6, 1)
LOADS_PACKAGES = VERSION >= (0, 7, 0)
ONLY_LOOP = VERSION >= (0, 7, 1)
STREAMS = VERSION >= (0, 8, 0)
COLOCATES = VERSION >= (0, 9, 0)

LOOP_MODULE = "hybridverify.adapters.verl_reward_loop"
CLASSIC_MODULE = "hybridverify.adapters.verl_manager"
FUNCTION_MODULE = "hybridverify.adapters.reward_function"
CLASS = "HybridRewardManager"


def compose(tokenizer_folder: Path, overrides: Sequence[str] = ()) -> Any:
    """verl's own ppo_trainer.yaml with what a user would type."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir

    base = [f"actor_rollout_ref.model.path={tokenizer_folder}"]
    if ONLY_LOOP:
        base.append("reward.num_workers=2")
    folder = os.path.join(os.path.dirname(verl.__file__), "trainer", "config")
    with initialize_config_dir(config_dir=folder, version_base=None):
        return hydra_compose("ppo_trainer", overrides=[*base, *overrides])


def manager_overrides(options: Mapping[str, Any]) -> list[str]:
    """The command line that chooses our managers, with options."""
    root = "reward" if ONLY_LOOP else "reward_model"
    given = [f"+{root}.reward_kwargs.{name}={hydra_value(value)}" for name, value in options.items()]
    if ONLY_LOOP:
        return [
            "reward.reward_manager.source=importlib",
            f"reward.reward_manager.name={CLASS}",
            f"reward.reward_manager.module.path=pkg://{LOOP_MODULE}",
            *given,
        ]
    if LOADS_PACKAGES:
        return [
            "reward_manager.source=importlib",
            f"reward_manager.name={CLASS}",
            f"reward_manager.module.path=pkg://{CLASSIC_MODULE}",
            "reward_model.reward_loop_source=importlib",
            f"reward_model.reward_loop_module_path=pkg://{LOOP_MODULE}",
            f"reward_model.reward_loop_class_name={CLASS}",
            *given,
        ]
    return ["reward_model.reward_manager=hybridverify", *given]


def function_overrides(name: str, options: Mapping[str, Any], manager: str = "naive") -> list[str]:
    """The command line that puts a reward function of ours under one of verl's own managers."""
    import importlib

    root = "reward." if ONLY_LOOP else ""
    path = (
        f"pkg://{FUNCTION_MODULE}"
        if LOADS_PACKAGES
        else str(importlib.import_module(FUNCTION_MODULE).__file__)
    )
    who = (
        "reward.reward_manager.name"
        if ONLY_LOOP
        else "reward_manager.name"
        if LOADS_PACKAGES
        else "reward_model.reward_manager"
    )
    return [
        f"{root}custom_reward_function.path={path}",
        f"{root}custom_reward_function.name={name}",
        f"{who}={manager}",
        *(
            f"+{root}custom_reward_function.reward_kwargs.{key}={hydra_value(value)}"
            for key, value in options.items()
        ),
    ]


def hydra_value(value: Any) -> str:
    """A value in hydra's grammar: JSON, but for bare keys."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {hydra_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(hydra_value(item) for item in value) + "]"
    return json.dumps(value)


def plain_class(cls: Any) -> Any:
    """The class behind @ray.remote, with which 0.6.1 and 0.7.0 decorate their workers."""
    return cls.__ray_metadata__.modified_class if hasattr(cls, "__ray_metadata__") else cls


class LoopWorker:
    """verl's reward worker with our manager in it, as it lives in a Ray actor, without Ray."""

    def __init__(self, config: Any) -> None:
        if not LOADS_PACKAGES:
            import importlib

            importlib.import_module(LOOP_MODULE)
            from verl.experimental.reward.reward_manager import RewardManagerWorker as Worker
        else:
            from verl.experimental.reward_loop import RewardLoopWorker as Worker
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)

        async def build() -> Any:  # 0.6.1 looks for a running loop, which an async actor has
            return plain_class(Worker)(config, None)

        if ONLY_LOOP:
            self.worker = plain_class(Worker)(config, None)
        else:
            self.worker = self.loop.run_until_complete(build())

    @property
    def manager(self) -> Any:
        return getattr(self.worker, "reward_manager", None) or self.worker.reward_loop

    def score(self, batch: Any) -> list[dict[str, Any]]:
        """What the worker answers for each row of a batch, all rows in flight at once."""

        async def gather() -> list[dict[str, Any]]:
            if hasattr(self.worker, "compute_score_batch"):
                return list(await self.worker.compute_score_batch(batch))
            return list(
                await asyncio.gather(
                    *(self.worker.compute_score(batch[i : i + 1]) for i in range(len(batch)))
                )
            )

        return self.run(gather())

    def run(self, coroutine: Any) -> Any:
        return getattr(self.manager, "loop", self.loop).run_until_complete(coroutine)


def classic_manager(config: Any, tokenizer: Any, options: Mapping[str, Any]) -> Any:
    """The classic manager, built as the trainer of that release builds it, or as 0.7.0 did where it no longer does."""
    import importlib

    cls = getattr(importlib.import_module(CLASSIC_MODULE), CLASS)
    if ONLY_LOOP:
        return cls(
            tokenizer=tokenizer, num_examine=0, compute_score=None, reward_fn_key="data_source", **options
        )
    from verl.trainer.ppo.reward import load_reward_manager

    given = config.reward_model.get("reward_kwargs", {})
    manager = load_reward_manager(config, tokenizer, num_examine=0, **given)
    assert type(manager).__name__ == CLASS
    return manager
