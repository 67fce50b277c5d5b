"""The judge stage: render, look up, ask what is missing in one batch a judge, store, and hand out.

Equal requests are asked once. Nothing here knows policies or scores.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from hybridverify.cache import Cache, key
from hybridverify.judges.base import Judge, Request, Subject
from hybridverify.stats import Stats
from hybridverify.types import Outcome, Verdict


class JudgeStage:
    """Asks every judge of a panel about a batch of subjects.

    `max_calls` bounds how many requests this object ever sends, all judges together; 0 is no bound. What goes
    beyond it is `failed`, with the reason.
    """

    def __init__(
        self, judges: Sequence[Judge], cache: Cache, stats: Stats, namespace: str = "", max_calls: int = 0
    ) -> None:
        self.judges = tuple(judges)
        self._cache = cache
        self._stats = stats
        self._namespace = namespace
        self._max_calls = max_calls
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
        if fresh:
            self._cache.put_many(fresh, "judge")
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
        if not missing:
            return {}
        allowed = list(missing)[: self._reserve(len(missing))]
        begin = time.perf_counter()
        verdicts = judge.decide([missing[k] for k in allowed]) if allowed else []
        seconds = time.perf_counter() - begin
        share = seconds / max(1, len(allowed))
        fresh = {k: replace(verdict, seconds=share) for k, verdict in zip(allowed, verdicts, strict=True)}
        spent = Verdict(
            Outcome.FAILED, 0.0, f"judge:{judge.name}", "", f"max_calls ({self._max_calls}) is spent"
        )
        failed = sum(not v.sure and v.outcome is not Outcome.INVALID for v in verdicts)
        self._stats.add(
            "judge",
            called=len(allowed),
            failed=failed + len(missing) - len(allowed),
            seconds=seconds,
        )
        return {k: fresh.get(k, spent) for k in missing}

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
