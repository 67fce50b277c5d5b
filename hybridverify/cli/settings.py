"""From command-line options to the settings of a Verifier. Options override the configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridverify.cli.judge_options import ServerOptions
from hybridverify.config.registry import DECISIONS, EMBEDDED, backend_name
from hybridverify.errors import ConfigError


@dataclass(frozen=True)
class JudgeOptions:
    """`--judge`, `--backend`, `--model` and `--base-url`; "" if not given. `server` are those about its server."""

    preset: str = ""
    backend: str = ""
    model: str = ""
    base_url: str = ""
    server: ServerOptions = field(default_factory=ServerOptions)
    option: str = "--judge"
    """The option of this command that names the preset."""

    def any(self) -> bool:
        """Whether one of them was given."""
        return bool(self.preset or self.backend or self.model or self.base_url or self.server.any())

    def entry(self, configured: Mapping[str, Any]) -> dict[str, Any]:
        """The judge's entry, with options over the configured values. Raises ConfigError if no engine is named."""
        if self.preset and self.preset not in (EMBEDDED, DECISIONS):
            from hybridverify.judges.presets import preset

            preset(self.preset)  # a wrong name is told before an engine is asked for
        own = backend_name(configured)
        if self.preset and any((self.preset == kind) != (own == kind) for kind in (EMBEDDED, DECISIONS)):
            configured = {}  # judges of these kinds have no settings in common with one that asks a model
        entry = {**configured, "backend": self._engine(configured)}
        if self.preset:
            entry = {**{k: v for k, v in entry.items() if k != "template_file"}, "preset": self.preset}
        return entry

    def _engine(self, configured: Mapping[str, Any]) -> dict[str, Any]:
        engine = configured.get("backend", {})
        backend = {"name": engine} if isinstance(engine, str) else dict(engine)
        if self.backend and self.backend != backend.get("name"):
            backend = {"name": self.backend}
        if not backend.get("name"):
            backend["name"] = self._guess()
        given = {"model": self.model, "base_url": self.base_url}
        return self.server.over({**backend, **{name: value for name, value in given.items() if value}})

    def _guess(self) -> str:
        if self.base_url:
            return DECISIONS if self.preset == DECISIONS else "openai"
        if self.preset == EMBEDDED:
            return EMBEDDED
        raise ConfigError(
            f"{self.option} needs an engine: --backend vllm --model M, or --base-url U of a running server"
            f" ({self.option} {EMBEDDED} needs none)"
        )


def verifier_settings(
    config: Path | None,
    policy: str = "",
    judge: JudgeOptions = JudgeOptions(),
    cache: Path | None = None,
    no_cache: bool = False,
    workers: int | None = None,
    grader: str = "",
    find_model: bool = False,
) -> dict[str, Any]:
    """Settings for `Verifier.from_config`. With `find_model`, a judge without a model gets the only one that its server
    lists. Raises ConfigError, and JudgeUnavailable where that server does not answer."""
    from hybridverify.config import load_settings
    from hybridverify.config.graders import asking_policy

    chosen = {"grader": grader} if grader else {}
    settings: dict[str, Any] = load_settings(config, chosen) if config else dict(chosen)
    if judge.any():
        entry = judge.entry(_only_judge(settings, judge))
        settings["judges"] = [_with_model(entry) if find_model else entry]
        if not config:
            settings["policy"] = asking_policy(grader)
    if policy:
        settings["policy"] = policy
    _set_cache(settings, cache, no_cache)
    if workers is not None:
        settings["workers"] = workers
    if settings.get("monitor"):
        settings["monitor"] = {**settings["monitor"], "act": False}  # no verdict depends on other rows
    return settings


def tried_judges(
    config: Path | None, preset: str, backend: str, model: str, base_url: str, server: ServerOptions
) -> list[dict[str, Any]]:
    """The entries of the judges to try: the configured ones, or the one that options describe. Raises ConfigError."""
    options = JudgeOptions(
        preset or ("" if config else "generic"), backend, model, base_url, server, "--preset"
    )
    from hybridverify.config import load_settings

    settings: dict[str, Any] = load_settings(config) if config else {}
    if config and not options.any():
        if not settings["judges"]:
            raise ConfigError(f"{config}: configures no judge")
        return list(settings["judges"])
    return [_with_model(options.entry(_only_judge(settings, options)))]


def _with_model(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry of a judge; the only model of its server is in it if none was named."""
    engine = entry["backend"]
    if engine.get("name") in ("openai", DECISIONS) and not engine.get("model"):
        return {**entry, "backend": {**engine, "model": _only_model(engine)}}
    return entry


def _only_model(engine: Mapping[str, Any]) -> str:
    from hybridverify.judges.backends.openai_servers import NO_MODEL, served_models
    from hybridverify.judges.backends.openai_settings import Settings, addresses

    chosen = {name: engine[name] for name in ("api_key_env", "headers") if engine.get(name)}
    models = served_models(Settings(NO_MODEL, addresses(engine.get("base_url", "")), **chosen))
    if len(models) == 1:
        return models[0]
    found = f"the server has {', '.join(models[:8])}" if models else "the server shows no list of models"
    raise ConfigError(f"--model: name the judge's model; {found}")


def _set_cache(settings: dict[str, Any], cache: Path | None, no_cache: bool) -> None:
    if cache and no_cache:
        raise ConfigError("--cache and --no-cache exclude each other")
    if cache:
        settings["cache"] = {**(settings.get("cache") or {}), "path": str(cache)}
    if no_cache:
        settings["cache"] = None


def asks_judges(settings: Mapping[str, Any]) -> bool:
    """Whether some policy of these settings may ask a judge."""
    from hybridverify.config.graders import expanded
    from hybridverify.policies import make_policy

    routes = (expanded(settings).get("routes") or {}).values()
    policies = [settings.get("policy") or "rule_only", *(route.get("policy") for route in routes)]
    return bool(settings.get("judges")) and any(make_policy(p).asks_judges for p in policies if p)


def _only_judge(settings: Mapping[str, Any], judge: JudgeOptions) -> Mapping[str, Any]:
    """The configured judge that options change; an empty entry if `--judge` names a new one."""
    judges = settings.get("judges") or []
    if len(judges) == 1 and isinstance(judges[0], Mapping):
        return judges[0]
    if judge.preset:
        return {}
    found = f"{len(judges)} judges are" if judges else "no judge is"
    raise ConfigError(
        f"--backend, --model, --base-url and the like need one judge, and {found} configured; add --judge PRESET"
    )
