"""Reward managers that keep what they paid, row by row: verl's v1 trainer writes rollouts without their columns.

    reward.reward_manager.source=importlib
    reward.reward_manager.name=RecordedHybrid         # or RecordedNaive: verl's own rule reward
    reward.reward_manager.module.path=pkg://training.recorded       # with benchmarks/ on PYTHONPATH

Each reward worker appends to a file of its own in the folder TRAINING_REWARDS names: the question, the response, the
columns, and when the reward began and ended. `report.py` finds the rows by question and response.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from hybridverify.adapters.verl_reward_loop import HybridRewardManager
from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager

FOLDER = "TRAINING_REWARDS"


class _Recording:
    """`run_single` of the class behind it, and a line in a file."""

    tokenizer: Any

    async def run_single(self, data: Any) -> dict[str, Any]:
        began = time.time()
        result: dict[str, Any] = await super().run_single(data)  # type: ignore[misc]
        folder = os.environ.get(FOLDER)
        if folder:
            self._keep(Path(folder), data[len(data) - 1], result, began)
        return result

    def _keep(self, folder: Path, row: Any, result: dict[str, Any], began: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        responses = row.batch["responses"]
        valid = int(row.batch["attention_mask"][-responses.shape[-1] :].sum())
        line = {
            "question": (row.non_tensor_batch.get("extra_info") or {}).get("question", ""),
            "output": self.tokenizer.decode(responses[:valid], skip_special_tokens=True),
            "paid": float(result["reward_score"]),
            "began": began,
            "ended": time.time(),
            **(result.get("reward_extra_info") or {}),
        }
        with (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")


class RecordedHybrid(_Recording, HybridRewardManager):
    """Ours."""


class RecordedNaive(_Recording, NaiveRewardManager):
    """verl's own."""
