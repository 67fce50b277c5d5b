"""The configuration schema, checked by pydantic: the only module that imports it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hybridverify.config.graders import expanded
from hybridverify.errors import ConfigError, did_you_mean


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class JudgeEntry(_Strict):
    """One entry of `judges`."""

    preset: str | None = None
    template_file: str | None = None
    backend: Any
    name: str | None = None
    sampling: dict[str, Any] | None = None
    weight: float = 1.0
    hooks: dict[str, Any] | None = None
    score: Literal["label", "p_yes"] = "label"
    threshold: float = Field(0.5, ge=0.0, le=1.0)
    abstain: tuple[float, float] | None = None
    context_tokens: int | None = Field(None, gt=0)
    response_tokens: int | None = Field(None, gt=0)
    retry_unparseable: bool = True


class EmbeddedEntry(_Strict):
    """One entry of `judges` with `preset: embedded`; `kinds` and `threads` may stand in `backend` too."""

    preset: Literal["embedded"] = "embedded"
    backend: Any = "embedded"
    name: str = "embedded"
    weight: float = 1.0
    kinds: Literal["text", "all"] = "text"
    score: Literal["label", "p_yes"] = "label"
    threshold: float | None = Field(None, ge=0.0, le=1.0)
    abstain: tuple[float, float] | None = None
    threads: int = Field(1, ge=1)


class EmbeddedBackendEntry(_Strict):
    """`backend` of such an entry, written out."""

    name: Literal["embedded"] = "embedded"
    kinds: Literal["text", "all"] = "text"
    threads: int = Field(1, ge=1)


class TranslatorEntry(_Strict):
    """One entry of `judges` with `preset: translate`."""

    preset: Literal["translate"] = "translate"
    backend: Any
    name: str = "translate"
    weight: float = 1.0
    sampling: dict[str, Any] | None = None
    samples: int = Field(1, ge=1)
    agree: int | None = Field(None, ge=1)
    translate_rejects: bool = False


class ClassifierEntry(_Strict):
    """One entry of `judges` with `backend: {name: classifier}`."""

    backend: Any
    name: str | None = None
    activation: Literal["sigmoid", "none"] = "sigmoid"
    threshold: float | None = None
    positive: int = Field(1, ge=0)
    template_file: str | None = None
    critique: dict[str, Any] | None = None
    weight: float = 1.0
    context_tokens: int | None = Field(None, gt=0)
    response_tokens: int | None = Field(None, gt=0)


class RouteEntry(_Strict):
    """One entry of `routes`."""

    rules: str | list[Any] | None = None
    grader: str | None = None
    policy: Any = None
    form: Literal["auto", "boxed", "hash", "choice", "free"] = "auto"
    conventions: dict[str, Any] | None = None


class CacheEntry(_Strict):
    """`cache` written out."""

    path: str | None = None
    namespace: str = ""


class PanelEntry(_Strict):
    """`panel`."""

    combine: Any = "majority"
    quorum: float = Field(0.5, ge=0.0, le=1.0)


class GuardsEntry(_Strict):
    """`guards`."""

    content_floor: bool = True
    hedge: bool = True
    echo: bool = True
    swap_check: bool = False
    canary: float = Field(default=0.0, ge=0.0, le=1.0)
    seed: int = 0


class MonitorEntry(_Strict):
    """`monitor`."""

    window: int = Field(default=500, gt=0)
    max_drift: float = Field(default=0.2, ge=0.0, le=1.0)
    max_rescue_rate: float = Field(default=1.0, ge=0.0, le=1.0)
    max_repeats: int = Field(default=20, gt=0)
    act: bool = False


class AuditEntry(_Strict):
    """`audit` written out."""

    path: str
    share: float = Field(default=0.01, ge=0.0, le=1.0)
    seed: int = 0
    max_mb: float = Field(default=64.0, ge=0.0)


class RewardEntry(_Strict):
    """`reward`."""

    correct: float = 1.0
    incorrect: float = 0.0


class Settings(_Strict):
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


def load_settings(
    source: str | os.PathLike[str] | Mapping[str, Any], overrides: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Arguments of `Verifier` from a file or mapping. Raises ConfigError, one line, with file and key."""
    where = "" if isinstance(source, Mapping) else f"{os.fspath(source)}: "
    settings = dict(source) if isinstance(source, Mapping) else _read(Path(source))
    settings.update(overrides or {})
    checked = _checked(Settings, settings, where)
    chosen = {name: getattr(checked, name) for name in Settings.model_fields}
    chosen = {name: _plain(value) for name, value in chosen.items()}
    if checked.monitor is not None:  # whoever has defaults of its own must see what was given
        chosen["monitor"] = checked.monitor.model_dump(exclude_unset=True)
    if "cache" in settings and settings["cache"] is None:
        chosen["cache"] = None
    chosen = _with_grader(where, chosen)
    if not isinstance(source, Mapping):
        chosen["judges"] = [_beside(judge, Path(source).parent) for judge in chosen["judges"]]
    return chosen


def _with_grader(where: str, chosen: dict[str, Any]) -> dict[str, Any]:
    try:
        return expanded(chosen)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


def judge_settings(entry: Mapping[str, Any], where: str = "judges: ") -> dict[str, Any]:
    """The checked arguments of one judge entry that were given. Raises ConfigError."""
    checked = _checked(JudgeEntry, dict(entry), where)
    if checked.preset is None and checked.template_file is None and checked.hooks is None:
        raise ConfigError(f"{where}a judge needs a preset, a template_file or hooks")
    return {name: getattr(checked, name) for name in checked.model_fields_set}


def embedded_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of the embedded judge's entry that were given. Raises ConfigError."""
    checked = _checked(EmbeddedEntry, dict(entry), "judges: embedded: ")
    given = {name: getattr(checked, name) for name in checked.model_fields_set - {"preset", "backend"}}
    backend = {"name": checked.backend} if isinstance(checked.backend, str) else checked.backend
    inner = _checked(EmbeddedBackendEntry, dict(backend), "judges: embedded: backend.")
    return {**{name: getattr(inner, name) for name in inner.model_fields_set - {"name"}}, **given}


def translator_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of one translator's entry that were given. Raises ConfigError."""
    checked = _checked(TranslatorEntry, dict(entry), "judges: translate: ")
    return {name: getattr(checked, name) for name in checked.model_fields_set - {"preset"}}


def classifier_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of one classifier's entry that were given. Raises ConfigError."""
    checked = _checked(ClassifierEntry, dict(entry), "judges: classifier: ")
    return {name: getattr(checked, name) for name in checked.model_fields_set}


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
    except Exception as error:  # each of the three parsers has its own exceptions
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: expected keys and values at the top, got {type(settings).__name__}")
    return settings


def _parse(suffix: str, text: str) -> Any:
    if suffix == ".json":
        return json.loads(text)
    if suffix == ".toml":
        try:
            import tomllib
        except ModuleNotFoundError:  # Python 3.10
            import tomli as tomllib  # type: ignore[no-redef,import-not-found,unused-ignore]
        return tomllib.loads(text)
    if suffix in (".yaml", ".yml"):
        import yaml

        return yaml.safe_load(text)
    raise ConfigError(f"a configuration ends in .yaml, .yml, .toml or .json, not {suffix!r}")


def _checked(model: type[Any], settings: dict[str, Any], where: str) -> Any:
    try:
        return model.model_validate(settings)
    except ValidationError as error:
        faults = error.errors()
        first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
        raise ConfigError(where + _one_line(model, first)) from error


def _one_line(model: type[BaseModel], fault: Any) -> str:
    path = [str(part) for part in fault["loc"] if part not in ("CacheEntry", "AuditEntry")]  # of unions
    if fault["type"] == "extra_forbidden":
        known = _known(model, path[:-1])
        return f"{'.'.join(path)}: no such setting; {did_you_mean(path[-1], known)}"
    return f"{'.'.join(path)}: {fault['msg']}, got {str(fault['input'])[:80]!r}"


def _known(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    nested: dict[str, type[BaseModel]] = {
        "routes": RouteEntry,
        "cache": CacheEntry,
        "panel": PanelEntry,
        "reward": RewardEntry,
        "guards": GuardsEntry,
        "monitor": MonitorEntry,
        "audit": AuditEntry,
    }
    owner = nested.get(path[0], model) if path else model
    return list(owner.model_fields)
