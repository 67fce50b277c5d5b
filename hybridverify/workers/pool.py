"""The pool: hands jobs to worker processes, each with its own deadline and memory limit.

A limit inside the process is not enough: an alarm works in the main thread only, and a long operation in C cannot be
interrupted. So each job runs in a child process, which is killed when the job has used up its deadline.

No process is started before the first job, or `warm`. No `if __name__ == "__main__"` guard is needed, and all
processes end by themselves when this one is gone.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import math
import multiprocessing
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, TypeVar

from hybridverify.types import Outcome
from hybridverify.workers.child import pickled
from hybridverify.workers.nursery import Nursery
from hybridverify.workers.worker import Interrupted as Interrupted
from hybridverify.workers.worker import Limits, Worker

T = TypeVar("T")
R = TypeVar("R")

START_ATTEMPTS = 3
START_BACKOFF_S = 0.1
START_PAUSE_S = 5.0
"""Seconds. After a worker could not be started, jobs fail at once for this long: each attempt costs time and may fill
a log."""

logger = logging.getLogger("hybridverify")


class WorkerPool:
    """Runs jobs in up to `workers` processes at once, each with its own deadline and memory limit.

    Processes are started when they are needed and kept for later jobs. A killed one is replaced in milliseconds by
    the nursery, which all pools share. Safe for many threads, in a running event loop and after a fork.

    `workers`: at most the cores that this process may use, which is the default. `deadline_s`: seconds of processor
    time and of sleep that one job may use (see clock.py). `memory_mb`: the most address space of a worker, in MiB.
    `jobs_per_worker`: a worker is replaced after this many jobs, because sympy's caches grow.
    """

    def __init__(
        self,
        workers: int | None = None,
        deadline_s: float = 1.0,
        memory_mb: int = 2048,
        jobs_per_worker: int = 1000,
    ) -> None:
        if not 0 < deadline_s < math.inf:
            raise ValueError(f"deadline_s must be a positive number of seconds, not {deadline_s!r}")
        self.workers = _size(workers)
        self._limits = Limits(deadline_s, memory_mb)
        self._jobs_per_worker = jobs_per_worker
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._no_start: Interrupted | None = None
        self._no_start_until = 0.0
        self._make_locks()
        weakref.finalize(self, _stop_all, self._alive)  # also runs at the interpreter's exit
        _pools.add(self)
        _watch_forks()

    def run(self, function: Callable[[T], R], items: Sequence[T]) -> list[R | Interrupted]:
        """`function(item)` for every item, in order; an `Interrupted` if there is no result.

        The function must pickle. Usually it is the `check` of a frozen dataclass, or a module's function.
        """
        jobs = list(items)
        if multiprocessing.current_process().daemon:
            _warn_daemonic()
            return [Interrupted(Outcome.UNDECIDED, "no worker processes in a daemonic process")] * len(jobs)
        run_one = partial(self._run_one, pickled(function))
        if len(jobs) < 2:
            return [run_one(job) for job in jobs]
        threads = ThreadPoolExecutor(min(self.workers, len(jobs)), "hybridverify-jobs")
        try:
            return list(threads.map(run_one, jobs))
        finally:
            threads.shutdown(cancel_futures=True)

    def warm(self) -> None:
        """Start the nursery without waiting for it, so that the first job finds the imports done."""
        if not multiprocessing.current_process().daemon:
            with contextlib.suppress(OSError):  # the first job will report the fault
                _nursery()

    def close(self) -> None:
        """End all worker processes. A later `run` starts new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
            _stop_all(self._alive)
            for worker in idle:
                worker.release()
        _end_nursery_if_idle()

    def _run_one(self, function: bytes, item: Any) -> Any:
        with self._slots:
            worker = self._ready_worker()
            if isinstance(worker, Interrupted):
                return worker
            try:
                return worker.run(function, item)
            finally:
                self._give_back(worker)

    def _ready_worker(self) -> Worker | Interrupted:
        """A worker that waits for a job."""
        if self._no_start and time.monotonic() < self._no_start_until:
            return self._no_start
        for attempt in range(START_ATTEMPTS):
            time.sleep(
                attempt * START_BACKOFF_S
            )  # a machine that is short of something now may have it later
            try:
                worker = self._borrow()
            except OSError as error:  # no memory, no process slots
                failure = Interrupted(Outcome.FAILED, f"{type(error).__name__}: no worker could be started")
                continue
            self._no_start = None
            return worker
        self._no_start, self._no_start_until = failure, time.monotonic() + START_PAUSE_S
        return failure

    def _borrow(self) -> Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.exists():
                    return worker
                self._drop(worker)  # killed from outside while it was idle
        worker = Worker(_nursery(), self._limits)  # outside the lock: the first worker waits for the imports
        with self._lock:
            self._alive.add(worker)
        return worker

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            closed = worker not in self._alive
            if worker.usable and worker.jobs_done < self._jobs_per_worker and not closed:
                self._idle.append(worker)
            else:
                self._drop(worker)

    def _drop(self, worker: Worker) -> None:
        self._alive.discard(worker)
        worker.stop()
        worker.release()

    def _make_locks(self) -> None:
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(self.workers)

    def _forget(self) -> None:
        """Start afresh in a forked child: the workers, and the holders of the locks, belong to the parent."""
        self._make_locks()
        for worker in self._alive:
            worker.release()
        self._alive.clear()
        self._idle.clear()


def shared_pool(workers: int | None = None, deadline_s: float = 1.0) -> WorkerPool:
    """This process's pool of that size, made at first use and closed at exit."""
    wanted = (_size(workers), deadline_s)
    with _shared_lock:
        if wanted not in _shared:
            _shared[wanted] = WorkerPool(*wanted)
        return _shared[wanted]


_shared: dict[tuple[int, float], WorkerPool] = {}
_shared_lock = threading.Lock()
_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()
_nurseries: list[Nursery] = []
"""This process's nursery, made at first use."""
_nursery_lock = threading.Lock()


def _nursery() -> Nursery:
    with _nursery_lock:
        if _nurseries and not _nurseries[0].exists():
            _nurseries.pop().close()
        if not _nurseries:
            _nurseries.append(Nursery())
        return _nurseries[0]


def _end_nursery_if_idle() -> None:
    """A pool was closed. If no other pool has a worker, end the nursery too."""
    with _nursery_lock:
        if _nurseries and not any(pool._alive for pool in _pools):
            _nurseries.pop().close()


@atexit.register
def _end_nursery() -> None:
    while _nurseries:
        _nurseries.pop().close()


def _size(workers: int | None) -> int:
    from loky.backend.context import cpu_count

    if workers is not None and workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    cores: int = cpu_count()  # takes affinity and container limits into account
    return cores if workers is None else min(workers, cores)


def _stop_all(workers: set[Worker]) -> None:
    while workers:
        workers.pop().stop()


@lru_cache(maxsize=1)
def _warn_daemonic() -> None:
    logger.warning("a daemonic process may not have children: checks that need a worker stay undecided here")


@lru_cache(maxsize=1)
def _watch_forks() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)


def _after_fork() -> None:
    global _shared_lock, _nursery_lock
    _shared_lock, _nursery_lock = threading.Lock(), threading.Lock()
    for pool in list(_pools):
        pool._forget()
    while _nurseries:
        _nurseries.pop().forget()
