"""The judge stage: render, look up, ask what is missing in one batch a judge, store, and hand out.

Equal requests are asked once. Nothing here knows policies or scores.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from hybridverify.cache import Cache, key
from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.base import Judge, Request, Subject
from hybridverify.stats import Stats
from hybridverify.types import Outcome, Verdict

MAX_SLICES = 16
"""Slices of one batch in flight at a time."""


class JudgeStage:
    """Asks every judge of a panel about a batch of subjects.

    `max_calls` bounds how many requests this object ever sends, all judges together; 0 is no bound. What goes
    beyond it is `failed`, with the reason. `stop_on_outage` raises JudgeUnavailable as soon as an engine is known
    to be down, where otherwise the rows are `failed`.
    """

    def __init__(
        self,
        judges: Sequence[Judge],
        cache: Cache,
        stats: Stats,
        namespace: str = "",
        max_calls: int = 0,
        stop_on_outage: bool = False,
    ) -> None:
        self.judges = tuple(judges)
        self._cache = cache
        self._stats = stats
        self._namespace = namespace
        self._max_calls = max_calls
        self._stop_on_outage = stop_on_outage
        self._called = 0
        self._lock = threading.Lock()

    def ask(self, subjects: Sequence[Subject]) -> list[tuple[Verdict, ...]]:
        """For each subject one verdict a judge. Raises JudgeUnavailable."""
        if not subjects or not self.judges:
            return [() for _ in subjects]
        if len(self.judges) > 1 and all(getattr(judge, "concurrent", False) for judge in self.judges):
            with ThreadPoolExecutor(len(self.judges)) as threads:
                columns = list(threads.map(lambda judge: self._ask_one(judge, subjects), self.judges))
        else:
            columns = [self._ask_one(judge, subjects) for judge in self.judges]
        return list(zip(*columns, strict=True))

    def _ask_one(self, judge: Judge, subjects: Sequence[Subject]) -> list[Verdict]:
        prepared = judge.prepare(subjects)
        who = judge.identity()
        keys = {
            index: key("judge", who, request.payload, self._namespace)
            for index, request in enumerate(prepared)
            if isinstance(request, Request)
        }
        known = self._cache.get_many(list(dict.fromkeys(keys.values()))) if keys else {}
        missing: dict[str, Request] = {}
        for index, k in keys.items():
            request = prepared[index]
            if k not in known and isinstance(request, Request):
                missing.setdefault(k, request)
        fresh = self._call(judge, missing)
        if missing and self._stop_on_outage:
            stop_if_down(judge)  # after what was answered is kept
        cached = sum(k in known for k in keys.values())
        self._stats.add("judge", cached=cached, deduplicated=len(keys) - cached - len(missing))
        verdicts = []
        for index, request in enumerate(prepared):
            if isinstance(request, Verdict):
                verdicts.append(request)
            else:
                verdict = known.get(keys[index]) or fresh[keys[index]]
                verdicts.append(verdict if verdict.answer else replace(verdict, answer=request.answer))
        return verdicts

    def _call(self, judge: Judge, missing: Mapping[str, Request]) -> dict[str, Verdict]:
        """Ask what is missing, as far as the budget goes, and keep the answers as they come."""
        if not missing:
            return {}
        begin = time.perf_counter()
        allowed = list(missing)[: self._reserve(len(missing))]
        size = getattr(getattr(judge, "backend", None), "slice_size", 0) or len(allowed)
        slices = [
            {k: missing[k] for k in allowed[at : at + size]} for at in range(0, len(allowed), size or 1)
        ]
        fresh: dict[str, Verdict] = {}
        for answered in _side_by_side(lambda part: self._decide(judge, part), slices):
            fresh.update(answered)
        spent = f"max_calls ({self._max_calls}) is spent"
        refused = Verdict(Outcome.FAILED, 0.0, f"judge:{judge.name}", "", spent)
        verdicts = {k: fresh.get(k, refused) for k in missing}
        failed = sum(not v.sure and v.outcome is not Outcome.INVALID for v in verdicts.values())
        self._stats.add("judge", called=len(allowed), failed=failed, seconds=time.perf_counter() - begin)
        return verdicts

    def _decide(self, judge: Judge, part: Mapping[str, Request]) -> dict[str, Verdict]:
        begin = time.perf_counter()
        verdicts = judge.decide(list(part.values()))
        share = (time.perf_counter() - begin) / len(part)
        fresh = {k: replace(verdict, seconds=share) for k, verdict in zip(part, verdicts, strict=True)}
        self._cache.put_many(fresh, "judge")
        return fresh

    def _reserve(self, wanted: int) -> int:
        """How many of the wanted calls the budget still allows; they count as spent."""
        with self._lock:
            granted = wanted if not self._max_calls else max(0, min(wanted, self._max_calls - self._called))
            self._called += granted
            return granted

    def usage(self) -> dict[str, float]:
        """Token and request counters of all judges, summed."""
        total: dict[str, float] = {}
        for judge in self.judges:
            for name, count in judge.usage().items():
                total[name] = total.get(name, 0) + count
        return total

    def close(self) -> None:
        for judge in self.judges:
            judge.close()


def _side_by_side(
    work: Callable[[dict[str, Request]], dict[str, Verdict]], slices: Sequence[dict[str, Request]]
) -> Iterator[dict[str, Verdict]]:
    """Engines that answer piece by piece name a `slice_size`: each slice is kept when it is done, so that little
    is lost where a run is killed. Engines in this process get the whole batch in one call."""
    if len(slices) < 2:
        yield from map(work, slices)
        return
    with ThreadPoolExecutor(min(len(slices), MAX_SLICES), thread_name_prefix="hybridverify-judge") as threads:
        yield from threads.map(work, slices)


def stop_if_down(judge: Judge) -> None:
    """Raise JudgeUnavailable where the judge's engine says that nothing can be asked at present."""
    outage = getattr(getattr(judge, "backend", None), "outage", "")
    if outage:
        raise JudgeUnavailable(f"judge {judge.name}: {outage}")
