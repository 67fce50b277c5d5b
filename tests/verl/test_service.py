"""`service=ADDRESS` inside verl: one running service grades for every manager, and pays what this process would pay."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import scripted
from releases import HAS_LOOP, ONLY_LOOP, LoopWorker, classic_manager, compose, manager_overrides
from service_process import running
from toy import SUM_SCORES, SUMS, WORDS, batch_of

REPLIES = {"bard of Avon": "True", "Vinci": "False", "city of light": "True", "eternal city": "neither"}
SETTINGS = {"policy": "addon", "judges": [{**scripted(REPLIES), "retry_unparseable": False}]}
ROWS = [*SUMS, *WORDS, ("What is 1+1?", "#### 2", ""), ("", "", "5")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("service"), SETTINGS) as service:
        yield service.base_url


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same settings for a verifier of this process."""
    file = tmp_path_factory.mktemp("here") / "verify.json"
    file.write_text(json.dumps({**SETTINGS, "cache": None}))
    return {"config_file": str(file)}


def rows_answered(address: str) -> float:
    with urllib.request.urlopen(f"{address}/metrics") as page:
        return sum(
            map(float, re.findall(r"^hybridverify_rows_total\{.*\} (.*)$", page.read().decode(), re.M))
        )


def test_the_classic_manager_pays_the_same(
    address: str, here: dict[str, Any], tokenizer_folder: Any, tokenizer: Any
) -> None:
    def paid(options: dict[str, Any]) -> Any:
        config = compose(tokenizer_folder, manager_overrides(options))
        result = classic_manager(config, tokenizer, options)(batch_of(tokenizer, ROWS), return_dict=True)
        return result["reward_tensor"].tolist(), dict(result["reward_extra_info"])

    before = rows_answered(address)
    assert paid({"service": address, "max_ungraded": 1.0}) == paid({**here, "max_ungraded": 1.0})
    assert rows_answered(address) - before == len(ROWS)


@pytest.mark.skipif(not HAS_LOOP, reason="this verl has no reward loop")
def test_two_reward_loops_share_one_verifier_and_pay_the_same(
    address: str, here: dict[str, Any], tokenizer_folder: Any, tokenizer: Any
) -> None:
    def worker(options: dict[str, Any]) -> LoopWorker:
        return LoopWorker(compose(tokenizer_folder, manager_overrides({**options, "max_ungraded": 1.0})))

    batch = batch_of(tokenizer, ROWS)
    expected = worker(here).score(batch)
    assert [row["reward_score"] for row in expected][:4] == SUM_SCORES
    assert {row["reward_extra_info"]["hv_status"] for row in expected} >= {"correct", "unparseable"}
    before = rows_answered(address)
    assert [worker({"service": address}).score(batch) for _ in range(2)] == [expected, expected]
    assert rows_answered(address) - before == 2 * len(ROWS)


@pytest.mark.ray
@pytest.mark.skipif(not ONLY_LOOP, reason="this verl's RewardLoopManager wants a rollout")
def test_reward_workers_on_real_ray_ask_one_service(
    address: str, tokenizer_folder: Any, tokenizer: Any
) -> None:
    import os

    import ray
    from verl.experimental.reward_loop import RewardLoopManager

    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": path}})
    try:
        before = rows_answered(address)
        config = compose(tokenizer_folder, manager_overrides({"service": address, "max_ungraded": 1.0}))
        manager = RewardLoopManager(config)
        result = manager.compute_rm_score(batch_of(tokenizer, [*SUMS, *WORDS]))
        assert result.batch["rm_scores"].sum(-1).tolist() == [*SUM_SCORES, 1.0, 0.0, 1.0, 0.0]
        assert rows_answered(address) - before == len(SUMS) + len(WORDS)
        assert len(manager.reward_loop_workers) > 1
    finally:
        ray.shutdown()
