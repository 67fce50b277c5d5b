"""Data sources whose answers are programs. Nothing here runs one, so their rows get no grade.

Compared as text, a right program would be paid like a wrong one. A user's own route for such a source, `*` included,
and a user's own rule in the default chain are followed: they may know how to run it.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.types import SKIPPED, Grade, Outcome, Sample, Verdict

PROGRAM_SOURCES = ("apps", "codecontests", "codeforces", "taco")
"""The sources whose programs verl's `default_compute_score` runs, in a sandbox or by itself. The same in every
release."""


_data_source = attrgetter("data_source")


class Programs:
    """Which data sources have programs that the settings of a verifier cannot run."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.barred: tuple[str, ...] = ()
        if settings.get("unknown_source") != "error" and not _own_rules(settings.get("rules")):
            patterns = [str(pattern).strip().casefold() for pattern in settings.get("routes") or {}]
            self.barred = tuple(source for source in PROGRAM_SOURCES if not routed(source, patterns))

    def among(self, samples: Sequence[Sample]) -> set[int]:
        """The places of the rows that cannot be graded."""
        if not any(map(_data_source, samples)):  # the usual call of a trainer, for speed
            return set()
        barred = set(filter(self._bars, set(map(_data_source, samples))))
        return {i for i, sample in enumerate(samples) if sample.data_source in barred} if barred else set()

    def _bars(self, source: str) -> bool:
        return source.strip().casefold() in self.barred


def ungraded(sample: Sample) -> Grade:
    """The grade of a row whose program is not run. It names all sources, because it is logged once for each process."""
    source = sample.data_source.strip()
    others = ", ".join(name for name in PROGRAM_SOURCES if name != source.casefold())
    reason = (
        f"programs of data source {source!r} are not run here, nor those of {others}; "
        "a route of your own for it is followed"
    )
    return Grade(0.0, False, Outcome.SKIPPED, Verdict(Outcome.SKIPPED, reason=reason), SKIPPED)


def is_program(grade: Grade) -> bool:
    """Whether `ungraded` made this grade. No other kind of grade is skipped as a whole."""
    return not grade.graded and grade.outcome is Outcome.SKIPPED


def refuse_sandbox(settings: Mapping[str, Any], *sections: Any) -> None:
    """Raises ConfigError if one of verl's `sandbox_fusion` sections names a sandbox, which means that programs will
    come, and no route of the user's takes them."""
    url = next((section["url"] for section in sections if section and section.get("url")), "")
    if url and Programs(settings).barred == PROGRAM_SOURCES:
        raise ConfigError(
            f"sandbox_fusion.url: programs ({', '.join(PROGRAM_SOURCES)}) are not run by hybridverify and no "
            "route takes them; give their data sources a route with a rule of your own, "
            "or leave the sandbox out"
        )


def _own_rules(rules: Any) -> bool:
    """Whether a user's function or checker is in the chain."""
    named = [rules] if isinstance(rules, str) else rules or ()
    return any(not isinstance(rule, str) or ":" in rule for rule in named)


def routed(source: str, patterns: Sequence[str]) -> bool:
    """Whether one of the routes' names fits a data source. Both are stripped and case-folded."""
    return any(pattern == source or fnmatch.fnmatchcase(source, pattern) for pattern in patterns)
