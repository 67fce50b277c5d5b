"""Jobs in killable workers: crashes, processes, and the places from which a pool is called."""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hybridverify.types import Outcome
from hybridverify.workers import Interrupted, WorkerPool, shared_pool
from hybridverify.workers.worker import ASLEEP, PROCESSOR, timed_out
from tests.waiting import soon

pytestmark = pytest.mark.load
STUCK = timed_out(PROCESSOR)


def square(number: int) -> int:
    return number * number


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def spin(_: object) -> None:
    while True:
        pass


def spin_in_c(_: object) -> int:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return len(bin(7 ** (10**9)))  # one operation that holds the interpreter lock for hours


def die(code: int) -> None:
    os._exit(code)


def kill_itself(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill_memory(megabytes: int) -> int:
    return len(bytearray(megabytes * 2**20))


def fail(_: object) -> None:
    raise ZeroDivisionError("at 0x7f00 after 3.2 s")


def process_id(_: object) -> int:
    return os.getpid()


def module_of_process(_: object) -> str:
    return type(multiprocessing.current_process()).__module__


def spin_if(number: int) -> int:
    if number < 0:
        spin(number)
    return number


def burn_on(wanted: tuple[int, float]) -> str:
    core, cpu_s = wanted
    os.sched_setaffinity(0, {core})
    end = time.process_time() + cpu_s
    while time.process_time() < end:
        pass
    return "done"


def unreadable(_: object) -> threading.Lock:
    return threading.Lock()


@pytest.fixture(scope="module")
def warm() -> Iterator[WorkerPool]:
    pool = WorkerPool(workers=2, deadline_s=1.0)
    pool.run(square, range(4))
    yield pool
    pool.close()


def test_results_keep_length_and_order(warm: WorkerPool) -> None:
    assert warm.run(square, range(300)) == [number * number for number in range(300)]


def test_no_items_need_no_worker() -> None:
    before = processes()
    assert WorkerPool(workers=1).run(square, []) == []
    assert processes() == before


def test_queue_time_never_counts() -> None:
    pool = WorkerPool(workers=2, deadline_s=0.5)
    assert pool.run(nap, [0.02] * 200) == [0.02] * 200
    pool.close()


@pytest.mark.parametrize(("job", "clock"), [(spin, PROCESSOR), (spin_in_c, PROCESSOR), (nap, ASLEEP)])
def test_a_stuck_job_is_killed_at_its_deadline(warm: WorkerPool, job: Any, clock: str) -> None:
    assert warm.run(job, [60]) == [timed_out(clock)]
    assert warm.run(square, [3]) == [9]


def test_stuck_jobs_in_a_row_are_killed_one_by_one(warm: WorkerPool) -> None:
    assert warm.run(spin_in_c, range(4)) == [STUCK] * 4


def test_a_stuck_job_does_not_touch_its_neighbours(warm: WorkerPool) -> None:
    results = warm.run(spin_if, [1, -1, 2, 3, -2, 4])
    assert results == [1, STUCK, 2, 3, STUCK, 4]


@pytest.mark.parametrize(
    ("job", "item", "reason"),
    [
        (die, 3, "worker ended with exit code 3"),
        (die, 0, "worker ended with exit code 0"),
        (kill_itself, 0, "worker was killed by signal 9"),
        (fill_memory, 8192, "MemoryError in the worker"),
        (fail, 0, "ZeroDivisionError in the worker"),
        (unreadable, 0, "TypeError in the worker"),
        (sys.exit, 0, "SystemExit in the worker"),
    ],
)
def test_what_goes_wrong_in_a_worker_fails_that_job_only(
    warm: WorkerPool, job: Any, item: int, reason: str
) -> None:
    assert warm.run(job, [item]) == [Interrupted(Outcome.FAILED, reason)]
    assert warm.run(square, [1, 2, 3]) == [1, 4, 9]


def test_an_item_that_does_not_pickle_fails_alone(warm: WorkerPool) -> None:
    results = warm.run(str, [1, threading.Lock(), 2])
    assert results == ["1", Interrupted(Outcome.FAILED, "TypeError while the job was sent"), "2"]


def test_a_worker_killed_while_idle_is_not_noticed(warm: WorkerPool) -> None:
    (idle,) = warm.run(process_id, [0])
    assert isinstance(idle, int)
    os.kill(idle, signal.SIGKILL)
    assert ended(idle)
    assert warm.run(square, [5]) == [25]


def test_workers_are_replaced_after_so_many_jobs() -> None:
    pool = WorkerPool(workers=1, jobs_per_worker=3)
    seen = pool.run(process_id, range(9))
    assert [seen.count(worker) for worker in dict.fromkeys(seen)] == [3, 3, 3]
    pool.close()


def test_where_no_worker_starts_jobs_fail_at_once_until_one_does() -> None:
    done = python(
        "-c",
        textwrap.dedent("""
            import sys, time
            from hybridverify.workers import WorkerPool, pool

            pool.START_PAUSE_S = 0.5
            jobs = WorkerPool(workers=1)
            jobs.run(abs, [-1])  # the processes that watch over resources run
            jobs.close()
            executable, sys.executable = sys.executable, "/bin/false"
            print({result.outcome.value for result in jobs.run(abs, range(50))})
            sys.executable = executable
            time.sleep(0.6)
            print(jobs.run(abs, [-3]))
        """),
    )
    assert (done.stdout, done.stderr) == ("{'failed'}\n[3]\n", "")


def test_workers_are_those_of_loky_whatever_copy_of_it_another_library_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """joblib brings a copy of loky, and importing it sets the context that is called "loky"."""
    import loky  # noqa: F401  registers its own first

    foreign = multiprocessing.get_context("spawn")
    monkeypatch.setitem(multiprocessing.context._concrete_contexts, "loky", foreign)  # type: ignore[attr-defined]
    pool = WorkerPool(workers=1)
    assert pool.run(module_of_process, [0]) == ["loky.backend.process"]
    pool.close()


def test_no_more_processes_than_workers_and_the_nursery(warm: WorkerPool) -> None:
    others = processes()
    pool = WorkerPool(workers=2, deadline_s=0.5)
    assert pool.run(square, range(4)) == [0, 1, 4, 9]
    assert pool.run(spin_if, [-1, 1, -2, 2]) == [STUCK, 1, STUCK, 2]
    assert len(processes() - others) <= pool.workers
    pool.close()
    assert processes() <= others


def test_no_process_before_the_first_job() -> None:
    code = """
        import json, os, subprocess
        import hybridverify

        def children():
            listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True)
            return len(listed.stdout.split()) - 1  # without ps itself

        found = []
        hybridverify.verify("12", "12")
        hybridverify.verify("the answer is Paris", "Rome")
        verifier = hybridverify.Verifier()
        found.append(children())
        verifier.ensure_ready()
        found.append(children())
        print(json.dumps(found))
    """
    done = python("-c", textwrap.dedent(code))
    before, after = json.loads(done.stdout)
    assert (before, done.stderr) == (0, "")
    assert after > 0


def test_close_leaves_no_process_behind() -> None:
    code = """
        import threading, time
        from hybridverify.workers import WorkerPool
        pool = WorkerPool(workers=2)
        ids = pool.run(eval, ["__import__('os').getpid()", "__import__('os').getppid()"])
        stuck = threading.Thread(target=pool.run, args=(time.sleep, [10**6]))
        stuck.start()
        while len(pool._alive) == len(pool._idle):
            time.sleep(0.01)
        pool.close()
        stuck.join()
        print(*ids)
    """
    done = python("-c", textwrap.dedent(code))
    assert done.stderr == ""
    assert [number for number in map(int, done.stdout.split()) if running(number)] == []


def test_works_from_many_threads_at_once(warm: WorkerPool) -> None:
    results: dict[int, list[int | Interrupted]] = {}
    threads = [
        threading.Thread(target=lambda i=i: results.update({i: warm.run(square, range(i, i + 20))}))
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {i: [n * n for n in range(i, i + 20)] for i in range(8)}


def test_works_inside_a_running_event_loop(warm: WorkerPool) -> None:
    async def main() -> list[int | Interrupted]:
        direct = warm.run(square, [2])
        return direct + await asyncio.to_thread(warm.run, square, [3])

    assert asyncio.run(main()) == [4, 9]


def test_the_shared_pool_is_one_per_size_and_deadline() -> None:
    assert shared_pool(1) is shared_pool(1)
    assert shared_pool(1) is not shared_pool(1, deadline_s=2.0)
    assert shared_pool(10**6) is shared_pool(None)  # never more than the cores


@pytest.mark.parametrize("bad", [{"workers": 0}, {"deadline_s": 0.0}, {"deadline_s": float("inf")}])
def test_wrong_settings_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        WorkerPool(**bad)


def test_a_daemonic_process_is_told_once_and_stays_undecided(caplog: pytest.LogCaptureFixture) -> None:
    pool = WorkerPool(workers=1)
    process = multiprocessing.current_process()
    process.daemon = True  # what a worker of multiprocessing.Pool is
    try:
        with caplog.at_level(logging.WARNING, "hybridverify"):
            first = pool.run(square, [1, 2])
            pool.run(square, [3])
    finally:
        process._config["daemon"] = False  # type: ignore[attr-defined]
    assert first == [Interrupted(Outcome.UNDECIDED, "no worker processes in a daemonic process")] * 2
    assert len(caplog.records) == 1


USER_SCRIPT = """
    import sys
    from hybridverify.workers import shared_pool

    def cube(number):
        return number ** 3

    class Box:
        def __init__(self, value):
            self.value = value

    def wrap(number):
        return Box(number)

    print(shared_pool(1).run(cube, [1, 2, 3]), [type(b) is Box for b in shared_pool(1).run(wrap, [1])])
"""


@pytest.mark.parametrize("how", ["script", "-c", "stdin"])
def test_a_script_without_main_guard_may_use_its_own_functions(how: str, tmp_path: Path) -> None:
    code = textwrap.dedent(USER_SCRIPT)
    script = tmp_path / "user_script.py"
    script.write_text(code)
    arguments = {"script": [str(script)], "-c": ["-c", code], "stdin": []}[how]
    done = python(*arguments, stdin=code if how == "stdin" else "")
    assert (done.stdout, done.stderr) == ("[1, 8, 27] [True]\n", "")


def test_a_forked_child_gets_workers_of_its_own_and_leaves_the_parents_alone() -> None:
    done = python(
        "-c",
        textwrap.dedent("""
            import os, sys
            from hybridverify.workers import shared_pool

            pool = shared_pool(1)
            mine = pool.run(abs, [-1]), pool.run(eval, ["__import__('os').getpid()"])
            if (child := os.fork()) == 0:
                assert shared_pool(1).run(abs, [-2]) == [2]
                assert shared_pool(1).run(eval, ["__import__('os').getpid()"]) != mine[1]
                sys.exit(0)  # a normal exit, handlers and all
            assert os.waitpid(child, 0)[1] == 0
            assert pool.run(eval, ["__import__('os').getpid()"]) == mine[1]
            print("fine")
        """),
    )
    assert (done.stdout, done.stderr) == ("fine\n", "")


@pytest.mark.parametrize("job", ["time.sleep(1000)", "len(bin(7 ** 10**9))", "0"])
def test_workers_end_when_their_parent_is_killed(job: str) -> None:
    code = f"""
        import time
        from hybridverify.workers import shared_pool
        pool = shared_pool(1)
        print(*pool.run(eval, ["__import__('os').getpid()"]), flush=True)
        pool.run(eval, ["__import__('time') and {job.replace("time.", "__import__('time').")}"])
        time.sleep(1000)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    time.sleep(0.3)  # the second job is running, or the worker is idle
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert ended(worker)


def test_nothing_is_printed_and_no_process_survives_a_normal_exit() -> None:
    done = python(
        "-c",
        textwrap.dedent("""
            from hybridverify.workers import shared_pool
            shared_pool(2).run(eval, ["1/0", "__import__('os')._exit(9)", "2"])
            print(*shared_pool(2).run(eval, ["__import__('os').getpid()"]))
        """),
    )
    assert done.stderr == ""
    assert ended(int(done.stdout))


def python(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=200,
        env=environment(),
    )


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def ended(process: int) -> bool:
    return soon(lambda: not running(process))


def running(process: int) -> bool:
    """True for a live process; a zombie that nobody has waited for yet counts as ended."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def processes() -> set[int]:
    """The nursery of this process and its workers, zombies included. `-ww`, because ps cuts its lines at 80
    columns, and where the folder has a long name nothing is recognised."""
    rows = subprocess.run(
        ["ps", "-ww", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True
    ).stdout.splitlines()
    parents = {int(row.split()[0]): int(row.split()[1]) for row in rows}
    ours = {
        number
        for number, row in zip(parents, rows, strict=True)
        if parents[number] == os.getpid() and ("popen_loky" in row or "defunct" in row)
    }
    return ours | {number for number, parent in parents.items() if parent in ours}
