"""Where workers come from: a fork of a process without threads, with today's surroundings, or a process each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from hybridverify.workers import WorkerPool, pool
from hybridverify.workers.forking import may_fork
from hybridverify.workers.nursery import Nursery

pytestmark = pytest.mark.load


def parent(_: object) -> int:
    return os.getppid()


def surroundings(_: object) -> tuple[str, str, bool]:
    return os.getcwd(), os.environ.get("HYBRIDVERIFY_TEST_MARK", ""), "/no/such/folder" in sys.path


def threads(_: object) -> int:
    return threading.active_count()


def own_and_parent(_: object) -> tuple[int, int]:
    return os.getpid(), os.getppid()


def test_workers_of_all_pools_are_children_of_one_process_without_threads() -> None:
    pools = [WorkerPool(workers=1) for _ in range(2)]
    ((first,), (second,)) = [one.run(parent, [0]) for one in pools]
    assert first == second != os.getpid()
    assert pools[0].run(threads, [0]) == [1]
    for one in pools:
        one.close()


def test_a_worker_sees_folder_path_and_environment_as_they_are_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = WorkerPool(workers=1)
    first.run(parent, [0])  # the nursery is there, and knows nothing of what follows
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYBRIDVERIFY_TEST_MARK", "now")
    monkeypatch.syspath_prepend("/no/such/folder")
    second = WorkerPool(workers=1)
    assert second.run(surroundings, [0]) == [(str(tmp_path.resolve()), "now", True)]
    for one in (first, second):
        one.close()


def test_a_process_with_threads_does_not_fork() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not may_fork()
    finally:
        stop.set()
        thread.join()


def test_where_the_nursery_cannot_fork_each_worker_is_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Nursery, "_can_fork", lambda self: False)
    alone = WorkerPool(workers=1, deadline_s=0.3)
    assert alone.run(parent, [0]) == [os.getpid()]
    assert [result.outcome.value for result in alone.run(time.sleep, [60])] == ["timed_out"]  # type: ignore[union-attr]
    assert alone.run(abs, [-3]) == [3]
    alone.close()


def test_a_nursery_that_was_killed_is_replaced_and_its_workers_jobs_go_on_elsewhere() -> None:
    jobs = WorkerPool(workers=1, jobs_per_worker=1)
    ((_, before),) = jobs.run(own_and_parent, [0])  # type: ignore[misc]
    os.kill(before, signal.SIGKILL)
    while pool._nursery().exists() and pool._nursery()._process.pid == before:
        time.sleep(0.01)
    ((_, after),) = jobs.run(own_and_parent, [0])  # type: ignore[misc]
    assert after not in (before, os.getpid())
    jobs.close()


def test_a_killed_worker_is_replaced_in_a_small_part_of_the_time_that_a_start_takes() -> None:
    """Side by side in one run: a nursery's start, and a worker's after a kill."""
    code = """
        import os, statistics, time
        from hybridverify.workers import WorkerPool

        jobs = WorkerPool(workers=1, deadline_s=0.2)
        begin = time.perf_counter()
        jobs.run(abs, [-1])
        start = time.perf_counter() - begin
        again = []
        for _ in range(5):
            jobs.run(time.sleep, [60])
            begin = time.perf_counter()
            jobs.run(abs, [-1])
            again.append(time.perf_counter() - begin)
        print(statistics.median(again) / start)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.stderr == ""
    assert float(done.stdout) < 0.3


def test_a_spawned_process_may_start_workers_while_it_imports_its_script(tmp_path: Path) -> None:
    """Trainers spawn processes, which import the script that holds the reward once more."""
    script = tmp_path / "train.py"
    script.write_text(
        "import multiprocessing\n"
        "from hybridverify.workers import WorkerPool\n"
        "pool = WorkerPool(workers=1)\n"
        "made = pool.run(abs, [-3])\n"
        "def there(number):\n"
        "    return made + [number]\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as processes:\n"
        "        print(processes.map(there, [7]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[[3, 7]]\n"), done.stderr
