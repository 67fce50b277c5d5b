"""The base classes and registries of verl, which differ from release to release.

Our managers are registered under a name once, however often and from wherever a module is loaded. verl loads a file
given by path as a new module each time, and a second class of that name must not stop it.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable
from typing import Any

logger = logging.getLogger(__name__)

NAMES = ("hybridverify", "HybridRewardManager")
"""The values for `reward_manager=`: the name, and the class name for users who type that."""

CLASSIC_REGISTRIES = ("verl.workers.reward_manager",)
LOOP_REGISTRIES = (
    "verl.experimental.reward_loop.reward_manager.registry",  # 0.7.0 and later
    "verl.experimental.reward.reward_loop.registry",  # 0.6.1
)


CLASSIC_BASES = (("verl.workers.reward_manager.abstract", "AbstractRewardManager"),)  # 0.6.0 and later
LOOP_BASES = (
    ("verl.experimental.reward_loop.reward_manager.base", "RewardManagerBase"),  # 0.7.0 and later
    ("verl.experimental.reward.reward_loop.base", "RewardLoopManagerBase"),  # 0.6.1
)


def base_class(candidates: Iterable[tuple[str, str]]) -> Any:
    """The first class that can be imported, else `object`: our managers also work without a base."""
    for module, name in candidates:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    return object


def register(manager: type, registries: Iterable[str]) -> None:
    """Enter `manager` in the first registry that this verl has. A name that is taken is left alone."""
    for module_name in registries:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in NAMES:
            _register_one(module.register, name, manager)
        return


def _register_one(register: object, name: str, manager: type) -> None:
    try:
        register(name)(manager)  # type: ignore[operator]
    except ValueError as error:  # a class of that name is registered: ours, loaded in another way
        logger.debug("reward manager %s is registered already: %s", name, error)
