"""verl's GRPO and RLOO without the rows that a judge left ungraded: `algorithm.adv_estimator=hv_grpo`, or `hv_rloo`.

To a group-relative trainer the 0 of a row whose judge failed means "wrong": it moves the mean and the deviation of
the whole group. Here the other rows get the advantages that verl itself computes for a batch without this row, and
this row gets 0. An unreadable response counts with its reward (`graded_only.excused`).

Loading this module is enough. Our managers load it in the trainer's process. If none of them runs there,
`VERL_USE_EXTERNAL_MODULES=hybridverify.adapters.advantage` does it (verl 0.6.1 and later). verl gives an estimator
neither `hv_graded` nor any other column, so the verl functions that have these columns are wrapped by a companion
(graded_only.py).
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
    "verl.trainer.ppo.v1.utils",  # 0.9.0 and later: trajectories of several outputs
    "verl.trainer.ppo.v1.trainer_base",  # 0.9.0 and later: columns in a queue
    "verl.trainer.main_ppo_sync",  # 0.8.0: both in one
)
MARK = "_of_hybridverify"

COMPANIONS = {
    "compute_advantage": with_graded_rows,
    "compute_advantage_for_multi_trajectories": with_outputs,
}


@cache
def install() -> None:
    """Make our names known to verl, in loaded modules and in those loaded later. Loading this module calls it."""
    after_import([REGISTRY], _enter)
    after_import(TRAINERS, _accompany)
    for module in list(sys.modules.values()):  # trainers that have already imported the functions by name
        if COMPANIONS.keys() & getattr(module, "__dict__", {}).keys():
            _accompany(module)


def _accompany(module: ModuleType) -> None:
    """Replace verl's functions in one module by companions. Doing it again changes nothing."""
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
    """Whether it is a function or class of verl, in whatever module it is found."""
    return str(getattr(thing, "__module__", "")).startswith("verl.")


def _put(owner: Any, name: str, companion: Callable[..., Any]) -> None:
    original = getattr(owner, name)
    if not hasattr(original, MARK):
        replaced = companion(original)
        setattr(replaced, MARK, True)
        setattr(owner, name, replaced)


def _enter(registry: ModuleType) -> None:
    """Register our names with verl. The registered functions are never called: a companion answers before."""
    for name in ESTIMATORS:
        if name not in registry.ADV_ESTIMATOR_REGISTRY:
            registry.register_adv_est(name)(_unaccompanied)


def _unaccompanied(**_: Any) -> Any:
    raise ConfigError(
        "algorithm.adv_estimator=hv_grpo or hv_rloo: this trainer computes advantages by code of its own, which does "
        f"not tell which rows have a grade ({COLUMN!r}); take verl's trainer, or choose grpo or rloo"
    )


install()
