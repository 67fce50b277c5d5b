"""Where an adapter's grades come from: a verifier of this process, a server of ours, or any object with `grade`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hybridverify.adapters.graders import grader_for
from hybridverify.adapters.options import OWN_KEYS, Options, parse_options
from hybridverify.adapters.service import service_options
from hybridverify.adapters.status import failed_grade

from hybridverify.errors import ConfigError
from hybridverify.types import SKIPPED, Grade, Sample, Verdict


class Source(Protocol):
    """Grades rows. `problems` says, by index, why a row could not be read: its grade is `failed`."""

    def grade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]: ...

    async def agrade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]: ...


@dataclass(frozen=True)
class Here:
    """The verifier of this process, or the service that its options name. Holds its options only, so it can be
    pickled."""

    options: Options

    def grade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        grader = grader_for(self.options)
        if len(samples) == 1 and not problems:
            return [grader.grade_one(samples[0])]  # calls of several threads share a batch
        return grader.grade_rows(samples, problems) if problems else grader.grade(samples)

    async def agrade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        grader = grader_for(self.options)
        if len(samples) == 1 and not problems:
            return [await grader.agrade_one(samples[0])]
        return await grader.agrade_rows(samples, problems)


@dataclass(frozen=True)
class Given:
    """An object with `grade(list of samples)`: a Verifier, or a client of a server. It is pickled if it can be."""

    grader: Any

    def grade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        readable = _readable(samples, problems)
        return self._merged(self.grader.grade(readable) if readable else [], samples, problems)

    async def agrade(self, samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Grade]:
        readable = _readable(samples, problems)
        if not readable:
            found = []
        elif hasattr(self.grader, "agrade"):
            found = await self.grader.agrade(readable)
        else:
            found = await asyncio.to_thread(self.grader.grade, readable)
        return self._merged(found, samples, problems)

    def _merged(
        self, found: Iterable[Any], samples: Sequence[Sample], problems: Mapping[int, str]
    ) -> list[Grade]:
        """The grades in the order of all rows."""
        graded = list(map(as_grade, found))
        if len(graded) != len(samples) - len(problems):
            raise ConfigError(
                f"{type(self.grader).__name__}.grade gave {len(graded)} grades "
                f"for {len(samples) - len(problems)} samples"
            )
        grades = iter(graded)
        return [failed_grade(problems[i]) if i in problems else next(grades) for i in range(len(samples))]


def _readable(samples: Sequence[Sample], problems: Mapping[int, str]) -> list[Sample]:
    return [sample for i, sample in enumerate(samples) if i not in problems] if problems else list(samples)


def as_grade(found: Grade | Verdict) -> Grade:
    """A grade as it is; a verdict as a grade, graded if it is sure. Raises ConfigError for anything else."""
    if isinstance(found, Verdict):
        return Grade(found.score if found.sure else 0.0, found.sure, found.outcome, found, SKIPPED)
    if not hasattr(found, "graded"):
        raise ConfigError(f"grade(samples) must give grades or verdicts, not {type(found).__name__}")
    return found


def source_of(given: Any, options: Mapping[str, Any], *, training: bool = True) -> Source:
    """The source that a user named: an object with `grade`, a configuration, keywords, or a server by `base_url=`
    alone (with a `token` or `token_env`, if it wants one).

    Raises ConfigError for wrong options, when it is made.
    """
    if hasattr(given, "grade"):
        if options:
            raise ConfigError(f"options {', '.join(options)}: {type(given).__name__} has its own settings")
        return Given(given)
    if given is not None and not isinstance(given, (str, Mapping)) and not hasattr(given, "__fspath__"):
        raise ConfigError(
            f"expected a file, a mapping or an object with grade(samples), got {type(given).__name__}"
        )
    if given is None:
        options = service_options(options, OWN_KEYS)
    named = {**given, **options} if isinstance(given, Mapping) else dict(options)
    if given is not None and not isinstance(given, Mapping):
        named["config"] = str(given)
    here = Here(replace(parse_options(named), training=training))
    grader_for(here.options)  # a fault of the configuration shows here, not in the middle of the first step
    return here
