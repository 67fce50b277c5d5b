"""Checks of a backend's options; every fault is a ConfigError that names the option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridverify.errors import ConfigError


def whole_number(name: str, value: object, least: int) -> None:
    """Raise ConfigError unless the option is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"backend.{name}: must be a whole number from {least} on, got {value!r}")


def seconds(name: str, value: object) -> None:
    """Raise ConfigError unless the option is a finite number of seconds, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < float("inf"):
        raise ConfigError(f"backend.{name}: expected seconds from 0 on, got {value!r}")


def mapping(name: str, value: object) -> None:
    """Raise ConfigError unless the option is empty or a mapping."""
    if not isinstance(value or {}, Mapping):
        raise ConfigError(f"backend.{name}: expected names and values")


def no_own(option: str, given: Mapping[str, object], own: Sequence[str]) -> None:
    """Raise ConfigError if the arguments that are passed on name one that has an option of its own."""
    for name in given:
        if name in own:
            raise ConfigError(f"backend.{option}.{name}: has an option of its own in backend")


def switch(name: str, value: object) -> None:
    """Raise ConfigError unless the value is true or false."""
    if not isinstance(value, bool):
        raise ConfigError(f"backend.{name}: expected true or false, got {value!r}")
