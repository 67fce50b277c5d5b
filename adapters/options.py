"""Options as a trainer's command line can say them: flat keys, a configuration file, or our nested keys.

    policy=addon judge=general_verifier base_url=http://judge:8000/v1 model=TIGER-Lab/general-verifier
    config=/etc/verify.yaml max_ungraded=0.5
    judges=[{preset: tinyv, backend: {name: openai, base_url: ..., model: ...}}]

An unknown key is an error, never ignored: a misspelt policy must not train for a day as the default one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hybridverify.adapters.overlong import Overlong, make_overlong
from hybridverify.adapters.own_tokens import AUTO, check_setting
from hybridverify.adapters.served import MODEL, open_questions
from hybridverify.adapters.service import check_service
from hybridverify.adapters.systems import FOREIGN_KEYS, RUBRIC_SOURCES, translate

from hybridverify.config.graders import asking_policy, grader_of
from hybridverify.config.registry import EMBEDDED, backend_name
from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.service import Client

POLICY_KEYS = ("judge_weight", "rule_weight", "trust_reject")
BACKEND_KEYS = {"backend": "name", "base_url": "base_url", "model": "model", "api_key_env": "api_key_env"}
BACKEND_KEYS["timeout_s"] = "timeout_s"
"""Flat key → key of a judge's `backend`."""
FILE_KEYS = ("config", "config_file")
"""`config_file` is there because verl's own loader up to 0.7.0 has a parameter `config`, so that `reward_kwargs`
cannot use this name."""
DEFAULT_PRESET = "generic"
IN_PROCESS_ENGINES = ("vllm", "sglang")
ORDERED = ("routes", "replies")
"""Tables whose first fitting entry counts, so that their order matters."""


@dataclass(frozen=True)
class Options:
    """The checked options of an adapter. `settings` are the arguments of `Verifier.from_config`."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()
    """What the judge's server is asked about its judge (served.py). Not an option of the user's."""
    training: bool = True
    """Whether the grades are rewards: then the monitor acts unless `monitor` says otherwise. Not an option either."""
    outage_wait_s: float = 600.0
    """Seconds. How long rows are asked again after the judge went silent."""
    max_ungraded: float = 0.2
    """The share of the last 1,024 rows that the judge may leave without a grade before the run is stopped."""
    max_batch: int = 256
    """How many waiting single rows are graded together at most."""
    max_wait_s: float = 0.02
    """How long the first of them waits for others."""
    drop_tool_tokens: bool | str = AUTO
    """Whether only the model's own tokens are graded, not the output of tools. `auto`: if a mask tells them apart."""

    service: str = ""
    """The address of a running `hybridverify serve`, which then grades in place of this process (service.py)."""
    service_token_env: str = ""
    """The variable that holds the service's token."""

    overlong_buffer_cfg: Mapping[str, Any] | None = None
    max_resp_len: int | None = None
    """DAPO's penalty for long responses, with the settings of verl's own manager (overlong.py)."""

    def __post_init__(self) -> None:
        self.overlong  # noqa: B018 - a fault in it shows here
        for name in ("outage_wait_s", "max_ungraded", "max_wait_s"):
            value = getattr(self, name)
            if (
                isinstance(value, bool)
                or not isinstance(value, (int, float))
                or not 0 <= value < float("inf")
            ):
                raise ConfigError(f"{name}: expected a number from 0, got {value!r}")
        if isinstance(self.max_batch, bool) or not isinstance(self.max_batch, int) or self.max_batch < 1:
            raise ConfigError(f"max_batch: expected a whole number from 1, got {self.max_batch!r}")
        check_setting(self.drop_tool_tokens)

    @cached_property
    def key(self) -> str:
        """A text that is equal for equal options: each process keeps one verifier for each. Used for every single
        row."""
        told = {name: _ordered(getattr(self, name)) for name in self.__dataclass_fields__}
        return json.dumps(told, sort_keys=True, default=repr)

    @cached_property
    def overlong(self) -> Overlong | None:
        """The penalty for long responses; None if it is not set."""
        return make_overlong(self.overlong_buffer_cfg, self.max_resp_len)

    def describe(self) -> str:
        """Policy and judges in a few words, for the log, without any key of a service."""
        if self.service:
            return f"service at {Client(self.service).base_url}"
        judges = [_describe_judge(judge, self.unsaid) for judge in self.settings.get("judges") or ()]
        routes = [
            f" ({pattern}: {_policy(route['policy'])['name']})"
            for pattern, route in (self.settings.get("routes") or {}).items()
            if route.get("policy") and not (self.unsaid and pattern in RUBRIC_SOURCES)  # as *_tinyv*
        ]
        policy = _policy(self.settings.get("policy", "rule_only")).get("name")
        grader = f"grader {name}, " if (name := grader_of(self.settings)) else ""
        return f"{grader}policy {policy}{''.join(routes)}, judge {'; '.join(judges) or 'none'}"


def _ordered(value: Any) -> Any:
    """The settings with the tables of `ORDERED` as lists of pairs, whose order sorted keys cannot change.

    >>> _ordered({"policy": "addon", "routes": {"b*": {}, "a*": {}}})
    {'policy': 'addon', 'routes': [['b*', {}], ['a*', {}]]}
    """
    if isinstance(value, Mapping):
        parts = {name: _ordered(part) for name, part in value.items()}
        return {
            name: [list(pair) for pair in part.items()]
            if name in ORDERED and isinstance(part, Mapping)
            else part
            for name, part in parts.items()
        }
    return [_ordered(part) for part in value] if isinstance(value, (list, tuple)) else value


def engine_of(judge: Any) -> str:
    """The engine that an entry of `judges` runs in this process; "" for a server or another backend."""
    name = backend_name(judge) if isinstance(judge, Mapping) else ""
    return name if name in IN_PROCESS_ENGINES else ""


OWN_KEYS = tuple(
    name for name in Options.__dataclass_fields__ if name not in ("settings", "unsaid", "training")
)


def parse_options(given: Mapping[str, Any], router_address: str = "", router_model: str = "") -> Options:
    """Options from the keys that a user gave. A judge without an address is looked for at verl's router.

    Raises ConfigError for unknown keys, with the nearest known name.

    >>> parse_options({"policy": "addon", "judge": "tinyv", "base_url": "http://j/v1", "model": "m"}).describe()
    'policy addon, judge tinyv (m) at http://j/v1'
    """
    options = plain(given)
    _refuse_unknown(options)
    typed = dict(options)
    translated = translate(options, hosted=bool(router_address))
    options = {**translated, **{name: options[name] for name in options if name not in FOREIGN_KEYS}}
    own = {name: options.pop(name) for name in OWN_KEYS if name in options}
    check_service(str(own.get("service") or ""), options)
    settings = _settings(options)
    if router_address:
        settings["judges"] = _hosted(settings, router_address, router_model)
        typed.setdefault("model", router_model)
    return Options(settings, open_questions(typed, settings), **own)


def plain(value: Any) -> Any:
    """Hydra's containers as dicts and lists, so that options can be pickled and compared, and need no OmegaConf."""
    if isinstance(value, Mapping):
        return {str(name): plain(value[name]) for name in value}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(item) for item in value]
    return value


def _refuse_unknown(options: Mapping[str, Any]) -> None:
    from hybridverify.config import Settings

    own = {*Settings.model_fields, *FILE_KEYS, "judge", *POLICY_KEYS, *BACKEND_KEYS, *OWN_KEYS}
    known = own.union(FOREIGN_KEYS)
    for name in options:
        if name not in known:
            raise ConfigError(f"option {name!r}: no such option; {did_you_mean(name, known)}")


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    from hybridverify.config import load_settings

    file = _one_of(options, *FILE_KEYS)
    chosen = {"grader": options.pop("grader")} if file and options.get("grader") else {}
    settings: dict[str, Any] = load_settings(file, chosen) if file else {}
    preset = options.pop("judge", None)
    backend = {key: options.pop(name) for name, key in BACKEND_KEYS.items() if name in options}
    policy = {name: options.pop(name) for name in POLICY_KEYS if name in options}
    settings.update(options)
    if preset or backend:
        settings["judges"] = _judges(settings.get("judges") or [], preset, backend)
        if not file:
            settings.setdefault("policy", asking_policy(settings.get("grader")))
    if policy:
        settings["policy"] = {**_policy(settings.get("policy", "rule_only")), **policy}
    return settings


def _one_of(options: dict[str, Any], *names: str) -> Any:
    given = [options.pop(name) for name in names if name in options]
    if len(given) > 1:
        raise ConfigError(f"options {' and '.join(names)} are the same; give one")
    return given[0] if given else None


def _policy(policy: Any) -> Mapping[str, Any]:
    return policy if isinstance(policy, Mapping) else {"name": policy}


def _judges(judges: list[Any], preset: str | None, backend: Mapping[str, Any]) -> list[Any]:
    """The judge that the flat keys name, or the file's judges with the given address and model."""
    if preset or not judges:
        entry = {"preset": preset or DEFAULT_PRESET}
        return [{**entry, "backend": {**_backend(entry), **backend}}]
    return [
        {**judge, "backend": _moved(_backend(judge), backend)} if isinstance(judge, Mapping) else judge
        for judge in judges
    ]


def _moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """An engine of this process that gets an address becomes a server. Its start settings are dropped."""
    if old["name"] in IN_PROCESS_ENGINES and "base_url" in new and "name" not in new:
        return {"name": "openai", "model": old.get("model", ""), **new}
    return {**old, **new}


def _hosted(settings: Mapping[str, Any], address: str, model: str) -> list[Any]:
    """The judges, with verl's router in front of those that name no server of their own."""
    judges = list(settings.get("judges") or [])
    if not judges and _policy(settings.get("policy", "rule_only"))["name"] != "rule_only":
        judges = [{"preset": DEFAULT_PRESET, "backend": "openai"}]
    return [_behind_router(judge, address, model) for judge in judges]


def _behind_router(judge: Any, address: str, model: str) -> Any:
    """The router serves one model under its path; it also stands in for an engine in this process, which
    would need the GPU that the router's replica has."""
    if not isinstance(judge, Mapping):
        return judge
    backend = _backend(judge)
    if backend.get("name") not in ("openai", *IN_PROCESS_ENGINES) or backend.get("base_url"):
        return judge
    name = str(backend.get("model") or model)
    if backend.get("name") != "openai":
        backend, name = {}, model or name
    return {
        **judge,
        "backend": {**backend, "name": "openai", "base_url": f"http://{address}/v1", "model": name},
    }


def _backend(judge: Mapping[str, Any]) -> dict[str, Any]:
    """A judge's backend written out: a mapping with a name, which is a server's where the entry does not say."""
    given = judge.get("backend")
    if isinstance(given, Mapping):
        return {"name": backend_name(judge) or "openai", **given}
    return {"name": backend_name(judge) or given or "openai"}


def _describe_judge(judge: Any, unsaid: Sequence[str] = ()) -> str:
    if not isinstance(judge, Mapping):
        return str(getattr(judge, "name", type(judge).__name__))
    backend = _backend(judge)
    name = judge.get("name") or judge.get("preset") or judge.get("template_file") or "hooks"
    if backend["name"] == EMBEDDED:
        return f"{name} (ships with the library)"
    where = backend.get("base_url") or backend.get("name")
    if MODEL in unsaid:
        return f"{name} (unless another model is served) at {where}"
    return f"{name} ({backend.get('model') or 'no model named'}) at {where}"
