"""Answers for prepared requests: from the cache, from an equal request, or from the engine within the budget.

Equal requests are asked once. This module does not know what a request is for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

from hybridverify.cache import Cache, NoCache, keys
from hybridverify.cache.entry import JUDGE_STAGE
from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.base import Answered, Judge, Request
from hybridverify.judges.call import CURRENT, Call
from hybridverify.pipeline.first_replies import FirstReplies
from hybridverify.pipeline.in_flight import InFlight, names
from hybridverify.pipeline.stats import Stats
from hybridverify.types import NO_ANSWER, SURE, Outcome, Verdict

_ANSWERED = (*SURE, Outcome.INVALID, Outcome.UNDECIDED)
"""Outcomes that are no failure. A judge that abstains is undecided, and so is every translation."""
_MOST_FORMS = 16
"""How often a judge may find out that it must be asked in another form: each time it learns one more thing."""
MAX_SLICES = 16
"""How many slices of one batch are in flight at a time."""


class JudgeClient:
    """Asks judges. `max_calls` limits how many prompts this object sends in all, second attempts after unreadable
    replies included; 0 is no limit. Requests beyond it are `failed`, with the reason."""

    def __init__(
        self,
        cache: Cache,
        stats: Stats,
        namespace: str = "",
        max_calls: int = 0,
        stop_on_outage: bool = False,
        probe: bool = False,
    ) -> None:
        self._store = None if isinstance(cache, NoCache) else cache
        self._stats = stats
        self._namespace = namespace
        self._max_calls = max_calls
        self._stop_on_outage = stop_on_outage
        self._first = FirstReplies() if probe else None
        self._called = 0
        self._answering: set[int] = set()
        """The judges that have answered once, by identity: they live as long as this object."""
        self._lock = threading.Lock()
        self._first_turn = threading.Lock()
        self._in_flight: InFlight[tuple[Verdict, str]] = InFlight()

    @property
    def limited(self) -> bool:
        """Whether the number of calls is limited."""
        return self._max_calls > 0

    def sharing(self) -> AbstractContextManager[None]:
        """Until the block ends, equal requests of several batches are asked once, with or without a cache."""
        return self._in_flight.sharing()

    def answers(self, judge: Judge, prepared: Sequence[Request | Verdict]) -> list[Answered]:
        """One answer for each, in order. A verdict in place of a request is handed through."""
        requests = [one for one in prepared if isinstance(one, Request)]
        answered = self._answered(judge, requests)
        for _ in range(_MOST_FORMS):
            again = [at for at, one in enumerate(answered) if one.verdict.fault is Fault.FORM]
            if not again:
                break
            # Other keys: the cache may hold the answers that were given in the other form.
            for at, one in zip(again, self._answered(judge, [requests[at] for at in again]), strict=True):
                answered[at] = one
        return answered if len(answered) == len(prepared) else _in_place(answered, prepared)

    def _answered(self, judge: Judge, requests: Sequence[Request]) -> list[Answered]:
        """One answer for each request, all in the present form of the judge's requests. If the engine tells that it
        must be asked in another one, the fault of an answer says so."""
        form = form_of(judge)
        keyed = self._keys(judge, requests)
        known = self._known(keyed)
        missing = _first_of_each(keyed, requests, known)
        fresh, asked = self._asked(judge, missing, form)
        if missing and self._stop_on_outage:
            stop_if_down(judge)  # after the answers that came were stored
        cached = sum([k in known for k in keyed]) if known else 0
        self._stats.add("judge", cached=cached, deduplicated=len(keyed) - cached - asked)
        return [
            _answer_to(request, *(fresh.get(k) or (known[k], "")))
            for k, request in zip(keyed, requests, strict=True)
        ]

    def _known(self, keyed: Sequence[str]) -> Mapping[str, Verdict]:
        """The stored verdicts under these keys."""
        return self._store.get_many(list(dict.fromkeys(keyed))) if self._store and keyed else {}

    def _keys(self, judge: Judge, requests: Sequence[Request]) -> list[str]:
        """The key of each request. The judge's identity is written out once for all."""
        if not requests:
            return []
        payloads = [one.payload for one in requests]
        if self._store is None:  # nothing is stored under these keys, but equal requests have to be found
            return names(payloads)
        return keys(_stage(judge), judge.identity(), payloads, self._namespace)

    def _asked(
        self, judge: Judge, missing: Mapping[str, Request], form: object
    ) -> tuple[dict[str, tuple[Verdict, str]], int]:
        """The answers to the missing requests, and how many of them were asked here. A request that another thread is
        asking at this moment is not asked again."""
        fresh: dict[str, tuple[Verdict, str]] = {}
        asked = 0
        while missing:
            own, others = self._in_flight.claimed(id(judge), missing)
            asked += len(own)
            came: dict[str, tuple[Verdict, str]] = {}
            try:
                came = self._call(judge, own, form)
            finally:
                # Whoever waits for an answer that has to be asked for in another form asks himself.
                told = {k: answer for k, answer in came.items() if answer[0].fault is not Fault.FORM}
                self._in_flight.settle(id(judge), own, told)
            fresh.update(came)
            heard = {k: future.result().get(k) for k, future in others.items()}
            fresh.update({k: answer for k, answer in heard.items() if answer is not None})
            missing = {k: missing[k] for k, answer in heard.items() if answer is None}  # its asker failed
        return fresh, asked

    def _call(
        self, judge: Judge, missing: Mapping[str, Request], form: object
    ) -> dict[str, tuple[Verdict, str]]:
        """Ask the missing requests, as far as the budget goes, and store the answers as they come."""
        if not missing:
            return {}
        begin = time.perf_counter()
        allowed = list(missing.items())[: self._reserve(len(missing))]
        fresh = self._watched(judge, allowed, form)
        rest = allowed[len(fresh) :]
        size = getattr(getattr(judge, "backend", None), "slice_size", 0) or len(rest)
        slices = [dict(rest[at : at + size]) for at in range(0, len(rest), size or 1)]
        at_once = MAX_SLICES if getattr(judge, "concurrent", True) else 1
        for answered in _side_by_side(lambda part: self._decide(judge, part, form), slices, at_once):
            fresh.update(answered)
        unasked = sum([verdict.fault is Fault.FORM for verdict, _ in fresh.values()])
        self._give_back(unasked)
        fresh = self._told_apart(judge, fresh)
        whole = fresh if len(fresh) == len(missing) else {**self._refused(judge, missing), **fresh}
        failed = sum([v.outcome not in _ANSWERED for v, _ in whole.values()]) - unasked
        seconds = time.perf_counter() - begin
        self._stats.add("judge", called=len(allowed) - unasked, failed=failed, seconds=seconds)
        return whole

    def _refused(self, judge: Judge, requests: Iterable[str]) -> dict[str, tuple[Verdict, str]]:
        """What requests get that the budget does not allow."""
        spent = f"max_calls ({self._max_calls}) is spent"
        refused = Verdict(Outcome.FAILED, 0.0, f"judge:{judge.name}", "", spent, fault=Fault.ROW)
        return dict.fromkeys(requests, (refused, ""))

    def _watched(
        self, judge: Judge, allowed: Sequence[tuple[str, Request]], form: object
    ) -> dict[str, tuple[Verdict, str]]:
        """Ask the first requests of a judge alone, in one thread. Raises NoUsableReply if its replies are of no
        use."""
        watch = self._first
        if watch is None or not watch.due(judge):
            return {}
        with self._first_turn:
            first = dict(allowed[: watch.due(judge)])
            if not first:
                return {}
            answered = self._decide(judge, first, form)
            watch.saw(judge, answered.values())
            return answered

    def _told_apart(
        self, judge: Judge, fresh: dict[str, tuple[Verdict, str]]
    ) -> dict[str, tuple[Verdict, str]]:
        """The verdicts with their faults corrected. An engine that refuses every request from the start has wrong
        settings. One that has answered before had the right ones, so its refusals are an outage."""
        if any(verdict.outcome not in NO_ANSWER for verdict, _ in fresh.values()):
            self._answering.add(id(judge))
        refusals = [k for k, (verdict, _) in fresh.items() if verdict.fault is Fault.SETTINGS]
        if not refusals:
            return fresh
        if id(judge) in self._answering:
            silence = {k: (fresh[k][0].but(fault=Fault.ENGINE), fresh[k][1]) for k in refusals}
            return {**fresh, **silence}
        if self._stop_on_outage:
            reason = fresh[refusals[0]][0].reason
            raise JudgeUnavailable(f"judge {judge.name}: {reason}", Fault.SETTINGS)
        return fresh

    def _decide(
        self, judge: Judge, part: Mapping[str, Request], form: object
    ) -> dict[str, tuple[Verdict, str]]:
        begin = time.perf_counter()
        call = Call(self._reserve, form=form)
        before = CURRENT.set(call)
        try:
            verdicts = judge.decide(list(part.values()))
        finally:
            CURRENT.reset(before)
        share = (time.perf_counter() - begin) / len(part)
        heard = call.replies
        fresh = {}
        for (k, request), verdict in zip(part.items(), verdicts, strict=True):
            fresh[k] = (verdict.but(seconds=share), heard.get(id(request), ""))
        if self._store:
            self._store.put_many({k: verdict for k, (verdict, _) in fresh.items()}, _stage(judge))
        return fresh

    def _reserve(self, wanted: int) -> int:
        """How many of the wanted calls the budget still allows. They count as spent."""
        with self._lock:
            granted = wanted if not self._max_calls else max(0, min(wanted, self._max_calls - self._called))
            self._called += granted
            return granted

    def _give_back(self, unasked: int) -> None:
        """Calls that were granted and not made."""
        with self._lock:
            self._called -= unasked


def _first_of_each(
    keyed: Sequence[str], requests: Sequence[Request], known: Mapping[str, Verdict]
) -> dict[str, Request]:
    """The requests without a known answer, each key once."""
    missing: dict[str, Request] = {}
    for k, request in zip(keyed, requests, strict=True):
        if k not in known and k not in missing:
            missing[k] = request
    return missing


def _answer_to(request: Request, verdict: Verdict, reply: str) -> Answered:
    own = verdict if verdict.answer else verdict.but(answer=request.answer)
    return Answered(own, request, reply)


def _in_place(answered: Sequence[Answered], prepared: Sequence[Request | Verdict]) -> list[Answered]:
    """The answers in the places of their requests. Where a verdict stands in place of a request, no engine was asked,
    so a fault is the row's own."""
    own = iter(answered)
    return [Answered(one.but(fault=Fault.ROW)) if isinstance(one, Verdict) else next(own) for one in prepared]


def _side_by_side(
    work: Callable[[dict[str, Request]], dict[str, tuple[Verdict, str]]],
    slices: Sequence[dict[str, Request]],
    at_once: int,
) -> Iterator[dict[str, tuple[Verdict, str]]]:
    """The answers of each slice, as they come. Engines that answer piece by piece name a `slice_size`: each slice is
    stored when it is done, so that little is lost if the run is killed. Engines in this process get the whole
    batch in one call, or, where they are slow, their slices in turn: waiting in threads would count as their
    seconds."""
    if min(len(slices), at_once) < 2:
        yield from map(work, slices)
        return
    with ThreadPoolExecutor(min(len(slices), at_once), thread_name_prefix="hybridverify-judge") as threads:
        yield from threads.map(work, slices)


def _stage(judge: Judge) -> str:
    """The stage under which the cache files the answers. A judge may give something other than verdicts."""
    return str(getattr(judge, "stage", JUDGE_STAGE))


def form_of(judge: Judge) -> object:
    """The form of the requests of a judge's engine, if it may change; else None."""
    return getattr(engine_of(judge), "form", None)


def engine_of(judge: Judge) -> object:
    """The backend of a judge, if it has one."""
    return getattr(judge, "backend", None) or getattr(getattr(judge, "asker", None), "backend", None)


def stop_if_down(judge: Judge) -> None:
    """Raise JudgeUnavailable if the judge's engine reports an outage."""
    outage = getattr(getattr(judge, "backend", None), "outage", "")
    if outage:
        raise JudgeUnavailable(f"judge {judge.name}: {outage}")
