"""Checks the settings of an `LLMJudge`, and fills gaps from its preset."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.judges.base import Sampling
from hybridverify.judges.presets import Preset
from hybridverify.judges.presets import preset as find_preset
from hybridverify.judges.template import CRITIQUE
from hybridverify.judges.verdicts import Scoring

_LABEL_LOGPROBS = 5
"""Enough for P(yes). A label outside this list has at most the smallest probability in it."""


def chosen_preset(preset: str | Preset | None, template_file: str | None) -> Preset:
    """The preset of a judge. A template file replaces the prompt of the preset named beside it."""
    chosen = preset if isinstance(preset, Preset) else find_preset(preset or "generic")
    if template_file is None:
        return chosen
    from hybridverify.judges.template_file import load_template

    own = load_template(template_file, None if preset is None else chosen)
    if CRITIQUE in own.fields:
        raise ConfigError(f"template_file {template_file}: {{critique}} is for backend: {{name: classifier}}")
    return own


def chosen_sampling(preset: Preset, given: Sampling | Mapping[str, Any] | None, scoring: Scoring) -> Sampling:
    """The preset's sampling with single values overridden. Raises ConfigError naming the setting."""
    sampling = given if isinstance(given, Sampling) else replace(preset.sampling, **_options(given or {}))
    _check(sampling)
    if scoring.score == "p_yes" and not sampling.logprobs:
        return replace(sampling, logprobs=_LABEL_LOGPROBS)
    return sampling


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {field.name: type(getattr(Sampling(), field.name)) for field in fields(Sampling)}
    options = dict(given)
    if isinstance(options.get("stop"), str):
        options["stop"] = (options["stop"],)
    for name, value in options.items():
        if name not in kinds:
            raise ConfigError(f"sampling.{name}: no such setting; {did_you_mean(name, kinds)}")
        options[name] = _as(kinds[name], name, value)
    return options


def _as(kind: type, name: str, value: Any) -> Any:
    """The value in the type of the setting, so that `temperature: 0` and `0.0` give one cache key."""
    if kind is tuple and isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ConfigError(f"sampling.{name}: expected {kind.__name__}, got {value!r}")


def _check(sampling: Sampling) -> None:
    if sampling.n < 1 or sampling.max_tokens < 1 or sampling.logprobs < 0:
        raise ConfigError("sampling: n and max_tokens must be at least 1, logprobs at least 0")
    if not (
        math.isfinite(sampling.temperature) and sampling.temperature >= 0.0 and 0.0 < sampling.top_p <= 1.0
    ):
        raise ConfigError("sampling: temperature must be at least 0, top_p above 0 and at most 1")
    if sampling.n > 1 and sampling.temperature == 0.0:
        raise ConfigError(
            f"sampling.n: {sampling.n} draws at temperature 0 are all the same; raise temperature"
        )
