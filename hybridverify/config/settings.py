"""The schema of a configuration file, and how such a file is read. The entries of judges are in judge_entries.py."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from hybridverify.config.checking import Strict, checked_by
from hybridverify.config.graders import expanded
from hybridverify.config.serve_entry import ServeEntry as ServeEntry
from hybridverify.errors import ConfigError


class RouteEntry(Strict):
    """One entry of `routes`."""

    rules: str | list[Any] | None = None
    grader: str | None = None
    policy: Any = None
    form: Literal["auto", "boxed", "hash", "choice", "free"] = "auto"
    conventions: dict[str, Any] | None = None


class CacheEntry(Strict):
    """`cache` written out."""

    path: str | None = None
    namespace: str = ""


class PanelEntry(Strict):
    """`panel`."""

    combine: Any = "majority"
    quorum: float = Field(0.5, ge=0.0, le=1.0)


class GuardsEntry(Strict):
    """`guards`."""

    content_floor: bool = True
    hedge: bool = True
    echo: bool = True
    swap_check: bool = False
    canary: float = Field(default=0.0, ge=0.0, le=1.0)
    seed: int = 0


class MonitorEntry(Strict):
    """`monitor`."""

    window: int = Field(default=500, gt=0)
    max_drift: float = Field(default=0.2, ge=0.0, le=1.0)
    max_rescue_rate: float = Field(default=1.0, ge=0.0, le=1.0)
    max_repeats: int = Field(default=20, gt=0)
    act: bool = False


class AuditEntry(Strict):
    """`audit` written out."""

    path: str
    share: float = Field(default=0.01, ge=0.0, le=1.0)
    seed: int = 0
    max_mb: float = Field(default=64.0, ge=0.0)


class RewardEntry(Strict):
    """`reward`."""

    correct: float = 1.0
    incorrect: float = 0.0


class Settings(Strict):
    """A whole configuration file. Names are those of `Verifier`'s arguments."""

    policy: Any = "rule_only"
    rules: str | list[Any] = "default"
    grader: str | None = None
    conventions: dict[str, Any] = Field(default_factory=dict)
    routes: dict[str, RouteEntry] = Field(default_factory=dict)
    unknown_source: Literal["default", "error"] = "default"
    judges: list[Any] = Field(default_factory=list)
    panel: PanelEntry | None = None
    cascade: list[str] | None = None
    cache: CacheEntry | str | None = Field(default_factory=CacheEntry)
    thinking_tags: list[str] = Field(default_factory=lambda: ["<think>", "</think>"])
    reward: RewardEntry | None = None
    guards: GuardsEntry | None = Field(default_factory=GuardsEntry)
    monitor: MonitorEntry | None = Field(default_factory=MonitorEntry)
    audit: AuditEntry | str | None = None
    on_judge_error: str | dict[str, str] = "mask"
    neutral_score: float = 0.5
    workers: int | None = None
    rule_deadline_s: float = 1.0
    max_calls: int = Field(0, ge=0)
    stop_on_outage: bool = False
    probe: bool | None = None
    """Whether a run stops if none of a judge's first replies can be read. By default `grade` and `agree` do."""
    serve: ServeEntry | None = None


def load_settings(
    source: str | os.PathLike[str] | Mapping[str, Any], overrides: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Arguments of `Verifier` from a file or mapping. Raises ConfigError, one line, with file and key."""
    where, settings = _opened(source)
    settings.update(overrides or {})
    checked = checked_by(Settings, settings, where)
    chosen = _with_grader(where, _chosen(checked, settings))
    if not isinstance(source, Mapping):
        chosen["judges"] = [_beside(judge, Path(source).parent) for judge in chosen["judges"]]
    return chosen


def load_serve(
    source: str | os.PathLike[str] | Mapping[str, Any], overrides: Mapping[str, Any] | None = None
) -> ServeEntry:
    """The section `serve` of a configuration, with `overrides`. Raises ConfigError."""
    where, settings = _opened(source)
    given = settings.get("serve") or {}
    if isinstance(given, Mapping):  # anything else is refused below
        settings["serve"] = {**given, **(overrides or {})}
    return checked_by(Settings, settings, where).serve or ServeEntry()


def _opened(source: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What stands before a message about the settings, and the settings."""
    if isinstance(source, Mapping):
        return "", dict(source)
    return f"{os.fspath(source)}: ", _read(Path(source))


def _chosen(checked: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """The checked settings as plain values."""
    chosen = {name: _plain(getattr(checked, name)) for name in Settings.model_fields if name != "serve"}
    if checked.monitor is not None:  # code with defaults of its own must see which settings were given
        chosen["monitor"] = checked.monitor.model_dump(exclude_unset=True)
    if "cache" in given and given["cache"] is None:
        chosen["cache"] = None
    return chosen


def _with_grader(where: str, chosen: dict[str, Any]) -> dict[str, Any]:
    try:
        return expanded(chosen)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _beside(judge: Any, folder: Path) -> Any:
    """A template file named in a configuration file is looked for beside it."""
    if not isinstance(judge, Mapping):
        return judge
    placed = {**judge, "critique": _beside(judge["critique"], folder)} if judge.get("critique") else judge
    if not placed.get("template_file"):
        return placed
    return {**placed, "template_file": str(folder / str(placed["template_file"]))}


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        settings = _parse(path.suffix.lower(), text)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    except (
        ValueError,
        LookupError,
        AttributeError,
        RecursionError,
    ) as error:  # YAML's tags raise all of them
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: expected keys and values at the top, got {type(settings).__name__}")
    return settings


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises ConfigError for a key that stands twice: the first value would be lost in silence."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ConfigError(f"{name!r} stands twice; keep one of them")
        found[name] = value
    return found


def _parse(suffix: str, text: str) -> Any:
    if suffix == ".json":
        return json.loads(text, object_pairs_hook=_once)
    if suffix == ".toml":
        try:
            import tomllib
        except ModuleNotFoundError:  # Python 3.10
            import tomli as tomllib  # type: ignore[no-redef,import-not-found,unused-ignore]
        return tomllib.loads(text)
    if suffix in (".yaml", ".yml"):
        from hybridverify.config.yaml_files import parsed_yaml

        return parsed_yaml(text)
    raise ConfigError(f"a configuration ends in .yaml, .yml, .toml or .json, not {suffix!r}")
