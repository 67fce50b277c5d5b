"""The object that a user names as `module:function` (rules, judges, hooks, combinations), and what one is made with."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean


def load(path: str) -> Any:
    """The object named `module:name`. Raises ConfigError that says which half is wrong."""
    module_name, _, name = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ConfigError(f"{path}: cannot import {module_name!r}: {error}") from error
    target: Any = module
    for part in name.split("."):
        if not hasattr(target, part):
            raise ConfigError(f"{path}: {module_name} has no {part!r}; {did_you_mean(part, _public(module))}")
        target = getattr(target, part)
    return target


def _public(module: Any) -> list[str]:
    return [name for name in vars(module) if not name.startswith("__")]


def arguments_of(names: Mapping[str, Any]) -> dict[str, Any]:
    """What a constructor was given, from its `locals()`, looked at before it makes names of its own."""
    return {name: value for name, value in names.items() if name not in ("self", "__class__")}
