"""What a job's deadline counts: processor time and its own sleep, not the load, and not imports."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridverify.types import Outcome
from hybridverify.workers import Interrupted, WorkerPool
from hybridverify.workers.clock import BACKSTOP_S, START_LIMIT_S, Clock, backstop_s, read
from hybridverify.workers.worker import ASLEEP, PROCESSOR, timed_out

pytestmark = pytest.mark.load
needs_proc = pytest.mark.skipif(
    read(os.getpid()) is None, reason="the system does not tell times of a process"
)


def burn(cpu_s: float) -> str:
    end = time.process_time() + cpu_s
    while time.process_time() < end:
        pass
    return "done"


def burn_on_core(wanted: tuple[int, float]) -> str:
    core, cpu_s = wanted
    os.sched_setaffinity(0, {core})
    return burn(cpu_s)


def burn_and_sleep(steps: int) -> str:
    for _ in range(steps):
        burn(0.05)
        time.sleep(0.05)
    return "done"


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(workers=1, deadline_s=0.4)
    yield pool
    pool.close()


@pytest.fixture
def rivals() -> Iterator[int]:
    """Eight processes that spin on one core; its number."""
    core = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(8)]
    yield core
    for rival in running:
        rival.kill()
        rival.wait()


@needs_proc
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a way to share one core")
def test_time_in_the_run_queue_does_not_count(pool: WorkerPool, rivals: int) -> None:
    """It gets a ninth of a core, so half of its deadline takes longer than four of them."""
    assert pool.run(burn_on_core, [(rivals, 0.2)]) == ["done"]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a way to share one core")
def test_processor_time_counts_however_busy_the_machine_is(pool: WorkerPool, rivals: int) -> None:
    assert pool.run(burn_on_core, [(rivals, 60.0)]) == [timed_out(PROCESSOR)]


def test_what_used_too_much_is_not_taken_although_it_ended(pool: WorkerPool) -> None:
    assert pool.run(burn, [0.41] * 3) == [timed_out(PROCESSOR)] * 3


@needs_proc
def test_sleep_counts_like_work(pool: WorkerPool) -> None:
    assert pool.run(time.sleep, [0.1, 10**6]) == [None, timed_out(ASLEEP)]
    (result,) = pool.run(burn_and_sleep, [100])
    assert result in (timed_out(PROCESSOR), timed_out(ASLEEP))


def test_the_backstop_is_the_larger_of_twenty_seconds_and_twenty_deadlines() -> None:
    assert (backstop_s(0.5), backstop_s(1.0), backstop_s(3.0)) == (20.0, 20.0, 60.0)


@needs_proc
def test_a_paused_clock_stands_still() -> None:
    clock = Clock(os.getpid(), 5.0)
    left_s = clock.left_s()
    clock.pause()
    burn(0.05)
    assert clock.left_s() == pytest.approx(left_s, abs=0.03)
    clock.resume()
    left_s = clock.left_s()
    burn(0.1)
    assert clock.left_s() < left_s - 0.05


def test_the_backstop_leaves_out_pauses_which_have_a_limit_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1000.0]
    monkeypatch.setattr("hybridverify.workers.clock.time.monotonic", lambda: now[0])
    clock = Clock(os.getpid(), 1.0, paused=True)
    now[0] += 100  # a process that starts on a busy machine
    assert clock.backstop_left_s() == START_LIMIT_S - 100
    clock.restart()
    now[0] += 5
    assert clock.backstop_left_s() == BACKSTOP_S - 5
    clock.pause()
    now[0] += 50
    assert clock.backstop_left_s() == START_LIMIT_S - 50
    clock.resume()
    assert clock.backstop_left_s() == BACKSTOP_S - 5


def test_a_process_that_is_gone_has_no_reading() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert read(child.pid) is None


MODULE = """
    import time
    import {inner}
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass
    time.sleep(0.6)

    def outer(number):
        import {lazy}
        return {lazy}.value + number

    class Item:
        pass
"""
SLOW = """
    import time
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass
    value = 40
"""


@pytest.fixture
def slow_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = textwrap.dedent(MODULE).format(inner="slow_inner", lazy="slow_lazy")
    (tmp_path / "slow_outer.py").write_text(code)
    (tmp_path / "slow_inner.py").write_text(textwrap.dedent(SLOW))
    (tmp_path / "slow_lazy.py").write_text(textwrap.dedent(SLOW))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("slow_modules")
def test_imports_never_count_neither_on_the_first_job_nor_within_it(pool: WorkerPool) -> None:
    """0.6 s of processor time for each of three modules, and a sleep, before a deadline of 0.4 s."""
    import slow_outer

    assert pool.run(slow_outer.outer, [2, 3]) == [42, 43]


@pytest.mark.usefixtures("slow_modules")
def test_a_job_that_imports_and_then_goes_on_for_ever_is_killed_all_the_same(pool: WorkerPool) -> None:
    assert pool.run(import_and_spin, ["slow_lazy"]) == [timed_out(PROCESSOR)]


def import_and_spin(module: str) -> None:
    __import__(module)
    burn(10**6)


def test_a_failing_import_is_told_and_stops_no_clock_for_good(pool: WorkerPool) -> None:
    failed = Interrupted(Outcome.FAILED, "ModuleNotFoundError in the worker")
    assert pool.run(import_and_spin, ["no_such_module"]) == [failed]
    assert pool.run(burn, [60.0]) == [timed_out(PROCESSOR)]
