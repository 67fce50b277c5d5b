"""verl's GRPO and RLOO without the rows that a judge left ungraded: `algorithm.adv_estimator=hv_grpo`, or `hv_rloo`.

To a group-relative trainer the 0 of a row whose judge failed means "wrong": it moves the mean and the deviation of the
whole group. Here the advantages of the other rows are what verl itself computes for a batch that never held it, and it
gets 0. A response that nobody can read counts with what it is paid (`graded_only.excused`).

Loading this module is all that is needed. Our managers do it in the trainer's process; where none of them lives there,
`VERL_USE_EXTERNAL_MODULES=hybridverify.adapters.advantage` does (verl 0.6.1 on). verl hands an estimator neither
`hv_graded` nor any other column, so its functions that have them get a companion (graded_only.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from hybridverify.adapters.after_import import after_import
from hybridverify.adapters.graded_only import (
    COLUMN,
    ESTIMATORS,
    with_graded_rows,
    with_our_names,
    with_outputs,
    with_queue,
)

from hybridverify.errors import ConfigError

__all__ = ["COLUMN", "ESTIMATORS", "install"]

REGISTRY = "verl.trainer.ppo.core_algos"
TRAINERS = (
    "verl.trainer.ppo.ray_trainer",
    "verl.trainer.ppo.v1.utils",  # 0.9.0 on: trajectories of several outputs
    "verl.trainer.ppo.v1.trainer_base",  # 0.9.0 on: columns in a queue
    "verl.trainer.main_ppo_sync",  # 0.8.0's form of both
)
MARK = "_of_hybridverify"

COMPANIONS = {
    "compute_advantage": with_graded_rows,
    "compute_advantage_for_multi_trajectories": with_outputs,
}


@cache
def install() -> None:
    """Make our names known to verl, in modules that are loaded and in those that will be; loading this one does it."""
    after_import([REGISTRY], _enter)
    after_import(TRAINERS, _accompany)
    for module in list(sys.modules.values()):  # trainers that have taken the functions into their own already
        if COMPANIONS.keys() & getattr(module, "__dict__", {}).keys():
            _accompany(module)


def _accompany(module: ModuleType) -> None:
    """Put companions in the place of verl's functions in one module; again changes nothing."""
    names = vars(module)
    for name, companion in COMPANIONS.items():
        if _verls(names.get(name)):
            _put(module, name, companion)
    v1, v0 = names.get("PPOTrainer"), names.get("RayPPOTrainer")
    if _verls(v1) and hasattr(v1, "_compute_advantage"):
        _put(v1, "_compute_advantage", with_queue)
    if _verls(v0) and module.__name__ == TRAINERS[0] and "need_critic" not in names:  # 0.4.1, 0.5.0
        _put(v0, "__init__", with_our_names)


def _verls(thing: Any) -> bool:
    """True for a function or class of verl, wherever it was taken to."""
    return str(getattr(thing, "__module__", "")).startswith("verl.")


def _put(owner: Any, name: str, companion: Callable[..., Any]) -> None:
    original = getattr(owner, name)
    if not hasattr(original, MARK):
        replaced = companion(original)
        setattr(replaced, MARK, True)
        setattr(owner, name, replaced)


def _enter(registry: ModuleType) -> None:
    """Make verl know our names. What it calls is never they: a companion has answered before, wherever one is."""
    for name in ESTIMATORS:
        if name not in registry.ADV_ESTIMATOR_REGISTRY:
            registry.register_adv_est(name)(_unaccompanied)


def _unaccompanied(**_: Any) -> Any:
    raise ConfigError(
        "algorithm.adv_estimator=hv_grpo or hv_rloo: this trainer computes advantages by code of its own, which does "
        f"not tell which rows have a grade ({COLUMN!r}); take verl's trainer, or choose grpo or rloo"
    )


install()
