"""Real Ray actors: the event loop runs off the main thread, and every worker is a process of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import ONLY_LOOP, compose, manager_overrides
from toy import SUM_SCORES, SUMS, WORDS, batch_of

pytestmark = pytest.mark.ray
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    import ray

    path = os.pathsep.join([str(HERE), str(HERE.parent.parent), os.environ.get("PYTHONPATH", "")])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        runtime_env={"env_vars": {"PYTHONPATH": path.rstrip(os.pathsep)}},
    )
    yield
    ray.shutdown()


@pytest.mark.skipif(not ONLY_LOOP, reason="this verl's RewardLoopManager wants a rollout")
def test_two_reward_workers_score_a_batch_and_fill_the_columns(
    tokenizer_folder: Any, tokenizer: Any, tmp_path: Path
) -> None:
    import ray
    from verl.experimental.reward_loop import RewardLoopManager

    judge = {"preset": "tinyv", "backend": {"name": "scripted", "replies": {"bard": "True", "": "False"}}}
    file = tmp_path / "verify.json"
    file.write_text(
        json.dumps({"policy": "addon", "judges": [judge], "cache": {"path": str(tmp_path / "c")}})
    )
    manager = RewardLoopManager(compose(tokenizer_folder, manager_overrides({"config": str(file)})))
    batch = batch_of(tokenizer, [*SUMS, *WORDS])
    for _ in range(2):  # the second time out of the cache that both processes share
        result = manager.compute_rm_score(batch)
        assert result.batch["rm_scores"].sum(-1).tolist() == [*SUM_SCORES, 1.0, 0.0, 0.0, 0.0]
        assert set(result.meta_info["reward_extra_keys"]) == set(EXTRA_KEYS)
        for key in EXTRA_KEYS:
            assert np.array(list(result.non_tensor_batch[key])).dtype.kind in "bifU"
    for worker in manager.reward_loop_workers:
        ray.kill(worker)


def test_a_grading_step_of_ray_data_gives_the_columns() -> None:
    ray_data = pytest.importorskip("ray.data")
    from hybridverify.adapters.ray_data import GradeBatch

    rows = [{"response": response, "reference": truth} for _, response, truth in SUMS]
    graded = ray_data.from_items(rows).map_batches(
        GradeBatch, concurrency=1, batch_size=2, fn_constructor_kwargs={"policy": "rule_only", "cache": None}
    )
    found = graded.to_pandas()
    assert sorted(found["hv_score"]) == sorted(SUM_SCORES)
    assert list(found.columns)[:2] == ["response", "reference"]
