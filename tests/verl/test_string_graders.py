"""Grader presets with verl at hand: its own files are called, and our descriptions say the same."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

import hybridverify as hv
from hybridverify.config.registry import CHECKERS
from hybridverify.objects import load
from hybridverify.rules.graders.installed import InstalledGrader
from hybridverify.rules.graders.rules import described

CASES = Path(__file__).parent.parent / "cases" / "graders.jsonl"
GRADERS = ("gsm8k_strict", "gsm8k_flexible", "hendrycks", "math_dapo")


@pytest.mark.parametrize("grader", GRADERS)
def test_verls_own_grader_is_called_and_ours_says_the_same(grader: str) -> None:
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    checker = load(CHECKERS[f"grader_{grader}"])()
    assert isinstance(checker, InstalledGrader)
    samples = [hv.Sample(row["response"], row["reference"]) for row in rows]
    with hv.Verifier(rules=[checker]) as verifier:
        theirs = [grade.outcome.value for grade in verifier.grade(samples)]
    ours = [grade_as_release(grader, sample) for sample in samples]
    assert [row for row, one, other in zip(rows, theirs, ours, strict=True) if one != other] == []


def grade_as_release(grader: str, sample: hv.Sample) -> str:
    """`math_dapo` looks at boxes since 0.9.1, `gsm8k` at the last 300 characters alone since 0.5."""
    release = tuple(int(part) for part in metadata.version("verl").split(".")[:3])
    if grader == "math_dapo" and release < (0, 9, 1):
        grader = "math_dapo_answer"
    if grader.startswith("gsm8k") and release < (0, 5, 0):
        sample = hv.Sample(sample.response.rstrip("xy"), sample.reference)
    return described(grader).check(sample).outcome.value


def test_the_release_is_part_of_what_made_the_grade() -> None:
    checker = load(CHECKERS["grader_hendrycks"])()
    assert set(checker.libraries()) == {"verl"}


def test_a_grader_in_a_worker_leaves_verl_out_of_this_process() -> None:
    before = "verl" in sys.modules
    with hv.Verifier(grader="hendrycks") as verifier:
        assert verifier.grade([hv.Sample(r"\boxed{7}", "7")])[0].score == 1.0
    assert ("verl" in sys.modules) == before


def test_prime_math_is_never_the_original() -> None:
    assert not load(CHECKERS["grader_prime_math"])().isolated
