"""Checks of a backend's options; every fault is a ConfigError that names the option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridverify.errors import ConfigError


def whole_number(name: str, value: object, least: int) -> None:
    """Refuse an option that is no whole number from `least` on. Raises ConfigError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"backend.{name}: must be a whole number from {least} on, got {value!r}")


def seconds(name: str, value: object) -> None:
    """Refuse an option that is no finite number of seconds from 0 on. Raises ConfigError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < float("inf"):
        raise ConfigError(f"backend.{name}: expected seconds from 0 on, got {value!r}")


def mapping(name: str, value: object) -> None:
    """Refuse an option that is neither empty nor a mapping. Raises ConfigError."""
    if not isinstance(value or {}, Mapping):
        raise ConfigError(f"backend.{name}: expected names and values")


def no_own(option: str, given: Mapping[str, object], own: Sequence[str]) -> None:
    """Refuse, among arguments that are handed on, those that have options of their own. Raises ConfigError."""
    for name in given:
        if name in own:
            raise ConfigError(f"backend.{option}.{name}: has an option of its own in backend")
