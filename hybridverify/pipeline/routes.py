"""Which chain, policy and form a sample gets: routes by `data_source`.

Names are stripped and case-folded. An exact name wins, then shell patterns in the order of the file, then `*`, then
the default route.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError, HybridVerifyError, did_you_mean, refuse_unknown
from hybridverify.pipeline.chain import RuleChain
from hybridverify.pipeline.fingerprint import Fingerprint
from hybridverify.policies import Policy
from hybridverify.types import Outcome, Verdict

ROUTE_KEYS = ("rules", "policy", "form", "conventions")
_MAX_KEPT = 10_000
"""There are few data sources, but the column may hold anything."""
REFUSED = Verdict(Outcome.INCORRECT, 0.0, "rule")
"""A guard's refusal counts as a sure reject."""
FORMS = ("auto", "boxed", "hash", "choice", "free")


@dataclass(frozen=True, eq=False)  # compared and hashed by identity, once for each sample
class Route:
    """How the samples of one data source are graded."""

    name: str
    chain: RuleChain
    policy: Policy
    form: str
    conventions: Conventions
    told: Fingerprint

    @cached_property
    def asks_again(self) -> bool:
        """Whether the policy asks a judge in spite of a sure reject. Then it also asks about what a guard refuses."""
        return self.policy.asks(REFUSED)

    @property
    def fingerprint(self) -> str:
        """Which settings make the grades of this route."""
        return str(self.told)


class _Found(dict[str, Route]):
    """Routes by data source. A source that is asked for the first time is searched and kept."""

    def __init__(self, search: Callable[[str], Route]) -> None:
        self._search = search

    def __missing__(self, data_source: str) -> Route:
        route = self._search(data_source.strip().casefold())
        if len(self) < _MAX_KEPT:
            self[data_source] = route
        return route


class Router:
    """Finds the route of a data source. Raises ConfigError when it is made and a route has unknown keys."""

    def __init__(
        self,
        routes: Mapping[str, Mapping[str, Any]],
        make: Callable[[str, Mapping[str, Any]], Route],
        unknown_source: str,
    ) -> None:
        if unknown_source not in ("default", "error"):
            raise ConfigError(f"unknown_source: {unknown_source!r} is not one of 'default', 'error'")
        self._refuse_unknown = unknown_source == "error"
        self._exact: dict[str, Route] = {}
        self._patterns: list[tuple[str, Route]] = []
        for pattern, settings in routes.items():
            route = make(pattern, _checked(pattern, settings))
            name = pattern.strip().casefold()
            if any(mark in name for mark in "*?["):
                self._patterns.append((name, route))
            else:
                self._exact[name] = route
        self._patterns.sort(
            key=lambda entry: entry[0] == "*"
        )  # a stable sort: the order of the file, "*" last
        self._default = make("", {})
        self.by_source = _Found(self._search)

    def find(self, data_source: str) -> Route:
        """The route of a data source. Raises HybridVerifyError for an unknown one where `unknown_source` is "error"."""
        return self.by_source[data_source]

    def routes(self) -> tuple[Route, ...]:
        """Every route, the default last."""
        return (*self._exact.values(), *(route for _, route in self._patterns), self._default)

    def _search(self, name: str) -> Route:
        if name in self._exact:
            return self._exact[name]
        for pattern, route in self._patterns:
            if fnmatch.fnmatchcase(name, pattern):
                return route
        if self._refuse_unknown:
            known = [*self._exact, *(pattern for pattern, _ in self._patterns)]
            raise HybridVerifyError(
                f"data_source {name!r} has no route; routes: {', '.join(known) or 'none'}"
            )
        return self._default


def _checked(pattern: str, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    refuse_unknown(f"routes.{pattern}", settings, ROUTE_KEYS)
    form = settings.get("form") or "auto"
    if form not in FORMS:
        raise ConfigError(f"routes.{pattern}.form: no form {form!r}; {did_you_mean(str(form), FORMS)}")
    return settings
