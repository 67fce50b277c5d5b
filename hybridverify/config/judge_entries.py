"""The schema of the entries of `judges`, and their checked settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from hybridverify.config.checking import Strict, checked_by
from hybridverify.errors import ConfigError


class JudgeEntry(Strict):
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


class EmbeddedEntry(Strict):
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


class EmbeddedBackendEntry(Strict):
    """`backend` of such an entry, written out."""

    name: Literal["embedded"] = "embedded"
    kinds: Literal["text", "all"] = "text"
    threads: int = Field(1, ge=1)


class TranslatorEntry(Strict):
    """One entry of `judges` with `preset: translate`."""

    preset: Literal["translate"] = "translate"
    backend: Any
    name: str = "translate"
    weight: float = 1.0
    sampling: dict[str, Any] | None = None
    samples: int = Field(1, ge=1)
    agree: int | None = Field(None, ge=1)
    translate_rejects: bool = False


class DecisionsEntry(Strict):
    """One entry of `judges` with `backend: {name: decisions}`."""

    preset: Literal["decisions"] = "decisions"
    backend: Any
    name: str | None = None
    weight: float = 1.0
    score: Literal["label", "p_yes"] = "p_yes"
    threshold: float = Field(0.5, ge=0.0, le=1.0)
    abstain: tuple[float, float] | None = None
    context_tokens: int | None = Field(None, gt=0)
    response_tokens: int | None = Field(None, gt=0)


class ClassifierEntry(Strict):
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


def judge_settings(entry: Mapping[str, Any], where: str = "judges: ") -> dict[str, Any]:
    """The checked arguments of one judge entry that were given. Raises ConfigError."""
    checked = checked_by(JudgeEntry, dict(entry), where)
    if checked.preset is None and checked.template_file is None and checked.hooks is None:
        raise ConfigError(f"{where}a judge needs a preset, a template_file or hooks")
    return {name: getattr(checked, name) for name in checked.model_fields_set}


def embedded_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of the embedded judge's entry that were given. Raises ConfigError."""
    checked = checked_by(EmbeddedEntry, dict(entry), "judges: embedded: ")
    given = {name: getattr(checked, name) for name in checked.model_fields_set - {"preset", "backend"}}
    backend = {"name": checked.backend} if isinstance(checked.backend, str) else checked.backend
    inner = checked_by(EmbeddedBackendEntry, dict(backend), "judges: embedded: backend.")
    return {**{name: getattr(inner, name) for name in inner.model_fields_set - {"name"}}, **given}


def translator_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of one translator's entry that were given. Raises ConfigError."""
    checked = checked_by(TranslatorEntry, dict(entry), "judges: translate: ")
    return {name: getattr(checked, name) for name in checked.model_fields_set - {"preset"}}


def decisions_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of one entry with typed decisions that were given. Raises ConfigError."""
    checked = checked_by(DecisionsEntry, dict(entry), "judges: decisions: ")
    return {name: getattr(checked, name) for name in checked.model_fields_set - {"preset"}}


def classifier_settings(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of one classifier's entry that were given. Raises ConfigError."""
    checked = checked_by(ClassifierEntry, dict(entry), "judges: classifier: ")
    return {name: getattr(checked, name) for name in checked.model_fields_set}
