"""One line that says which versions, conventions, presets and models made a grade."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify._version import __version__
from hybridverify.conventions import Conventions
from hybridverify.guards.judge_guards import Guards
from hybridverify.guards.monitor import Watch
from hybridverify.judges.base import Judge
from hybridverify.pipeline.chain import identity
from hybridverify.policies import OnJudgeError, Policy, Reward
from hybridverify.policies.panel import Panel
from hybridverify.rules.base import Checker


def fingerprint(
    checkers: Sequence[Checker],
    conventions: Conventions,
    judges: Sequence[Judge],
    policy: Policy,
    panel: Panel | None,
    on_error: OnJudgeError,
    reward: Reward,
    guards: Guards,
    watch: Watch,
) -> str:
    """Readable parts, then a hash over everything that may change a grade.

    A monitor counts only where it acts. Its grades also depend on the rows before them, which no fingerprint can
    tell.
    """
    used = judges if policy.asks_judges else ()
    rules = [identity(checker) for checker in checkers]
    whole = {
        "version": __version__,
        "rules": rules,
        "judges": [[dict(judge.identity()), judge.weight] for judge in used],
        "policy": policy.describe(),
        "panel": [panel.describe(), panel.quorum] if panel and used else [],
        "on_judge_error": _on_error(on_error),
        "reward": [reward.correct, reward.incorrect],
        "guards": guards.describe() if used else {},
    }
    if used and watch.act:
        whole["monitor"] = watch.describe()
    text = json.dumps(whole, sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return " ".join([*_readable(policy, rules, conventions, used), digest[:12]])


def _on_error(on_error: OnJudgeError) -> list[Any]:
    actions = sorted([outcome.value, action] for outcome, action in on_error.actions.items())
    return [on_error.default, on_error.neutral_score, actions]


def _readable(
    policy: Policy, rules: Sequence[Mapping[str, Any]], conventions: Conventions, judges: Sequence[Judge]
) -> list[str]:
    parts = [
        f"hybridverify={__version__}",
        f"policy={policy.describe()}",
        "rules=" + "+".join(f"{rule['name']}@{rule['version']}" for rule in rules),
    ]
    if conventions.changed():
        parts.append("conventions=" + ",".join(f"{k}:{v}" for k, v in conventions.changed().items()))
    if judges:
        parts.append("judges=" + "+".join(_judge(judge) for judge in judges))
    return parts


def _judge(judge: Judge) -> str:
    model = judge.identity().get("model", "")
    return f"{judge.name}({model})" if model else judge.name
