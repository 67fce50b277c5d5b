"""Presets that stand for graders of others: what `grader: NAME` sets, and refuses beside it.

A preset is a whole configuration: its only rule is that grader. The three of TinyV also route by data source, as its
reward function does, and leave the judge to `judges`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.rules.graders.told import PREFIX


@dataclass(frozen=True)
class GraderPreset:
    """One preset: a line about it, its grader, and what else it sets."""

    summary: str
    grader: str
    reward: Mapping[str, float] = field(default_factory=dict)
    policies: Mapping[str, Any] = field(default_factory=dict)
    """Of the sources that TinyV's data sets name."""


def _tinyv(policy: str) -> GraderPreset:
    asked = "where the rule says no" if policy == "addon" else "always"
    summary = f"TinyV's routes, tinyv_setup={policy}: your judge for *_tinyv* sources, asked {asked}"
    settings = {"name": policy, "judge_weight": 1.0, "trust_reject": False}  # its weight, where none is given
    return GraderPreset(summary, "prime_math", policies=settings)


GRADERS: Mapping[str, GraderPreset] = {
    "math_verify": GraderPreset("Math-Verify, called as its README does", "math_verify"),
    "math_verify_verl": GraderPreset("Math-Verify, called as verl does", "math_verify_verl"),
    "prime_math": GraderPreset(
        "PRIME's grader, verl's prime_math: it never evaluates text here", "prime_math"
    ),
    "gsm8k_strict": GraderPreset("verl's gsm8k: the number after '#### '", "gsm8k_strict"),
    "gsm8k_flexible": GraderPreset("verl's gsm8k, flexible: the last number", "gsm8k_flexible"),
    "hendrycks": GraderPreset("Hendrycks' MATH, verl's math_reward: the last box as text", "hendrycks"),
    "math_dapo": GraderPreset(
        "DAPO's, verl's math_dapo: the line 'Answer:', else a box; pays +1 and -1",
        "math_dapo",
        {"correct": 1.0, "incorrect": -1.0},
    ),
    "math_dapo_answer": GraderPreset(
        "the same up to verl 0.9.0: the line 'Answer:' alone; pays +1 and -1",
        "math_dapo_answer",
        {"correct": 1.0, "incorrect": -1.0},
    ),
    "tinyv_addon": _tinyv("addon"),
    "tinyv_mixed": _tinyv("mixed"),
    "tinyv_only": _tinyv("tinyv_only"),
}


def expanded(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with what `grader` stands for in its place, in routes too. Raises ConfigError.

    >>> expanded({"grader": "math_dapo"})
    {'rules': ['grader_math_dapo'], 'reward': {'correct': 1.0, 'incorrect': -1.0}}
    >>> expanded({"routes": {"openai/gsm8k": {"grader": "gsm8k_strict"}}})
    {'routes': {'openai/gsm8k': {'rules': ['grader_gsm8k_strict']}}}
    """
    done = {name: value for name, value in settings.items() if name != "grader"}
    if isinstance(settings.get("routes"), Mapping):
        done["routes"] = {name: _route(name, route) for name, route in settings["routes"].items()}
    if not settings.get("grader"):
        return done
    preset = _preset("grader", settings["grader"])
    _refuse_rules("", settings)
    done["rules"] = [PREFIX + preset.grader]
    if preset.reward and not settings.get("reward"):
        done["reward"] = dict(preset.reward)
    if preset.policies:
        done["routes"] = {**_tinyv_routes(preset), **(done.get("routes") or {})}
    return done


def asking_policy(grader: object) -> str | dict[str, Any]:
    """The policy where a judge was named and no policy: it is meant to be asked.

    Another system's "no" proves nothing, so there it is asked in spite of it; TinyV's routes say when.

    >>> asking_policy(None), asking_policy("tinyv_only"), asking_policy("hendrycks")
    ('addon', 'rule_only', {'name': 'addon', 'trust_reject': False})
    """
    if not grader:
        return "addon"
    routed = grader in GRADERS and bool(GRADERS[str(grader)].policies)
    return "rule_only" if routed else {"name": "addon", "trust_reject": False}


def grader_of(settings: Mapping[str, Any]) -> str:
    """Whose numbers these settings give, "" where it is no other system; a file's name the rule.

    >>> grader_of({"grader": "math_dapo"}), grader_of({"rules": ["grader_hendrycks"]}), grader_of({})
    ('math_dapo', 'hendrycks', '')
    """
    rules = settings.get("rules")
    rule = str(rules[0]) if isinstance(rules, (list, tuple)) and len(rules) == 1 else ""
    return str(settings.get("grader") or (rule.removeprefix(PREFIX) if rule.startswith(PREFIX) else ""))


def _route(name: str, route: Any) -> Any:
    if not isinstance(route, Mapping) or not route.get("grader"):
        return {k: v for k, v in route.items() if k != "grader"} if isinstance(route, Mapping) else route
    preset = _preset(f"routes.{name}.grader", route["grader"])
    if preset.policies:
        raise ConfigError(
            f"routes.{name}.grader: {route['grader']} has routes of its own; name it at the top"
        )
    _refuse_rules(f"routes.{name}.", route)
    rest = {key: value for key, value in route.items() if key not in ("grader", "rules")}
    return {"rules": [PREFIX + preset.grader], **rest}


def _tinyv_routes(preset: GraderPreset) -> dict[str, Any]:
    return {
        "openai/gsm8k": {"rules": [PREFIX + "gsm8k_strict"]},
        "grade": {"rules": ["grade"]},
        "*_tinyv*": {"policy": dict(preset.policies)},
    }


def _preset(where: str, name: object) -> GraderPreset:
    if not isinstance(name, str) or name not in GRADERS:
        raise ConfigError(f"{where}: no grader {name!r}; {did_you_mean(str(name), GRADERS)}")
    return GRADERS[name]


def _refuse_rules(where: str, settings: Mapping[str, Any]) -> None:
    if settings.get("rules") not in (None, "default"):
        raise ConfigError(
            f"{where}grader and {where}rules: give one; a grader is the only rule, and 'rules' may list it as "
            f"{PREFIX}{settings['grader']}"
        )
