"""The sympy rule: what it proves, what it leaves open, and what it must never run."""

from __future__ import annotations

import importlib.metadata
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hybridverify.cache import NoCache
from hybridverify.conventions import Conventions
from hybridverify.errors import ConfigError
from hybridverify.pipeline.chain import RuleChain
from hybridverify.pipeline.stats import Stats
from hybridverify.rules.base import Checker
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.rules.sympy_tier import SympyTier
from hybridverify.types import Outcome, Sample, Verdict
from hybridverify.workers import WorkerPool

pytestmark = pytest.mark.load

TIER = SympyTier()
CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "sympy.jsonl").read_text().splitlines()
]
ACCEPTED = [case for case in CASES if case["outcome"] == "correct"]
LIMITED = [case for case in CASES if case["why"] in ("tower", "expansion", "exponent", "nesting", "long sum")]


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(workers=2, deadline_s=10.0)  # a slow machine must not decide a proof
    yield pool
    pool.close()


def sample(case: dict[str, str], **extra: Any) -> Sample:
    return Sample(f"So the result is \\boxed{{{case['answer']}}}.", case["reference"], **extra)


def verdict(pool: WorkerPool, subject: Sample, tier: SympyTier = TIER) -> Verdict:
    prepared = tier.prepare(subject)
    if isinstance(prepared, Verdict):
        return prepared
    (found,) = pool.run(tier.check, [prepared])
    assert isinstance(found, Verdict), found
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['reference']} : {case['answer']}"[:60])
def test_case(case: dict[str, str], pool: WorkerPool) -> None:
    found = verdict(pool, sample(case))
    assert found.outcome.value == case["outcome"], case["why"]
    assert found.score == (1.0 if case["outcome"] == "correct" else 0.0)
    assert found.source == "rule:sympy"


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["why"])
def test_every_readable_reference_equals_itself(case: dict[str, str], pool: WorkerPool) -> None:
    same = {**case, "answer": case["reference"]}
    assert verdict(pool, sample(same)).outcome is Outcome.CORRECT


@pytest.mark.parametrize("case", LIMITED, ids=lambda case: case["why"])
def test_bounds_are_checked_before_a_worker_is_needed(case: dict[str, str]) -> None:
    begin = time.thread_time()
    found = TIER.prepare(sample(case))
    assert isinstance(found, Verdict)
    assert found.reason == "limit"
    assert time.thread_time() - begin < 0.1


def test_equal_answers_become_equal_samples() -> None:
    first = TIER.prepare(Sample(r"After a while: \boxed{x+1}", "1+x", question="Find f."))
    second = TIER.prepare(Sample("The answer is $x+1$.", "1+x", question="Find f."))
    assert isinstance(first, Sample)
    assert first == second


class RecordingPool(WorkerPool):
    """A pool that notes how many jobs each of its batches has."""

    def __init__(self) -> None:
        super().__init__(workers=1, deadline_s=10.0)
        self.batches: list[int] = []

    def run(self, job: Any, items: Any) -> list[Any]:
        self.batches.append(len(items))
        return super().run(job, items)


def process_id(_item: int) -> int:
    return os.getpid()


def test_what_is_left_to_sympy_goes_to_one_warm_worker_in_one_batch() -> None:
    pool = RecordingPool()
    try:
        chain = RuleChain((PrimeMath(), TIER), lambda: pool, NoCache(), Stats())
        rows = [
            Sample(rf"\boxed{{\sum_{{k=1}}^{{n}} k^{n}}}", rf"\sum_{{j=0}}^{{n-1}} (j+1)^{n}")
            for n in (2, 3, 4)
        ]
        rows += [Sample(r"\boxed{2x}", "x+x"), rows[0]]
        first = chain.check(rows)
        assert [verdict.source for verdict in first].count("rule:sympy") == 4
        assert pool.batches == [3]  # two of the rows are one question, and one is decided before
        (worker,) = pool.run(process_id, [0])
        chain.check([Sample(r"\boxed{\sum_{k=1}^{m} k^5}", r"\sum_{j=0}^{m-1} (j+1)^5")])
        assert pool.batches == [3, 1, 1]
        assert pool.run(process_id, [0]) == [worker]
    finally:
        pool.close()


def test_check_takes_a_full_sample_as_well() -> None:
    assert TIER.check(Sample(r"so \boxed{2^{n+1}-2^n}", "2^n")).outcome is Outcome.CORRECT


def test_any_of_several_references_may_match(pool: WorkerPool) -> None:
    assert verdict(pool, Sample(r"\boxed{1+x}", ["no solution", "x-1", "x+1"])).outcome is Outcome.CORRECT


def test_the_answer_alone_counts_and_not_the_thinking(pool: WorkerPool) -> None:
    assert verdict(pool, Sample(r"<think>\boxed{x+1}</think>\boxed{x+2}", "x+1")).outcome is Outcome.UNDECIDED


def test_i_is_the_imaginary_unit_where_complex_numbers_are_shown(pool: WorkerPool) -> None:
    product, value = Sample(r"\boxed{(1+2i)(3-i)}", "5+5i"), Sample(r"\boxed{i^2}", "-1")
    assert verdict(pool, product).outcome is Outcome.CORRECT
    assert verdict(pool, value).outcome is Outcome.UNDECIDED
    shown = Sample(value.response, value.reference, question="Work with complex numbers.")
    assert verdict(pool, shown).outcome is Outcome.CORRECT


@pytest.mark.parametrize(
    ("conventions", "reference", "answer"),
    [
        ({"list_order": "ordered"}, "1,2", "2,1"),
        ({"set_repeats": "keep"}, r"\{1,2,2\}", r"\{2,1\}"),
        ({"variable_name": "strict"}, "x=5", "5"),
        ({"equation_scale": "strict"}, "x+y=1", "2x+2y=2"),
        ({"imaginary_unit": "never"}, "5+5i", "(1+2i)(3-i)"),
    ],
)
def test_stricter_conventions_take_an_accept_back(
    conventions: dict[str, Any], reference: str, answer: str, pool: WorkerPool
) -> None:
    subject = Sample(f"\\boxed{{{answer}}}", reference)
    assert verdict(pool, subject).outcome is Outcome.CORRECT
    strict = SympyTier(conventions=Conventions.from_settings(conventions))
    assert verdict(pool, subject, strict).outcome is Outcome.UNDECIDED


def test_loose_brackets_are_equal_if_asked_for(pool: WorkerPool) -> None:
    loose = SympyTier(conventions=Conventions(brackets="loose"))
    assert verdict(pool, Sample(r"\boxed{(1,4)}", "[1,4]"), loose).outcome is Outcome.CORRECT


@pytest.mark.parametrize("version", ["4.7.2", "4.10", "4.14.0", None])
def test_a_wrong_antlr_runtime_is_an_error_at_the_start(
    version: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def installed(_name: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError
        return version

    monkeypatch.setattr(importlib.metadata, "version", installed)
    with pytest.raises(ConfigError, match=r"antlr4-python3-runtime 4\.9\.3, 4\.11 or 4\.13\.2, found"):
        SympyTier()


def test_it_is_a_checker_that_pickles_and_names_its_libraries() -> None:
    assert isinstance(TIER, Checker)
    assert pickle.loads(pickle.dumps(TIER)) == TIER  # noqa: S301
    assert TIER.libraries().keys() == {"sympy", "latex2sympy2_extended"}


def test_making_and_preparing_loads_neither_sympy_nor_math_verify() -> None:
    code = (
        "import sys; from hybridverify.rules.sympy_tier import SympyTier; from hybridverify.types import Sample;"
        r"SympyTier().prepare(Sample(r'\boxed{x+1}', '1+x'));"
        "print([m for m in ('sympy', 'math_verify', 'latex2sympy2_extended') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_code_in_an_answer_is_not_run(tmp_path: Path, pool: WorkerPool) -> None:
    target = tmp_path / "made"
    for answer in (
        f"__import__('pathlib').Path('{target}').touch()",
        rf"open('{target}','w')\pi",
        rf"\sum_{{k=1}}^{{n}} exec(open('{target}','w'))",
        f"[__import__('pathlib').Path('{target}').touch()]",
    ):
        for reference in (r"\pi", "[1,2]", r"\sum_{k=1}^{n} k", answer):
            verdict(pool, Sample(f"\\boxed{{{answer}}}", reference))
    assert not target.exists()
