"""Concurrent single calls become batches; nobody waits in vain, and nobody pays for another's fault."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import gc
import os
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridverify.pipeline import batcher as module
from hybridverify.pipeline.batcher import Batcher, BatcherClosed
from tests.waiting import GIVE_UP_S, soon

pytestmark = pytest.mark.load
NEVER_S = 3600.0
"""A `max_wait_s` that no test lives to see: the batch goes because it is full, or not at all."""


class Recorder:
    """Squares its items, and remembers the batches."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.batches: list[list[int]] = []
        self.seconds = seconds

    def __call__(self, items: list[int]) -> list[int]:
        self.batches.append(list(items))
        time.sleep(self.seconds)
        return [item * item for item in items]


class Held(Recorder):
    """Holds every batch until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def __call__(self, items: list[int]) -> list[int]:
        results = super().__call__(items)
        assert self.go.wait(GIVE_UP_S)
        return results

    def begun(self) -> bool:
        return bool(self.batches)


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "hybridverify-batcher"]


def test_nothing_runs_before_the_first_call() -> None:
    with Batcher(Recorder()):
        assert threads() == []


def test_calls_from_threads_share_batches() -> None:
    work = Held()
    with Batcher(work, max_batch=64, max_wait_s=0.0) as batcher, ThreadPoolExecutor(64) as pool:
        results = pool.map(batcher.call, range(64))
        assert soon(lambda: work.begun() and len(work.batches[0]) + len(batcher._queue) == 64)
        work.go.set()
        assert list(results) == [item * item for item in range(64)]
    assert len(work.batches) <= 2  # those that found it idle, and all who came while it was held
    assert sorted(item for batch in work.batches for item in batch) == list(range(64))


def test_calls_from_threads_all_get_their_results_over_many_batches() -> None:
    work = Recorder(seconds=0.01)
    with Batcher(work, max_batch=64, max_wait_s=0.05) as batcher, ThreadPoolExecutor(32) as pool:
        assert list(pool.map(batcher.call, range(320))) == [item * item for item in range(320)]
    assert sorted(item for batch in work.batches for item in batch) == list(range(320))


def test_calls_from_several_event_loops_share_batches() -> None:
    work = Recorder()
    batcher = Batcher(work, max_batch=60, max_wait_s=NEVER_S)

    async def many(start: int) -> list[int]:
        return list(await asyncio.gather(*(batcher.acall(start + i) for i in range(20))))

    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda start: asyncio.run(many(start)), (0, 100, 200)))
    batcher.close()
    assert results == [[(start + i) ** 2 for i in range(20)] for start in (0, 100, 200)]
    assert [len(batch) for batch in work.batches] == [60]


def test_a_full_batch_does_not_wait() -> None:
    work = Recorder()
    with Batcher(work, max_batch=4, max_wait_s=NEVER_S) as batcher:
        futures = [batcher.submit(item) for item in range(8)]
        assert [future.result(GIVE_UP_S) for future in futures] == [item * item for item in range(8)]
        assert work.batches == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_lonely_call_waits_no_longer_than_allowed() -> None:
    with Batcher(Recorder(), max_wait_s=0.05) as batcher:
        started = time.monotonic()
        assert batcher.submit(3).result(GIVE_UP_S) == 9
        assert time.monotonic() - started >= 0.05


def test_what_came_in_while_work_ran_is_the_next_batch() -> None:
    work = Held()
    with Batcher(work, max_wait_s=0.0) as batcher:
        first = batcher.submit(0)
        assert soon(work.begun)
        rest = [batcher.submit(item) for item in range(1, 50)]
        work.go.set()
        concurrent.futures.wait([first, *rest], GIVE_UP_S)
    assert work.batches == [[0], list(range(1, 50))]


def test_batches_run_side_by_side_only_where_that_is_asked_for() -> None:
    for allowed in (1, 3):
        running, most, lock = [0], [0], threading.Lock()

        def work(items: list[int], running: list[int] = running, most: list[int] = most) -> list[int]:
            with lock:  # noqa: B023 - used within the same turn
                running[0] += 1
                most[0] = max(most[0], running[0])
            soon(lambda: most[0] >= allowed)  # noqa: B023
            time.sleep(0.03)  # time for one too many
            with lock:  # noqa: B023
                running[0] -= 1
            return items

        with Batcher(work, max_batch=2, max_wait_s=0.0, max_running=allowed) as batcher:
            futures = [batcher.submit(item) for item in range(24)]
            assert [future.result(GIVE_UP_S) for future in futures] == list(range(24))
        assert most[0] == allowed


def test_an_exception_goes_to_its_own_batch_alone() -> None:
    def work(items: list[int]) -> list[int]:
        if 3 in items:
            raise KeyError("three")
        return items

    with Batcher(work, max_batch=2, max_wait_s=NEVER_S) as batcher:
        futures = [batcher.submit(item) for item in range(6)]
        outcomes = [type(future.exception(GIVE_UP_S)) for future in futures]
    assert outcomes == [type(None), type(None), KeyError, KeyError, type(None), type(None)]


@pytest.mark.parametrize("results", [[], [1], [1, 2, 3]])
def test_a_wrong_number_of_results_is_an_error_and_not_a_mix_up(results: list[int]) -> None:
    with Batcher[int, int](lambda items: results, max_batch=2, max_wait_s=NEVER_S) as batcher:
        for future in [batcher.submit(0), batcher.submit(1)]:
            with pytest.raises(ValueError, match="results for 2 items"):
                future.result(GIVE_UP_S)


@pytest.mark.parametrize(
    "error",
    [StopIteration("x"), asyncio.CancelledError(), concurrent.futures.CancelledError(), SystemExit(3)],
)
def test_no_exception_of_work_leaves_a_caller_waiting(error: BaseException) -> None:
    def work(items: list[int]) -> list[int]:
        raise error

    expected = SystemExit if isinstance(error, SystemExit) else RuntimeError
    with Batcher(work, max_wait_s=0.0) as batcher:
        with pytest.raises(expected):
            batcher.submit(1).result(GIVE_UP_S)

        async def awaiting() -> None:
            with pytest.raises(expected):
                await asyncio.wait_for(batcher.acall(1), GIVE_UP_S)

        if expected is RuntimeError:  # an event loop ends at SystemExit, as it should
            asyncio.run(awaiting())


def test_a_cancelled_caller_is_left_out_and_costs_nobody_anything() -> None:
    work = Recorder()
    with Batcher(work, max_batch=3, max_wait_s=NEVER_S) as batcher:
        futures = [batcher.submit(item) for item in range(2)]
        assert futures[1].cancel()
        futures.append(batcher.submit(2))
        assert [futures[0].result(GIVE_UP_S), futures[2].result(GIVE_UP_S)] == [0, 4]
    assert work.batches == [[0, 2]]


def test_a_caller_cancelled_while_work_runs_costs_nobody_anything() -> None:
    work = Held()
    with Batcher(work, max_batch=3, max_wait_s=NEVER_S) as batcher:

        async def three() -> list[object]:
            calls = [asyncio.ensure_future(batcher.acall(item)) for item in range(3)]
            assert await asyncio.to_thread(soon, work.begun)
            calls[1].cancel()
            work.go.set()
            return list(await asyncio.gather(*calls, return_exceptions=True))

        first, second, third = asyncio.run(three())
    assert (first, third) == (0, 4)
    assert isinstance(second, asyncio.CancelledError)


def test_a_loop_that_ends_while_work_runs_costs_nobody_anything() -> None:
    work = Held()
    with Batcher(work, max_batch=2, max_wait_s=NEVER_S) as batcher:

        async def impatient() -> int:
            call = asyncio.ensure_future(batcher.acall(1))
            assert await asyncio.to_thread(soon, work.begun)
            return await asyncio.wait_for(call, 0.1)

        kept = batcher.submit(5)
        with pytest.raises(asyncio.TimeoutError):
            asyncio.run(impatient())
        work.go.set()
        assert kept.result(GIVE_UP_S) == 25


def test_work_that_calls_its_own_batcher_is_told_so() -> None:
    batcher: Batcher[int, int]

    def work(items: list[int]) -> list[int]:
        return [batcher.call(item) for item in items]

    batcher = Batcher(work, max_wait_s=0.0)
    with pytest.raises(RuntimeError, match="wait for itself"):
        batcher.submit(1).result(GIVE_UP_S)
    batcher.close()


@pytest.mark.parametrize("running", [1, 3])
def test_closing_finishes_what_was_handed_in_and_refuses_the_rest(running: int) -> None:
    batcher = Batcher(Recorder(seconds=0.02), max_batch=4, max_wait_s=0.001, max_running=running)
    batcher.call(0)
    futures = [batcher.submit(item) for item in range(30)]
    batcher.close()
    assert all(future.done() for future in futures)
    assert [future.result(0) for future in futures] == [item * item for item in range(30)]
    assert threads() == []
    for call in (batcher.submit, batcher.call):
        with pytest.raises(BatcherClosed):
            call(1)
    batcher.close()


def test_an_idle_thread_ends_and_a_later_call_starts_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.05)
    batcher = Batcher(Recorder(), max_wait_s=0.0)
    for _ in range(3):
        assert batcher.call(2) == 4
        assert soon(lambda: not threads())
    batcher.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_child_starts_afresh() -> None:
    batcher = Batcher(Recorder(seconds=0.3), max_wait_s=0.0)
    pending = batcher.submit(7)
    child = os.fork()
    if child == 0:
        os._exit(0 if batcher.submit(3).result(GIVE_UP_S) == 9 else 1)
    assert pending.result(GIVE_UP_S) == 49
    assert os.waitpid(child, 0) == (child, 0)
    batcher.close()


@pytest.mark.parametrize("options", [{"max_batch": 0}, {"max_running": 0}, {"max_wait_s": -1.0}])
def test_settings_that_could_never_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Batcher(Recorder(), **options)


@settings(max_examples=25, deadline=None)
@given(
    items=st.lists(st.tuples(st.integers(-50, 50), st.booleans()), max_size=60),
    max_batch=st.integers(1, 9),
    max_running=st.integers(1, 3),
    wait_ms=st.sampled_from([0, 1, 3]),
)
def test_every_caller_gets_its_own_result_or_is_cancelled(
    items: Sequence[tuple[int, bool]], max_batch: int, max_running: int, wait_ms: int
) -> None:
    sizes: list[int] = []

    def work(batch: list[int]) -> list[int]:
        sizes.append(len(batch))
        return [item * item for item in batch]

    with Batcher(work, max_batch, wait_ms / 1000, max_running) as batcher:
        futures: list[Future[int]] = []
        for item, cancels in items:
            futures.append(batcher.submit(item))
            if cancels:
                futures[-1].cancel()
        concurrent.futures.wait(futures, GIVE_UP_S)
    for (item, cancels), future in zip(items, futures, strict=True):
        assert future.done()
        assert (cancels and future.cancelled()) or future.result() == item * item
    assert max(sizes, default=0) <= max_batch
    assert 0 not in sizes


def test_a_crowd_of_threads_and_loops_with_faults_and_cancellations_loses_nobody() -> None:
    def work(items: list[int]) -> list[int]:
        time.sleep(random.random() / 500)
        if any(item % 97 == 0 for item in items):
            raise ValueError("97")
        return [item + 1 for item in items]

    batcher = Batcher(work, max_batch=8, max_wait_s=0.002, max_running=2)
    settled: list[int] = []

    def by_thread(start: int) -> None:
        for item in range(start, start + 100):
            with contextlib.suppress(ValueError):
                assert batcher.call(item) == item + 1
            settled.append(item)

    async def by_task(item: int) -> None:
        with contextlib.suppress(ValueError, asyncio.TimeoutError):
            await asyncio.wait_for(batcher.acall(item), random.choice([0.0, 0.001, GIVE_UP_S]))
        settled.append(item)

    async def crowd(start: int) -> None:
        await asyncio.gather(*(by_task(item) for item in range(start, start + 100)))

    with ThreadPoolExecutor(12) as pool:
        jobs = [pool.submit(by_thread, start) for start in range(0, 800, 100)]
        jobs += [pool.submit(asyncio.run, crowd(start)) for start in range(800, 1200, 100)]
        for job in jobs:
            job.result(GIVE_UP_S)
    batcher.close()
    gc.collect()
    assert sorted(settled) == list(range(1200))
