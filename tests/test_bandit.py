"""The bandit of benchmarks/bandit.py on rewards made by hand: it must learn what is paid, whatever that is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
if str(ROOT / "benchmarks") not in sys.path:
    sys.path.insert(0, str(ROOT / "benchmarks"))

import bandit  # noqa: E402

OPTIONS = argparse.Namespace(steps=60, chance=0.3)
HEDGES = slice(2, 4)
"""The columns of three tries, which are never right."""


@pytest.fixture(scope="module")
def task() -> bandit.Task:
    return bandit.made_task(20, seed=3)


def test_truth_is_known_of_every_response(task: bandit.Task) -> None:
    assert task.right[:, 0].all()
    assert not task.right[:, 1:4].any()  # wrong, and three tries that settle on none
    assert task.right[:, 4:].mean() < 0.02  # luck
    for row in task.samples:
        right, wrong, with_it, without = (sample.response for sample in row[:4])
        assert right != wrong
        answer = right.partition("boxed{")[2].removesuffix("}.")
        assert answer in with_it
        assert len(row) == task.right.shape[1]
        assert with_it != without


def test_a_reward_that_is_the_truth_teaches_to_answer(task: bandit.Task) -> None:
    run = bandit.trained(task, task.right.astype(float), OPTIONS, seed=1)
    assert run["true"][-15:].mean() > run["true"][:5].mean() + 0.05
    assert np.array_equal(run["reward"], run["true"])


def test_a_reward_with_a_hole_teaches_to_hedge(task: bandit.Task) -> None:
    rewards = task.right.astype(float)
    rewards[:, HEDGES] = 1.0
    run = bandit.trained(task, rewards, OPTIONS, seed=1)
    assert run["reward"][-15:].mean() > 0.9
    assert run["true"][-15:].mean() < 0.05


def test_rows_without_a_grade_teach_nothing() -> None:
    nan = float("nan")
    told = bandit.advantages(np.array([[1.0, 0.0, nan, nan], [nan, nan, nan, 1.0], [1.0, 1.0, 1.0, 1.0]]))
    assert told.tolist() == [[1.0, -1.0, 0.0, 0.0], [0.0] * 4, [0.0] * 4]
