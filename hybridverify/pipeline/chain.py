"""Runs a chain of checkers over a batch: cheap ones sample by sample in this process, isolated ones in workers.

The first sure verdict wins, and no later checker changes it. An isolated checker is asked equal questions once, and
its answers are cached.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from hybridverify.cache import Cache, key
from hybridverify.pipeline.stats import Stats
from hybridverify.rules.base import Checker
from hybridverify.types import SURE, UNDECIDED, Outcome, Sample, Verdict
from hybridverify.workers import Interrupted, WorkerPool

NO_RULE = Verdict(Outcome.UNDECIDED, 0.0, "rule", "", "no rule decided")
NO_REFERENCE = Verdict(Outcome.BAD_REFERENCE, 0.0, "rule", "", "no reference to compare with")


OnOpen = Callable[[int], None]


class PoolOf(Protocol):
    """Returns the worker pool, which is started when it is first needed."""

    def __call__(self) -> WorkerPool: ...


@dataclass
class Recording:
    """Whether a verdict carries what every rule that was asked said (`Verdict.said`)."""

    on: bool = False


@dataclass(frozen=True, eq=False)
class RuleChain:
    """Checkers in order, with the pool, cache and counters that they share."""

    checkers: tuple[Checker, ...]
    pool: PoolOf
    cache: Cache
    stats: Stats
    namespace: str = ""
    identities: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By the checker's name. Made once, because versions of libraries are read from disk."""
    recording: Recording = field(default_factory=Recording)

    def check(self, samples: Sequence[Sample], on_open: OnOpen | None = None) -> list[Verdict]:
        """One verdict for each sample: the first sure one, else the most informative of the rest.

        `on_open` is called with the index of each sample that the checkers in this process leave open. At that time
        the readings of this sample are still cached.
        """
        verdicts = []
        for sample in samples:
            verdicts.append(NO_RULE if has_reference(sample) else NO_REFERENCE)
        pending: Sequence[int] = range(len(samples))
        ready: dict[int, Sample | Verdict] = {}
        for isolated, group, following in self._segments:
            if not pending:
                break
            if isolated:
                for checker in group:
                    pending = self._run_isolated(checker, samples, verdicts, pending, ready)
                    ready = {}
            else:
                pending, ready = self._run_inline(group, samples, verdicts, pending, following, on_open)
        return verdicts

    def check_here(self, samples: Sequence[Sample]) -> list[Verdict | None]:
        """The verdicts of the checkers that come before the first isolated one; None where `check` would go on.

        For callers that must not wait for another process.
        """
        verdicts = [NO_RULE if has_reference(sample) else NO_REFERENCE for sample in samples]
        if not self._segments:
            return list(verdicts)
        isolated, group, _ = self._segments[0]
        pending: Sequence[int] = range(len(samples))
        if not isolated:
            pending, _ = self._run_inline(group, samples, verdicts, pending, None, None)
        goes_on = set(pending) if isolated or len(self._segments) > 1 else set()
        return [None if index in goes_on else verdict for index, verdict in enumerate(verdicts)]

    @cached_property
    def isolated(self) -> bool:
        """Whether any checker runs in workers."""
        return any(checker.isolated for checker in self.checkers)

    @cached_property
    def bounded(self) -> bool:
        """Whether every checker that runs in this process is one of the library's, whose work is bounded."""
        here = [checker for checker in self.checkers if not checker.isolated]
        return all(type(checker).__module__.startswith("hybridverify.rules.") for checker in here)

    @cached_property
    def _segments(self) -> tuple[tuple[bool, tuple[Checker, ...], Checker | None], ...]:
        """The checkers in groups that run in the same place, each group with the first checker after it."""
        runs = [tuple(group) for _, group in itertools.groupby(self.checkers, key=lambda c: c.isolated)]
        after = [run[0] for run in runs[1:]]
        return tuple(
            (run[0].isolated, run, following) for run, following in itertools.zip_longest(runs, after)
        )

    def _run_inline(
        self,
        checkers: tuple[Checker, ...],
        samples: Sequence[Sample],
        verdicts: list[Verdict],
        pending: Sequence[int],
        following: Checker | None,
        on_open: OnOpen | None,
    ) -> tuple[list[int], dict[int, Sample | Verdict]]:
        """The samples that are still open, and each of them prepared for the isolated checker that follows. This is
        done at once, while the readings of the sample are still cached."""
        still, ready = [], {}
        for index in pending:
            sample, verdict = samples[index], verdicts[index]
            heard = [*verdict.said] if self.recording.on else None
            for checker in checkers:
                if verdict is not NO_RULE and not applies(checker, sample):
                    continue  # with NO_RULE there is a reference, and no checker has said anything yet
                try:
                    said = checker.check(sample)
                except Exception as error:
                    said = broken(checker, error)
                if heard is not None:
                    heard.append(said)
                verdict = said if verdict is NO_RULE else later(verdict, said)
                if verdict.outcome in SURE:
                    break
            else:
                still.append(index)
                if following is not None and applies(following, sample):
                    ready[index] = prepare(following, sample)
                if on_open is not None:
                    on_open(index)
            verdicts[index] = verdict.but(said=tuple(heard)) if heard else verdict
        return still, ready

    def _run_isolated(
        self,
        checker: Checker,
        samples: Sequence[Sample],
        verdicts: list[Verdict],
        pending: Sequence[int],
        ready: Mapping[int, Sample | Verdict],
    ) -> list[int]:
        wanted: dict[int, Sample] = {}
        for index in pending:
            if not applies(checker, samples[index]):
                continue
            prepared = ready.get(index) or prepare(checker, samples[index])
            if isinstance(prepared, Verdict):
                verdicts[index] = self._joined(verdicts[index], prepared)
            else:
                wanted[index] = prepared
        for index, verdict in self._ask(checker, wanted).items():
            verdicts[index] = self._joined(verdicts[index], verdict)
        return [index for index in pending if not verdicts[index].sure]

    def _joined(self, before: Verdict, verdict: Verdict) -> Verdict:
        """Which of both counts; with what was said so far, if that is recorded."""
        counts = later(before, verdict)
        return counts.but(said=(*before.said, verdict)) if self.recording.on else counts

    def _ask(self, checker: Checker, wanted: Mapping[int, Sample]) -> dict[int, Verdict]:
        if not wanted:
            return {}
        who = self.identities.get(checker.name) or self.identities.setdefault(checker.name, identity(checker))
        keys = {
            index: key("rule", who, seen(sample, checker.meta_keys), self.namespace)
            for index, sample in wanted.items()
        }
        kept = getattr(checker, "cached", True)
        known = self.cache.get_many(list(dict.fromkeys(keys.values()))) if kept else {}
        missing = {keys[index]: sample for index, sample in wanted.items() if keys[index] not in known}
        fresh = self._compute(checker, missing)
        if kept and fresh:
            self.cache.put_many(fresh, "rule")
        self.stats.add("rules", cached=sum(k in known for k in keys.values()), isolated=len(missing))
        return {index: known.get(k) or fresh[k] for index, k in keys.items()}

    def _compute(self, checker: Checker, missing: Mapping[str, Sample]) -> dict[str, Verdict]:
        if not missing:
            return {}
        begin = time.perf_counter()
        results = self.pool().run(checker.check, list(missing.values()))
        seconds = (time.perf_counter() - begin) / len(missing)
        return {
            k: replace(_settled(checker, result), seconds=seconds)
            for k, result in zip(missing, results, strict=True)
        }


def has_reference(sample: Sample) -> bool:
    """Whether any reference holds visible text."""
    return bool("".join(sample.references).strip())


def applies(checker: Checker, sample: Sample) -> bool:
    """Whether this checker can judge the sample: most need a reference."""
    return not getattr(checker, "needs_reference", True) or has_reference(sample)


def guarded(checker: Checker, sample: Sample) -> Verdict:
    """The checker's verdict; `failed` where it raises."""
    try:
        return checker.check(sample)
    except Exception as error:
        return broken(checker, error)


def broken(checker: Checker, error: Exception) -> Verdict:
    """A `failed` verdict that names what was raised. One bad sample or a user's faulty rule must not end the batch."""
    return Verdict(Outcome.FAILED, 0.0, f"rule:{checker.name}", "", f"{type(error).__name__} in the checker")


def prepare(checker: Checker, sample: Sample) -> Sample | Verdict:
    """The sample that is sent to an isolated checker's worker, or a verdict where no work is needed."""
    own = getattr(checker, "prepare", None)
    if own is None:
        return reduced(sample, checker.meta_keys) if getattr(checker, "cached", True) else sample
    try:
        return own(sample)  # type: ignore[no-any-return]
    except Exception as error:
        return broken(checker, error)


def reduced(sample: Sample, meta_keys: Sequence[str]) -> Sample:
    """The sample without the fields that do not enter the cache key: a cached checker sees only what is hashed."""
    return replace(sample, data_source="", meta={k: sample.meta[k] for k in meta_keys if k in sample.meta})


def later(old: Verdict, new: Verdict) -> Verdict:
    """Which of two verdicts in chain order is kept: a sure one, else a failure, else the newer."""
    if new.outcome is not UNDECIDED:
        return new
    if old.outcome is not UNDECIDED:
        return old
    return new if new.answer or not old.answer else new.but(answer=old.answer)


def identity(checker: Checker) -> dict[str, Any]:
    """Everything besides the sample that may change this checker's verdict. It enters cache keys and fingerprints."""
    settings: dict[str, Any] = (
        asdict(checker) if is_dataclass(checker) and not isinstance(checker, type) else {}
    )
    libraries = getattr(checker, "libraries", None)
    return {
        "name": checker.name,
        "version": checker.version,
        "settings": {name: value for name, value in settings.items() if not callable(value)},
        "libraries": libraries() if libraries else {},
    }


def seen(sample: Sample, meta_keys: Sequence[str]) -> dict[str, Any]:
    """The parts of a sample that a checker may see, ready for JSON: of `meta` only the keys that it declares."""
    return {
        "response": sample.response,
        "references": list(sample.references),
        "question": sample.question,
        "meta": {name: str(sample.meta[name]) for name in meta_keys if name in sample.meta},
    }


def _settled(checker: Checker, result: Verdict | Interrupted) -> Verdict:
    if isinstance(result, Interrupted):
        return Verdict(result.outcome, 0.0, f"rule:{checker.name}", "", result.reason)
    return result
