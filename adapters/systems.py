"""Translates the settings of three earlier reward systems, as their users type them.

    general-verifier worker   strategy=verifier, model.path=FOLDER
    TinyV / rubric model      tinyv_setup=addon|mixed|tinyv_only, tinyv_weight=W
    several generative RMs    reward_function=[a,b], reward_weight=[..], reward_combine_func=[..], ...

The table in README.md tells it for users.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybridverify.config.registry import EMBEDDED
from hybridverify.errors import ConfigError, did_you_mean

TINYV_SETUPS = ("addon", "mixed", "tinyv_only")
TINYV_SERVER = {"name": "openai", "base_url": "http://localhost:8000/v1", "model": "zhangchenxu/TinyV-1.5B"}
"""The server that the TinyV recipe starts beside the trainer. `base_url` overrides it. Its model is the one that it
serves (served.py)."""
TINYV_SOURCES = "*_tinyv*"
RUBRIC_SOURCES = ("*_rubric*", "*_rrm*")
"""The first is the recipe's own word. Users of a rubric model may call their rows by its name; they are treated
alike."""

FOREIGN_KEYS = (
    "strategy",
    "tinyv_setup",
    "tinyv_weight",
    "reward_function",
    "reward_weight",
    "reward_combine_func",
    "combine_reward",
    "reward_model_type",
    "reward_vllm_rollout",
)

BELONGS_TO = {
    "tinyv_weight": "tinyv_setup",
    "reward_vllm_rollout": "reward_function",
    "reward_weight": "reward_function",
    "reward_combine_func": "reward_function",
    "reward_model_type": "reward_function",
    "combine_reward": "reward_function",
}
"""The key without which another has no effect."""

MODEL_KEYS = ("path", "tensor_model_parallel_size", "fsdp_config")
"""Keys of their `model` section. The worker itself reads `input_tokenizer`."""


SHARE = "gpu_memory_utilization"
LEAST_SHARE = 0.05
"""The GPU share beside a rollout that takes nearly all. The engine reports when it starts if the judge does not fit."""


def is_foreign(reward_model: Mapping[str, Any]) -> bool:
    """Whether a `reward_model` section is that of one of the three systems. `strategy` alone is verl's."""
    return reward_model.get("strategy") == "verifier" or any(
        reward_model.get(name) for name in FOREIGN_KEYS if name != "strategy"
    )


def from_reward_model(reward_model: Mapping[str, Any], rollout_share: Any = None) -> dict[str, Any]:
    """The keys of a `reward_model` section that are used here, for `parse_options`. The rest belongs to verl.

    `rollout_share` is the rollout engine's share of each GPU. If the section names no share for the judge, the judge
    gets one that fits beside it.
    """
    if not is_foreign(reward_model):
        return {}
    given = _with_value(reward_model, FOREIGN_KEYS)
    if isinstance(model := reward_model.get("model"), Mapping):
        given["model"] = _with_value(model, MODEL_KEYS)
    if given.get("strategy") == "verifier" or given.get("reward_function"):
        named = given.get("reward_vllm_rollout", {})
        engine = {**_engine_section(reward_model), **_with_value(named, named)}
        if SHARE not in engine and isinstance(rollout_share, (int, float)):
            engine[SHARE] = share_beside(rollout_share)
        given["reward_vllm_rollout"] = engine
    return given


def _with_value(section: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: section[name] for name in names if section.get(name) is not None}


def _engine_section(reward_model: Mapping[str, Any]) -> dict[str, Any]:
    """The share that users of the verifier worker write under `rollout`. In the other systems this is verl's own."""
    rollout = reward_model.get("rollout") if reward_model.get("strategy") == "verifier" else None
    share = rollout.get(SHARE) if isinstance(rollout, Mapping) else None
    return {} if share is None else {SHARE: share}


def share_beside(rollout_share: float) -> float:
    """The share of each GPU for a judge's engine beside the rollout's: the same share, but at most two thirds of the
    rest. The last third is the policy's.

    The engines of verl's workers are on the same GPUs, and the judge's stays there while the rollout generates
    (unless `param_offload` lets it sleep). The original took one half of the GPU whatever the rollout had.

    >>> share_beside(0.3), share_beside(0.5), share_beside(0.7)
    (0.3, 0.33, 0.2)
    """
    return max(min(float(rollout_share), round(2.0 * (1.0 - rollout_share) / 3.0, 2)), LEAST_SHARE)


def translate(options: dict[str, Any], hosted: bool = False) -> dict[str, Any]:
    """Our settings for the foreign keys in `options`. A nested `model` belongs to them and is taken out. If verl
    hosts the judge (`hosted`), the server of a recipe is not assumed.

    >>> translate({"tinyv_setup": "mixed", "tinyv_weight": 0.3})["routes"]["*_tinyv*"]["policy"]
    {'name': 'mixed', 'judge_weight': 0.3, 'trust_reject': False}
    """
    model = options.pop("model") if isinstance(options.get("model"), Mapping) else {}
    if options.get("reward_function"):
        return _several_models(options, model, hosted)
    if options.get("tinyv_setup"):
        return _tinyv(options, {"name": "openai"} if hosted else TINYV_SERVER)
    if options.get("strategy") == "verifier":
        return _general_verifier(options, model, hosted)
    if model:
        raise ConfigError("option 'model': expected the name of the judge's model, got a section")
    _refuse_lonely(options)
    return {}


def _refuse_lonely(options: Mapping[str, Any]) -> None:
    """Refuse a key that has no effect by itself: the run would train for a day without what its user meant."""
    for name, owner in BELONGS_TO.items():
        if options.get(name) is not None and options[name] is not False:
            raise ConfigError(f"{name}: says nothing without {owner}, which is missing")
    if options.get("strategy") is not None:
        raise ConfigError(f"strategy: only 'verifier' names a judge here, got {options['strategy']!r}")


def _general_verifier(options: Mapping[str, Any], model: Mapping[str, Any], hosted: bool) -> dict[str, Any]:
    rollout = options.get("reward_vllm_rollout") or {}
    engine = {
        SHARE: rollout.get(SHARE),
        "sleep_level": _sleep_level(model),
    }
    backend = _backend(options.get("base_url"), model.get("path"), engine, hosted)
    return {"policy": "judge_only", "judges": [{"preset": "general_verifier", "backend": backend}]}


def _tinyv(options: dict[str, Any], server: Mapping[str, Any]) -> dict[str, Any]:
    setup = options["tinyv_setup"]
    if setup not in TINYV_SETUPS:
        raise ConfigError(f"tinyv_setup: no setup {setup!r}; {did_you_mean(str(setup), TINYV_SETUPS)}")
    weight = _number("tinyv_weight", options.get("tinyv_weight"), 1.0)
    preset = "tinyv"
    if options.get("judge") not in (None, EMBEDDED):  # a rubric, say, on the recipe's server
        preset = options.pop("judge")
    policy = {"name": setup, "judge_weight": weight, "trust_reject": False}
    return {
        "policy": "rule_only",
        "routes": {
            "openai/gsm8k": {"rules": ["gsm8k"], "form": "hash"},
            "grade": {"rules": ["grade"]},
            **{pattern: {"policy": policy} for pattern in (TINYV_SOURCES, *RUBRIC_SOURCES)},
        },
        "judges": [{"preset": preset, "backend": dict(server)}],
    }


def _several_models(options: dict[str, Any], model: Mapping[str, Any], hosted: bool) -> dict[str, Any]:
    kind = options.get("reward_model_type", "grm")
    if kind != "grm":
        raise ConfigError(f"reward_model_type: only 'grm' can be translated, got {kind!r}")
    names = _list(options["reward_function"])
    rollout = options.get("reward_vllm_rollout") or {}
    paths = _spread("model.path", model.get("path"), len(names))
    temperatures = _spread("reward_vllm_rollout.temperature", rollout.get("temperature"), len(names))
    memory = _spread(f"reward_vllm_rollout.{SHARE}", rollout.get(SHARE), len(names))
    weights = _spread("reward_weight", options.get("reward_weight"), len(names))
    address = options.pop("base_url", None)  # one for all, or one each; of a single model it may be a list
    servers = _spread("base_url", address, len(names)) if len(names) > 1 else [address]
    if hosted and not address and len(set(map(str, paths))) > 1:
        raise ConfigError("model.path: verl hosts one model and several are named; give base_url=, one each")
    parallel = rollout.get("tensor_model_parallel_size") or model.get("tensor_model_parallel_size")
    # Several engines with most of a GPU each do not fit side by side: they take turns, as in the original.
    shared = {"tensor_parallel_size": parallel, "sleep_level": 1 if len(names) > 1 else _sleep_level(model)}
    judges = [
        {
            "name": str(name),
            "hooks": {"preprocess": f"{name}:rm_preprocess", "postprocess": f"{name}:rm_postprocess"},
            "backend": _backend(server, path, {SHARE: share, **shared}, hosted),
            **_sampling(temperature),
            "weight": _number("reward_weight", weight, 1.0),
        }
        for name, path, server, temperature, share, weight in zip(
            names, paths, servers, temperatures, memory, weights, strict=True
        )
    ]
    combine = _spread("reward_combine_func", options.get("reward_combine_func") or "add", len(names))
    return {
        "policy": "sum" if options.get("combine_reward") else "judge_only",
        "panel": {"combine": combine},
        "judges": judges,
    }


def _backend(server: Any, path: Any, engine: Mapping[str, Any], hosted: bool) -> dict[str, Any]:
    """In this process if only the model's folder is known, else the server, their own or verl's. Engine settings are
    for the first case."""
    if server:
        return {"name": "openai", "base_url": server, "model": str(path or "")}
    if not path and hosted:
        return {"name": "openai"}
    if not path:
        raise ConfigError(
            "reward_model.model.path: the judge's model is missing; give its folder, or a base_url"
        )
    return {
        "name": "vllm",
        "model": str(path),
        **_with_value(engine, engine),
    }


def _sampling(temperature: Any) -> dict[str, Any]:
    if temperature is None:
        return {}
    return {"sampling": {"temperature": _number("reward_vllm_rollout.temperature", temperature, 0.0)}}


def _number(name: str, value: Any, default: float) -> float:
    """A number in the forms that hydra gives, text included; `default` if there is none."""
    try:
        return default if value is None else float(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{name}: expected a number, got {value!r}") from None


def _sleep_level(model: Mapping[str, Any]) -> int | None:
    """`fsdp_config.param_offload=True`: the weights are moved to the host's memory between uses."""
    return 1 if (model.get("fsdp_config") or {}).get("param_offload") else None


def _spread(name: str, value: Any, count: int) -> list[Any]:
    """One entry for each judge. A single value counts for all."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return [value] * count
    if len(value) != count:
        raise ConfigError(f"{name}: {len(value)} entries for {count} reward functions")
    return list(value)


def _list(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) else list(value)
