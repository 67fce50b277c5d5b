"""One line that says which versions, conventions, presets and models made a grade."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from hybridverify._version import __version__
from hybridverify.conventions import Conventions
from hybridverify.guards.judge_guards import Guards
from hybridverify.guards.monitor import Watch
from hybridverify.judges.base import Judge
from hybridverify.pipeline.isolated import identity
from hybridverify.pipeline.judge_client import engine_of, form_of
from hybridverify.policies import OnJudgeError, Policy, Reward
from hybridverify.policies.panel import Panel
from hybridverify.rules.base import Checker

_MOST_TRIED = 1024


class Fingerprint:
    """The fingerprint of a route. It changes when a judge finds out that it must be asked in another form."""

    def __init__(self, make: Callable[[], str], judges: Sequence[Judge]) -> None:
        self._make = make
        self._backends: list[Any] = [engine_of(judge) for judge in judges if form_of(judge) is not None]
        self._known: dict[tuple[Any, ...], str] = {}
        self.fixed = "" if self._backends else make()
        """The text, where no judge can change it; else "". Read for every row."""

    def __str__(self) -> str:
        if not self._backends:
            return self.fixed
        forms = tuple([backend.form for backend in self._backends])
        if forms not in self._known:
            self._known[forms] = self._make()
        return self._known[forms]

    def adopt(self, text: str) -> bool:
        """Whether these settings can have made this fingerprint. Judges are then asked in its form from the start, if
        they have not found out another one."""
        if text == str(self):
            return True
        if text not in self._known.values():
            self._known |= dict(self._possible())
        forms = next((forms for forms, known in self._known.items() if known == text), None)
        if forms is None:
            return False
        for backend, form in zip(self._backends, forms, strict=True):
            if backend.form == backend.forms()[0]:
                backend.form = form
        return True

    def _possible(self) -> Iterator[tuple[tuple[Any, ...], str]]:
        """The fingerprints under every form that servers can bring about."""
        present = [backend.form for backend in self._backends]
        try:
            for forms in islice(product(*(backend.forms() for backend in self._backends)), _MOST_TRIED):
                for backend, form in zip(self._backends, forms, strict=True):
                    backend.form = form
                yield forms, self._make()
        finally:
            for backend, form in zip(self._backends, present, strict=True):
                backend.form = form


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
