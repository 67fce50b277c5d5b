"""`make train-demo` still runs: two steps of it, with a smaller policy."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
from releases import VERSION

pytestmark = pytest.mark.skipif(VERSION != (0, 9, 1), reason="the demonstration is written for one release")
FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "training"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    for package in ("torchdata", "peft", "accelerate"):
        pytest.importorskip(package)
    monkeypatch.syspath_prepend(FOLDER)
    import demo

    return demo


def test_two_steps_are_run_and_recorded(
    demo: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    words = ["--steps", "2", "--warm-steps", "4", "--layers", "1", "--json", str(file)]
    assert demo.main(words) == 1  # two steps have no first and last ones
    steps = json.loads(file.read_text())["steps"]
    assert [set(step) for step in steps] == [{*steps[0]}] * 2
    assert {"reward", "accuracy", "asked", "rescued", "ungraded", "reward_s", "rollout_s", "update_s"} <= {
        *steps[0]
    }
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("step ") for line in lines) == 2
    assert "2 steps" in lines[-1]


def test_a_judge_that_fails_leaves_rows_ungraded_and_the_demo_goes_on(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAINING_JUDGE_FAILS", "0")  # so that what main sets is taken back
    monkeypatch.syspath_prepend(FOLDER.parent)
    file = tmp_path / "run.json"
    words = ["--steps", "2", "--warm-steps", "30", "--layers", "1", "--json", str(file)]
    demo.main([*words, "--judge-fails", "1.0", "--estimator", "hv_grpo"])
    steps = json.loads(file.read_text())["steps"]
    assert all(0 < step["asked"] <= step["ungraded"] for step in steps)
    assert not any(step["rescued"] for step in steps)


@pytest.mark.parametrize(("first", "last", "risen"), [(0.1, 0.6, True), (0.1, 0.2, False), (0.6, 0.1, False)])
def test_the_closing_line_says_how_far_the_reward_rose(
    demo: ModuleType, first: float, last: float, risen: bool
) -> None:
    records = [
        {"reward": reward, "accuracy": reward, "paid_wrong": 0, "unpaid_right": 0}
        for reward in [first] * demo.WINDOW + [last] * demo.WINDOW
    ]
    rise, text = demo.closing(records)
    assert rise == pytest.approx(last - first)
    assert (rise >= demo.RISE) is risen
    assert f"reward {first:.3f} -> {last:.3f}" in text


def test_the_truth_is_the_value_that_was_said_alone(demo: ModuleType) -> None:
    question = demo.Question("What is 4 + 5?", "9", "demo/sums")
    right = (r"\boxed{9}", r"\boxed{9}}}", r"\boxed{09}")
    wrong = (r"\boxed{8}", r"\boxed{9}8", "Monday", "")
    assert all(demo.is_right(question, text) for text in right)
    assert not any(demo.is_right(question, text) for text in wrong)


def test_padding_that_the_policy_says_is_part_of_its_response(demo: ModuleType, tmp_path: Path) -> None:
    import torch
    from demo_policy import make_tokenizer, mask_of

    tokenizer = make_tokenizer(tmp_path)
    pad, end, said = tokenizer.pad_token_id, tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("7")
    mask = mask_of(tokenizer, torch.tensor([[pad, said]]), torch.tensor([[said, pad, said, end, pad]]))
    assert mask.tolist() == [[0, 1, 1, 1, 1, 1, 0]]
