"""Checks and converts the arguments of `Verifier`; every fault is a ConfigError that names the key."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridverify.cache import Cache, NoCache, ScoreCache
from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError, did_you_mean, refuse_unknown
from hybridverify.judges.base import Judge
from hybridverify.policies import Reward


def make_cache(setting: object) -> tuple[Cache, str]:
    """The store and its namespace for a `cache` argument."""
    if setting is None:
        return NoCache(), ""
    if isinstance(setting, (str, os.PathLike)):
        return ScoreCache(Path(setting)), ""
    if isinstance(setting, Mapping):
        refuse_unknown("cache", setting, ("namespace", "path"))
        namespace = str(setting.get("namespace") or "")
        return ScoreCache(setting.get("path") or None, namespace), namespace
    if isinstance(setting, Cache):
        return setting, setting.namespace
    raise ConfigError(f"cache: expected None, a folder or a ScoreCache, got {type(setting).__name__}")


def make_conventions(where: str, setting: Mapping[str, Any] | Conventions | None) -> Conventions:
    """Conventions from a mapping; a `Conventions` is returned as it is."""
    if isinstance(setting, Conventions):
        return setting
    if setting is not None and not isinstance(setting, Mapping):
        raise ConfigError(f"{where}: expected a mapping, got {setting!r}")
    return Conventions.from_settings(setting or {})


def make_reward(setting: Mapping[str, float] | Reward | None) -> Reward:
    """The reward map from a mapping; a `Reward` is returned as it is."""
    if isinstance(setting, Reward):
        return setting
    refuse_unknown("reward", setting or {}, ("correct", "incorrect"))
    return Reward(**(setting or {}))


def thinking_tags(setting: Sequence[str]) -> tuple[str, str]:
    """The opening and the closing tag."""
    tags = tuple(setting)
    if isinstance(setting, str) or len(tags) != 2 or not all(isinstance(tag, str) and tag for tag in tags):
        raise ConfigError(
            f'thinking_tags: expected two texts such as ["<think>", "</think>"], got {setting!r}'
        )
    return tags[0], tags[1]


def whole_number(name: str, value: int | None, least: int) -> int | None:
    """The value if it is None or a whole number of at least `least`."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        raise ConfigError(f"{name}: expected a whole number from {least}, got {value!r}")
    return value


def seconds(name: str, value: float) -> float:
    """The value if it is a finite number of seconds above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ConfigError(f"{name}: expected seconds above 0, got {value!r}")
    return float(value)


def judge_entries(judges: object) -> Sequence[Mapping[str, Any] | Judge]:
    """The list of judges, if it is one."""
    if isinstance(judges, (list, tuple)):
        return judges
    raise ConfigError(f"judges: expected a list of judges, got {type(judges).__name__}")


def in_cascade(cascade: Sequence[str], judges: Sequence[Judge], panel: object) -> list[Judge]:
    """The judges in the order of a `cascade` setting, which names each of them once."""
    if panel:
        raise ConfigError("cascade and panel: give one; a cascade asks judges in order and takes no vote")
    if isinstance(cascade, str) or not all(isinstance(name, str) for name in cascade):
        raise ConfigError(f"cascade: expected a list of judges' names, got {cascade!r}")
    named = _by_name(judges)
    _check_names(cascade, named)
    return [named[name] for name in cascade]


def _by_name(judges: Sequence[Judge]) -> dict[str, Judge]:
    named: dict[str, Judge] = {}
    for judge in judges:
        if judge.name in named:
            raise ConfigError(f"cascade: two judges are named {judge.name!r}; give one another name")
        named[judge.name] = judge
    return named


def _check_names(cascade: Sequence[str], named: Mapping[str, Judge]) -> None:
    for name in cascade:
        if name not in named:
            raise ConfigError(f"cascade: no judge {name!r}; {did_you_mean(name, named)}")
    if sorted(cascade) != sorted(named):
        left = sorted(set(named) - set(cascade)) or [name for name in cascade if cascade.count(name) > 1]
        raise ConfigError(f"cascade: name each judge once; {', '.join(left)} is missing or named twice")
