"""Puts the parts of a Verifier together from its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from hybridverify.config import arguments
from hybridverify.config.graders import expanded
from hybridverify.config.registry import make_checkers, make_judge
from hybridverify.errors import ConfigError
from hybridverify.guards.audit import AuditFile, AuditSettings
from hybridverify.guards.judge_guards import Guards
from hybridverify.guards.monitor import Monitor, Watch
from hybridverify.judges.base import Judge
from hybridverify.pipeline.chain import Recording, RuleChain
from hybridverify.pipeline.fingerprint import Fingerprint, fingerprint
from hybridverify.pipeline.grading import Grading
from hybridverify.pipeline.judge_client import JudgeClient
from hybridverify.pipeline.judge_stage import JudgeStage
from hybridverify.pipeline.routes import Route, Router
from hybridverify.pipeline.rule_stage import RuleStage
from hybridverify.pipeline.stats import Stats
from hybridverify.policies import OnJudgeError, make_policy
from hybridverify.policies.panel import CASCADE, Panel
from hybridverify.workers import WorkerPool, shared_pool


class Assembly:
    """The parts of one Verifier. `settings` are its arguments by name. Raises ConfigError."""

    def __init__(self, settings: Mapping[str, Any], stage: Callable[..., RuleStage]) -> None:
        given = {
            **settings,
            **expanded({name: settings[name] for name in ("grader", "rules", "reward", "routes")}),
        }
        self.stats, self.recording = Stats(), Recording()
        self.cache, self._namespace = arguments.make_cache(given["cache"])
        self._tags = arguments.thinking_tags(given["thinking_tags"])
        self._conventions = arguments.make_conventions("conventions", given["conventions"])
        self._on_error = OnJudgeError.from_setting(given["on_judge_error"], given["neutral_score"])
        self._reward = arguments.make_reward(given["reward"])
        self._workers = arguments.whole_number("workers", given["workers"], 1)
        self._deadline_s = arguments.seconds("rule_deadline_s", given["rule_deadline_s"])
        self.guards = Guards.from_setting(given["guards"])
        self.monitor = Monitor(Watch.from_setting(given["monitor"]))
        made, self.panel = _judges_and_panel(given)
        self.judges = JudgeStage(made, self._client(given), self.stats, self.guards, _in_turn(self.panel))
        self._rules, self._policy = given["rules"], make_policy(given["policy"])
        self.router = Router(given["routes"] or {}, self._route, given["unknown_source"])
        self.rule_stage = stage(
            self.router, self.judges.judges, self._on_error, self._tags, self._pool(), self.stats, self.guards
        )
        audit = AuditSettings.from_setting(given["audit"])
        self.grading = Grading(
            self.rule_stage,
            self.judges,
            self.panel,
            self._on_error,
            self._reward,
            self.stats,
            self.monitor,
            AuditFile(audit) if audit else None,
        )

    def _client(self, given: Mapping[str, Any]) -> JudgeClient:
        most = arguments.whole_number("max_calls", given["max_calls"], 0) or 0
        return JudgeClient(
            self.cache, self.stats, self._namespace, most, given["stop_on_outage"], bool(given["probe"])
        )

    def _pool(self, deadline_s: float = 0.0) -> Callable[[], WorkerPool]:
        return partial(shared_pool, self._workers, max(self._deadline_s, deadline_s))

    def _route(self, name: str, settings: Mapping[str, Any]) -> Route:
        conventions = self._conventions
        if settings.get("conventions") is not None:
            conventions = arguments.make_conventions(f"routes.{name}.conventions", settings["conventions"])
        policy = make_policy(settings.get("policy") or self._policy)
        if policy.asks_judges and not self.judges.judges:
            raise ConfigError(f"policy {policy.name} asks a judge, and none is configured; add one to judges")
        checkers = make_checkers(settings.get("rules") or self._rules, conventions, self._tags)
        deadline_s = max((getattr(checker, "deadline_s", 0.0) for checker in checkers), default=0.0)
        chain = RuleChain(
            checkers,
            self._pool(deadline_s),
            self.cache,
            self.stats,
            self._namespace,
            recording=self.recording,
        )
        make = partial(
            fingerprint,
            checkers,
            conventions,
            self.judges.judges,
            policy,
            self.panel,
            self._on_error,
            self._reward,
            self.guards,
            self.monitor.watch,
        )
        told = Fingerprint(make, self.judges.judges if policy.asks_judges else ())
        return Route(name, chain, policy, str(settings.get("form") or "auto"), conventions, told)


def _judges_and_panel(given: Mapping[str, Any]) -> tuple[list[Judge], Panel | None]:
    """The judges, in the order of the cascade if there is one, and how their votes are combined."""
    made, panel = [make_judge(judge) for judge in arguments.judge_entries(given["judges"])], given["panel"]
    if given["cascade"]:
        return arguments.in_cascade(given["cascade"], made, panel), Panel.from_setting(
            Panel(CASCADE), len(made)
        )
    if panel:
        return made, Panel.from_setting(panel, len(made))
    return made, Panel() if len(made) > 1 else None


def _in_turn(panel: Panel | None) -> bool:
    return panel is not None and panel.in_turn
