"""Copies of one backend, each in a process of its own with its own devices, fed by this process.

An engine's Python side fills a core: several engines in one process would wait for each other. A copy answers
several calls at a time, so that its engine never waits for the next.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.parcel import Parcel
from hybridverify.judges.base import Backend, Failure, Prompt, Reply, Sampling

AT_ONCE = 6
"""Calls that one copy works on at a time."""
END_S = 20.0
"""Seconds that a copy has to end its engine."""


class Replicas:
    """Feeds copies of `backend`. `devices` holds the environment of each copy. Copies start at first use."""

    def __init__(self, backend: Backend, devices: Sequence[Mapping[str, str]]) -> None:
        self._copies = [Replica(backend, number, own) for number, own in enumerate(devices)]
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def running(self) -> bool:
        """Whether every copy has a process that runs."""
        return all(copy.running for copy in self._copies)

    def first(self, number: int) -> Replicas:
        """The first so many of these copies, as they are: what is closed here is closed there."""
        found = Replicas.__new__(Replicas)
        found._copies, found._lock = self._copies[:number], self._lock
        return found

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling, least: int) -> list[Reply | Failure]:
        """The results in order. A batch is shared out in parts of at least `least` prompts. Raises
        JudgeUnavailable if a copy cannot be asked."""
        parts = _parts(prompts, min(len(self._copies), max(1, len(prompts) // least)))
        with self._lock:
            futures = []
            for part in parts:
                copy = min(self._copies, key=lambda one: one.prompts)
                futures.append(copy.ask(len(part), "complete", Parcel(part), sampling))
        return [result for future in futures for result in future.result()]

    def each(self, method: str) -> None:
        """Call a method without arguments of every copy, side by side. Raises what one of them raised."""
        with self._lock:
            futures = [copy.ask(0, method) for copy in self._copies]
        for future in futures:
            future.result()

    def close(self) -> None:
        """End all copies."""
        with self._lock:
            for copy in self._copies:
                copy.close()


class Replica:
    """One copy, as this process sees it. Not for use in several threads at a time."""

    def __init__(self, backend: Backend, number: int, environment: Mapping[str, str]) -> None:
        self._backend, self._number, self._environment = backend, number, dict(environment)
        self._link: _Link | None = None

    @property
    def prompts(self) -> int:
        """Prompts that it has not answered."""
        return self._link.prompts if self._link is not None else 0

    @property
    def running(self) -> bool:
        """Whether it has a process of its own, which this process started. A fork's copies are not its own."""
        return self._link is not None and not self._link.gone and self._link.pid == os.getpid()

    def ask(self, size: int, method: str, *arguments: Any) -> Future[Any]:
        """The future result of a method of the copy's backend. `size` is the number of prompts."""
        if self._link is None or not self.running:
            self._link = _Link(self._backend, self._number, self._environment)
        return self._link.send(size, method, arguments)

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None and link.pid == os.getpid():
            link.end()


class _Link:
    """A running copy: its process, the pipe to it, and the calls that wait for it."""

    def __init__(self, backend: Backend, number: int, environment: Mapping[str, str]) -> None:
        from loky.backend.context import LokyContext

        context = LokyContext()
        self._pipe, far = context.Pipe()
        self._number = number
        self.pid = os.getpid()
        self.gone = False
        self.prompts = 0
        self._waiting: dict[int, tuple[Future[Any], int]] = {}
        self._lock = threading.Lock()
        self._names = itertools.count()
        # Not a daemon: those may not start the processes of an engine.
        self._process = context.Process(
            target=serve, args=(far, backend), daemon=False, env=dict(environment)
        )
        self._process.start()
        far.close()
        name = f"hybridverify-replica-{number}"
        threading.Thread(target=self._listen, name=name, daemon=True).start()

    def send(self, size: int, method: str, arguments: tuple[Any, ...]) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            call = next(self._names)
            self._waiting[call] = (future, size)
            self.prompts += size
            try:
                self._pipe.send((call, method, arguments))
            except OSError:  # it has just ended; the listener tells all who wait
                self.gone = True
                del self._waiting[call]
                future.set_exception(self._ended())
        return future

    def end(self) -> None:
        """Let it close its backend and end; kill it if that takes too long."""
        with self._lock, contextlib.suppress(OSError):
            self._pipe.send(None)
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _listen(self) -> None:
        """Hand out what the copy answers. Only this process's own copy writes into the pipe."""
        while True:
            try:
                call, good, value = self._pipe.recv()
            except (EOFError, OSError):
                break
            with self._lock:
                future, size = self._waiting.pop(call)
                self.prompts -= size
            _settle(future, good, value)
        with self._lock:
            self.gone = True
            waiting, self._waiting = self._waiting, {}
        for future, _ in waiting.values():
            _settle(future, False, self._ended())

    def _ended(self) -> JudgeUnavailable:
        return JudgeUnavailable(f"the process of engine {self._number} ended; the next call starts another")


def serve(pipe: Connection, backend: Any) -> None:
    """The code of a copy: answer calls until the pipe closes."""
    lock = threading.Lock()

    def answer(call: int, method: str, arguments: tuple[Any, ...]) -> None:
        try:
            good, value = True, getattr(backend, method)(*arguments)
        except JudgeUnavailable as error:
            good, value = False, JudgeUnavailable(str(error), error.fault)
        except (
            Exception
        ) as error:  # the border of a process: other classes may not survive the way through a pipe
            good, value = False, JudgeUnavailable(f"{type(error).__name__}: {error}")
        with lock, contextlib.suppress(OSError):
            pipe.send((call, good, value))

    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hybridverify-replica")
    with threads, contextlib.suppress(EOFError, OSError):
        while (message := pipe.recv()) is not None:
            threads.submit(answer, *message)
    backend.close()


def _settle(future: Future[Any], good: bool, value: Any) -> None:
    with contextlib.suppress(InvalidStateError):
        if good:
            future.set_result(value)
        else:
            future.set_exception(value)


def _parts(prompts: Sequence[Prompt], number: int) -> list[list[Prompt]]:
    """The prompts in so many parts of equal length, in order."""
    ends = [len(prompts) * part // number for part in range(number + 1)]
    return [list(prompts[begin:end]) for begin, end in itertools.pairwise(ends)]
