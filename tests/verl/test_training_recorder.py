"""The recording managers of `benchmarks/training` in verl's reward worker: same rewards, and a line for each row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import ONLY_LOOP, LoopWorker, compose
from toy import SUM_SCORES, SUMS, batch_of, objects

BENCHMARKS = str(Path(__file__).resolve().parent.parent.parent / "benchmarks")

pytestmark = pytest.mark.skipif(not ONLY_LOOP, reason="the recorder is written for verl 0.7.1 on")


def lines_of(
    name: str, options: list[str], source: str, folder: Path, tokenizer_folder: Any, tokenizer: Any
) -> tuple[list[float], list[dict[str, Any]]]:
    module = [
        "reward.reward_manager.source=importlib",
        "reward.reward_manager.module.path=pkg://training.recorded",
    ]
    worker = LoopWorker(compose(tokenizer_folder, [*module, f"reward.reward_manager.name={name}", *options]))
    batch = batch_of(tokenizer, SUMS, source)
    batch.non_tensor_batch["extra_info"] = objects([{"question": question} for question, _, _ in SUMS])
    scores = [float(output["reward_score"]) for output in worker.score(batch)]
    (file,) = folder.glob("*.jsonl")
    return scores, [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "options", "source"),
    [
        (
            "RecordedHybrid",
            ["+reward.reward_kwargs.policy=rule_only", "+reward.reward_kwargs.cache=null"],
            "toy/sums",
        ),
        ("RecordedNaive", [], "openai/gsm8k"),
    ],
)
def test_rows_are_kept_with_their_rewards(
    name: str,
    options: list[str],
    source: str,
    tmp_path: Path,
    tokenizer_folder: Any,
    tokenizer: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    monkeypatch.setenv("TRAINING_REWARDS", str(tmp_path))
    scores, lines = lines_of(name, options, source, tmp_path, tokenizer_folder, tokenizer)
    assert scores == SUM_SCORES
    kept = {line["question"]: line for line in lines}
    assert len(lines) == len(kept) == len(SUMS)
    for (question, response, _), score in zip(SUMS, SUM_SCORES, strict=True):
        assert kept[question]["output"] == response
        assert kept[question]["paid"] == score
        assert kept[question]["began"] <= kept[question]["ended"]
        if name == "RecordedHybrid":
            assert set(EXTRA_KEYS) <= set(kept[question])


def test_nothing_is_written_unasked(
    tmp_path: Path, tokenizer_folder: Any, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    monkeypatch.delenv("TRAINING_REWARDS", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="not enough values"):
        lines_of("RecordedNaive", [], "openai/gsm8k", tmp_path, tokenizer_folder, tokenizer)
