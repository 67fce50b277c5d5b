"""The rules say the same wherever they run: threads, event loops, forks, scripts without a guard, Ray actors."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import subprocess
import sys
import threading
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from hybridverify import Sample, Verifier

pytestmark = pytest.mark.load

PAIRS = [
    (r"so \boxed{\frac{6}{4}}", "3/2"),
    (r"\boxed{0.5}", r"\frac12"),
    (r"\boxed{x \ge 3}", r"[3, \infty)"),
    (r"\boxed{(2, 5)}", r"\begin{pmatrix}2\\5\end{pmatrix}"),
    (r"\boxed{7, 9}", "9, 7"),
    ("#### 1,204", "1204"),
    ("The answer is (B).", "B"),
    (r"\boxed{8\text{ km}}", r"8\text{ m}"),
    (r"\boxed{3^{41}}", "3^{40}"),
    (r"\boxed{\sin^2 t + \cos^2 t}", "1"),
    (r"\boxed{\frac{\sqrt5-1}{4}}", r"\cos\frac{2\pi}{5}"),
    (r"\boxed{\sqrt{7+2\sqrt{10}}}", r"\sqrt5+\sqrt2"),
    ("I do not know.", "4"),
    (r"\boxed{Paris}", "London"),
    (r"\boxed{(p+q)^3}", "p^3+3p^2q+3pq^2+q^3"),
]
MANY = [PAIRS[number % len(PAIRS)] for number in range(300)]
SCRIPT = """
import json, sys
from hybridverify import Sample, Verifier
verifier = Verifier(rule_deadline_s=30)
grades = verifier.grade([Sample(response, reference) for response, reference in json.loads(sys.argv[1])])
print(json.dumps([grade.outcome.value for grade in grades]))
"""


def outcomes(pairs: list[tuple[str, str]]) -> list[str]:
    # A generous deadline: what is compared here are verdicts, not the speed of a busy machine.
    with Verifier(rule_deadline_s=30) as verifier:
        return [grade.outcome.value for grade in verifier.grade(Sample(*pair) for pair in pairs)]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    found = outcomes(PAIRS)
    assert {"correct", "incorrect", "undecided"} == set(found)
    return found


@pytest.fixture(scope="module")
def many(expected: list[str]) -> list[str]:
    return [expected[number % len(PAIRS)] for number in range(300)]


@pytest.mark.slow
def test_eight_threads_with_300_pairs_each(many: list[str]) -> None:
    found: dict[int, list[str]] = {}
    with Verifier(rule_deadline_s=30) as verifier:

        def work(number: int) -> None:  # one by one, as reward functions call
            grades = [verifier.grade([Sample(*pair)])[0] for pair in MANY]
            found[number] = [grade.outcome.value for grade in grades]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == dict.fromkeys(range(8), many)


def test_many_tasks_of_an_event_loop(many: list[str]) -> None:
    async def all_at_once() -> list[str]:
        with Verifier(rule_deadline_s=30) as verifier:
            grades = await asyncio.gather(*(verifier.agrade([Sample(*pair)]) for pair in MANY))
        return [grade.outcome.value for (grade,) in grades]

    assert asyncio.run(all_at_once()) == many


def test_a_script_without_a_guard(expected: list[str], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, json.dumps(PAIRS)], capture_output=True, text=True, timeout=400
    )
    assert json.loads(done.stdout) == expected, done.stderr


def test_a_forked_child_with_a_verifier_of_its_own(expected: list[str]) -> None:
    outcomes(PAIRS)  # the parent has workers, threads and locks of its own
    assert in_child("fork", daemon=False) == expected


def test_a_daemonic_process_is_at_worst_undecided(expected: list[str]) -> None:
    found = in_child("spawn", daemon=True)
    assert found is not None
    changed = [(was, now) for was, now in zip(expected, found, strict=True) if was != now]
    assert all(now == "undecided" for _, now in changed)
    assert len(changed) < 4  # only what needs sympy


def test_a_ray_actor(expected: list[str]) -> None:
    ray = pytest.importorskip("ray")
    if " " in sys.executable:
        pytest.skip("Ray starts workers by a shell line without quotes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}  # where the actor finds its class
        ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR", runtime_env=here)
        try:
            actor = ray.remote(Grades).remote()
            assert ray.get(actor.outcomes.remote(PAIRS), timeout=400) == expected
        finally:
            ray.shutdown()


class Grades:
    def outcomes(self, pairs: list[tuple[str, str]]) -> list[str]:
        from hybridverify import Sample, Verifier

        with Verifier(rule_deadline_s=30) as verifier:
            return [grade.outcome.value for grade in verifier.grade(Sample(*pair) for pair in pairs)]


def in_child(method: str, daemon: bool) -> list[str] | None:
    """The outcomes that a child process finds."""
    context: Any = multiprocessing.get_context(method)
    mine, childs = context.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # a fork of a process with threads is what is tested
        child = context.Process(target=_send_outcomes, args=(childs,), daemon=daemon)
        child.start()
    found: list[str] | None = mine.recv() if mine.poll(400) else None
    child.join(200)
    return found


def _send_outcomes(pipe: Connection) -> None:
    pipe.send(outcomes(PAIRS))
