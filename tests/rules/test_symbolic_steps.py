"""Work of a proof is counted in steps: the same count whatever the machine does, and an end where it is too much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sympy

from hybridverify.maths.limits import Limit
from hybridverify.maths.symbolic import steps as counting
from hybridverify.maths.symbolic.steps import bounded, steps
from hybridverify.rules.sympy_tier import SympyTier
from hybridverify.types import Outcome, Sample, Verdict
from hybridverify.workers import WorkerPool

TIER = SympyTier()
HARD = [
    (r"\tan(a+b+x)", r"\frac{\tan(a+b)+\tan(x)}{1-\tan(a+b)\tan(x)}+\sqrt{x+y+2\sqrt{x+y-1}}-1-\sqrt{x+y-1}"),
    (r"\sin^6(x+y+z)+\cos^6(x+y+z)+\sqrt{a}\sqrt{b}", r"1-3\sin^2(x+y+z)\cos^2(x+y+z)+\sqrt{ab}"),
]
"""True under some condition on the letters: no short proof, and numbers do not tell the sides apart."""


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(workers=1, deadline_s=30.0)
    yield pool
    pool.close()


def proof(number: int) -> int:
    """Steps of a proof that takes some hundred."""
    with bounded(interrupt=False):
        x, y = sympy.symbols("x y", real=True)
        sympy.simplify(sympy.sin(x + y) ** 2 + sympy.cos(x + y) ** 2 - number * sympy.sqrt(2) ** 2)
        return steps()


def test_the_same_work_takes_as_many_steps_again_whatever_was_done_before() -> None:
    proof(1)  # imports
    first = proof(1)
    proof(2)
    assert first > 100
    assert proof(1) == pytest.approx(first, rel=0.01)


def test_too_many_steps_are_a_limit_with_and_without_interruption(
    monkeypatch: pytest.MonkeyPatch, pool: WorkerPool
) -> None:
    monkeypatch.setattr(counting, "MAX_STEPS", 50)
    with pytest.raises(Limit):
        proof(1)
    assert pool.run(endless, [0]) == ["limit"]


def endless(_: int) -> str:
    """In a worker: goes on for ever unless it is broken off."""
    x = sympy.Symbol("x")
    try:
        with bounded(interrupt=True):
            power = 1
            while True:
                sympy.expand((x + power) ** 5)
                power += 1
    except Limit:
        return "limit"


@pytest.mark.parametrize(("reference", "answer"), HARD)
def test_a_proof_that_is_too_long_is_undecided_by_its_steps_and_by_no_clock(
    reference: str, answer: str, pool: WorkerPool
) -> None:
    prepared = TIER.prepare(Sample(rf"\boxed{{{answer}}}", reference))
    assert isinstance(prepared, Sample)
    (found,) = pool.run(TIER.check, [prepared])
    assert isinstance(found, Verdict)
    assert (found.outcome, found.reason) == (Outcome.UNDECIDED, "limit")


def test_long_integrals_go_to_no_parser() -> None:
    terms = "+".join(f"x^{{{i}}}" for i in range(2, 14))
    found = TIER.prepare(Sample(r"\boxed{\frac{1}{3}}", rf"\int_0^1 {terms} dx"))
    assert isinstance(found, Verdict)
    assert found.reason == "limit"
