"""Rule graders behind one call, each in a process of its own that can be killed in the middle of a pair.

A grader is made from its name in the child and then maps (reference, response, question) to True, False or
None (undecided). Peers get the answer as they would from their users; those without an extractor get the part
that our own extractor finds.

Processor time is the grader's alone: its own process is measured around each call, by getrusage and inside that
process, so that pipes and pickling count for nobody; the processes it started are measured by /proc, from the end of
the warm-up to the end of the file. What a worker does between two calls therefore counts, and imports do not.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import resource
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from labelled import Pair

Grader = Callable[[str, str, str], "bool | None"]

WARM_UP = (
    ("1", r"\boxed{1}"),
    (r"\frac{x}{2}", r"\boxed{x/2}"),
    (r"\frac{1+\sqrt5}{4}", r"\boxed{\cos\frac{\pi}{5}}"),
)
START_LIMIT_S = 120.0
STILL_S, LOOK_S = 1.0, 0.2
"""Our workers come from a process that imports sympy: the first pair waits until it has used no processor time for so
long, because imports are not measured."""


def hybridverify() -> Grader:
    """Our chain with default rules, no cache: sure verdicts only."""
    import hybridverify as hv

    verifier = hv.Verifier()
    verifier.warm()

    def grade(reference: str, response: str, question: str) -> bool | None:
        rule = verifier.grade([hv.Sample(response, reference, question)])[0].rule
        return rule.outcome is hv.Outcome.CORRECT if rule.sure else None

    return grade


def math_verify() -> Grader:
    """math-verify in its default configuration; its references must stand in a maths environment."""
    from math_verify import parse, verify

    def grade(reference: str, response: str, _question: str) -> bool | None:
        marked = any(mark in reference for mark in ("$", "\\(", "\\[", "\\boxed"))
        return bool(verify(parse(reference if marked else f"${reference}$"), parse(response)))

    return grade


def mathruler() -> Grader:
    """mathruler's grader (the PRM800K family)."""
    from mathruler.grader import extract_boxed_content, grade_answer

    from hybridverify.answers.extract import extract

    def grade(reference: str, response: str, _question: str) -> bool | None:
        boxed = extract_boxed_content(response)
        answer = boxed if boxed != "None" else extract(response).shown
        return bool(grade_answer(answer, extract(reference).answer or reference))

    return grade


GRADERS: dict[str, Callable[[], Grader]] = {
    "hybridverify": hybridverify,
    "math-verify": math_verify,
    "mathruler": mathruler,
}


@dataclass(frozen=True)
class Answer:
    """What came of one pair: `error` is "", an exception's type, `timeout` or `crash`.

    `cpu_s` is the processor time of the grader's own process during the call, `clock_s` that process's clock of it
    when the call ended.
    """

    verdict: bool | None
    seconds: float
    error: str = ""
    cpu_s: float = 0.0
    clock_s: float = 0.0


class Process:
    """One grader in its own session. After a timeout or a crash a fresh process goes on with the next pair."""

    def __init__(self, grader: str, timeout_s: float) -> None:
        self._grader = grader
        self._timeout_s = timeout_s
        self._workers_before_s = 0.0
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, childs_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._grader, childs_end))
        self._process.start()
        childs_end.close()
        hello = self._pipe.recv() if self._pipe.poll(START_LIMIT_S) else "no answer while starting"
        if hello != "ready":
            self.stop()
            raise RuntimeError(f"{self._grader} cannot be loaded: {hello}")
        self._settle()
        self._clock_s = self._own_cpu()
        self._workers_at_start_s = self._workers_cpu()

    def _settle(self) -> None:
        used, still = -1.0, 0
        end = time.monotonic() + START_LIMIT_S
        while still < STILL_S / LOOK_S and time.monotonic() < end:
            time.sleep(LOOK_S)
            now = self._workers_cpu()
            still = still + 1 if now == used else 0
            used = now

    def ask(self, pair: Pair) -> Answer:
        """The grader's answer to one pair, within the time limit."""
        begin = time.perf_counter()
        try:
            self._pipe.send((pair.reference, pair.response, pair.question))
            if self._pipe.poll(self._timeout_s):
                answer: Answer = self._pipe.recv()
                self._clock_s = answer.clock_s
                return answer
            error = "timeout"
        except (EOFError, OSError):
            error = "crash"
        seconds = time.perf_counter() - begin
        cpu_s = max(0.0, self._own_cpu() - self._clock_s)
        self._workers_before_s = self.worker_seconds()
        self.stop()
        self._start()
        return Answer(None, seconds, error, cpu_s)

    def worker_seconds(self) -> float:
        """Processor time so far of every process that the grader started, after its warm-up (Linux)."""
        return self._workers_before_s + self._workers_cpu() - self._workers_at_start_s

    def resident_mb(self) -> float:
        """Resident memory of the grader and its processes (Linux)."""
        pages = [int(fields[21]) for process in self._members() if (fields := _stat(process))]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self) -> None:
        """End the grader and its processes."""
        for process in self._members():
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                continue
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _own_cpu(self) -> float:
        return _ticks(_stat(self._process.pid or 0)[11:13])

    def _workers_cpu(self) -> float:
        """Of those alive, and of those the grader waited for."""
        alive = [_ticks(_stat(process)[11:15]) for process in self._members() if process != self._process.pid]
        return sum(alive) + _ticks(_stat(self._process.pid or 0)[13:15])

    def _members(self) -> list[int]:
        session = str(self._process.pid)
        found = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
        return [process for process in found if _stat(process)[3:4] == [session]]


def _stat(process: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name, or none for a process that is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _ticks(fields: list[str]) -> float:
    return sum(map(int, fields)) / os.sysconf("SC_CLK_TCK")


def _serve(name: str, pipe: Connection) -> None:
    os.setsid()  # so that all its processes can be found and ended together
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        grade = GRADERS[name]()
        for reference, response in WARM_UP:
            grade(reference, response, "")  # imports and first calls are not measured
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send("ready")
    try:
        while True:
            pipe.send(_answer(grade, *pipe.recv()))
    except (EOFError, OSError):
        return


def _answer(grade: Grader, reference: str, response: str, question: str) -> Answer:
    verdict, error = None, ""
    clock, begin = _own_clock(), time.perf_counter()
    try:
        verdict = grade(reference, response, question)
    except Exception as caught:
        error = type(caught).__name__
    seconds, clock_s = time.perf_counter() - begin, _own_clock()
    return Answer(verdict, seconds, error, clock_s - clock, clock_s)


def _own_clock() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
