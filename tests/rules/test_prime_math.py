"""The prime_math checker: extraction, several references, sure and unsure verdicts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hybridverify.conventions import Conventions
from hybridverify.rules.base import Checker
from hybridverify.rules.prime_math import PrimeMath
from hybridverify.types import Outcome, Sample

TABLE = Path(__file__).parents[1] / "cases" / "prime_math.jsonl"
ROWS = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["why"]))
def test_the_verdict_is_the_one_in_the_table(row: dict[str, Any]) -> None:
    sample = Sample(row["response"], row["reference"], row["question"], meta={"form": row["form"]})
    verdict = PrimeMath().check(sample)
    assert verdict.outcome.value == row["outcome"], verdict.reason
    assert verdict.score == float(verdict.outcome is Outcome.CORRECT)
    assert verdict.source == "rule:prime_math"


def test_it_is_a_checker_that_runs_in_process() -> None:
    checker = PrimeMath()
    assert isinstance(checker, Checker)
    assert (checker.name, checker.isolated, checker.meta_keys) == ("prime_math", False, ("form",))


def test_the_reason_names_the_option_that_decided() -> None:
    assert PrimeMath().check(Sample(r"\boxed{25\%}", "0.25")).reason == "percent"
    assert PrimeMath().check(Sample(r"\boxed{2 < x < 9}", "(2,9)")).reason == "relation_form"


def test_conventions_change_the_verdict() -> None:
    sample = Sample(r"\boxed{0.667}", r"\frac{2}{3}")
    assert PrimeMath().check(sample).outcome is Outcome.UNDECIDED
    assert PrimeMath(Conventions(exact_digits=3)).check(sample).outcome is Outcome.CORRECT


def test_any_of_several_references_may_match_and_all_must_differ_for_a_reject() -> None:
    assert PrimeMath().check(Sample(r"\boxed{9}", ["8", "9"])).outcome is Outcome.CORRECT
    assert PrimeMath().check(Sample(r"\boxed{7}", ["8", "9"])).outcome is Outcome.INCORRECT
    assert PrimeMath().check(Sample(r"\boxed{7}", ["8", "no idea"])).outcome is Outcome.UNDECIDED


def test_reading_names_the_kind_of_value() -> None:
    assert PrimeMath().reading(Sample(r"\boxed{[1,2)}", "x")) == "[1,2): Tuple"


def test_the_reader_loads_neither_sympy_nor_math_verify() -> None:
    code = (
        "import sys, hybridverify.rules.prime_math; "
        "sys.exit(any(name in sys.modules for name in ('sympy', 'math_verify', 'mpmath', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
