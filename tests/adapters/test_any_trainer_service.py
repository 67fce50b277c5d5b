"""`make_reward(base_url=...)` asks a running service, whatever the trainer."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv

for needed in ("hybridverify.service", "uvicorn", "prometheus_client"):
    pytest.importorskip(needed)
service_process: Any = pytest.importorskip("tests.service.service_process")


def test_a_service_grades_in_place_of_this_process(tmp_path: Path) -> None:
    call: dict[str, Any] = {"prompts": ["What is 6*7?"] * 3, "completions": [r"\boxed{42}", "41", 7]}
    with service_process.running(tmp_path, {"policy": "rule_only"}) as service:
        reward = hv.make_reward(base_url=service.base_url)
        expected = hv.make_reward(cache=None)(**call, answer=["42"] * 3)
        assert expected == [1.0, 0.0, 0.5]  # the third is no text: the mean of its group
        assert reward(**call, answer=["42"] * 3) == expected
        assert asyncio.run(reward.awaited(**call, answer=["42"] * 3)) == expected
        copied = pickle.loads(pickle.dumps(reward))  # noqa: S301 - ours
        assert copied(prompt="What is 6*7?", completion="It is 42.", answer="42") == 1.0
