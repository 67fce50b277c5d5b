"""Rules that run in worker processes: equal questions are asked once, and answers are cached."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from typing import Any, Protocol

from hybridverify.cache import Cache, key
from hybridverify.pipeline.stats import Stats
from hybridverify.rules.base import Checker, broken
from hybridverify.types import Sample, Verdict
from hybridverify.workers import Interrupted, WorkerPool


class PoolOf(Protocol):
    """Returns the worker pool, which is started when it is first needed."""

    def __call__(self) -> WorkerPool: ...


@dataclass(frozen=True, eq=False)
class Isolated:
    """Asks rules in workers, with the pool, cache and counters of a chain."""

    pool: PoolOf
    cache: Cache
    stats: Stats
    namespace: str = ""
    identities: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By the checker's name. Made once, because versions of libraries are read from disk."""

    def ask(self, checker: Checker, wanted: Mapping[int, Sample]) -> dict[int, Verdict]:
        """The checker's verdict on each sample, by its number."""
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
        self.stats.add("rules", cached=sum(map(known.__contains__, keys.values())), isolated=len(missing))
        return {index: known.get(k) or fresh[k] for index, k in keys.items()}

    def _compute(self, checker: Checker, missing: Mapping[str, Sample]) -> dict[str, Verdict]:
        if not missing:
            return {}
        begin = time.perf_counter()
        results = self.pool().run(checker.check, list(missing.values()))
        seconds = (time.perf_counter() - begin) / len(missing)
        return {
            k: replace(settled(checker, result), seconds=seconds)
            for k, result in zip(missing, results, strict=True)
        }


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


def settled(checker: Checker, result: Verdict | Interrupted) -> Verdict:
    """What a worker returned, as a verdict of this checker."""
    if isinstance(result, Interrupted):
        return Verdict(result.outcome, 0.0, f"rule:{checker.name}", "", result.reason)
    return result


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
