"""The reward-model worker and the configurations of adapters/configs on a real engine.

verl itself does not go beside vLLM's CPU build; its worker class and its decorators are stood in for here, and
tests/verl runs the worker in the real ones.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from verl_fakes import CharTokenizer, batch_of

CONFIGS = Path(__file__).resolve().parents[2] / "adapters" / "configs"
ROWS = [("2+3?", "It is \\boxed{5}", "5"), ("1+1?", "It is \\boxed{3}", "2"), ("6-2?", "So \\boxed{4}", "4")]


@dataclass
class Proto:
    batch: dict[str, Any]
    non_tensor_batch: dict[str, Any] = field(default_factory=dict)
    meta_info: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, tensors: Any, non_tensors: Any, meta_info: Any) -> Proto:
        return cls(tensors, non_tensors, meta_info)

    def to(self, device: str) -> Proto:
        return self

    def __len__(self) -> int:
        return len(self.batch["responses"])


class Section(dict[str, Any]):
    """A part of a configuration, by key and by attribute."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


@pytest.fixture
def worker_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    parts: dict[str, dict[str, Any]] = {
        "verl": {"DataProto": Proto},
        "verl.single_controller": {},
        "verl.single_controller.base": {"Worker": type("Worker", (), {})},
        "verl.single_controller.base.decorator": {
            "Dispatch": types.SimpleNamespace(ONE_TO_ALL=0, DP_COMPUTE_PROTO=1),
            "register": lambda **_: lambda function: function,
        },
        "verl.utils": {"hf_tokenizer": lambda folder, **_: CharTokenizer()},
        "verl.utils.fs": {"copy_to_local": lambda folder: folder},
    }
    for name, content in parts.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "hybridverify.adapters.verl_worker", raising=False)
    from hybridverify.adapters.graders import close_graders
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

    yield HybridRewardModelWorker
    close_graders()
    sys.modules.pop("hybridverify.adapters.verl_worker", None)


def batch() -> Proto:
    import torch

    made = batch_of(ROWS)
    tensors = {name: torch.from_numpy(values) for name, values in made.batch.items()}
    return Proto(tensors, made.non_tensor_batch)


def scored(worker_class: Any, model: str, settings: dict[str, Any], path: Path) -> Proto:
    """What a worker makes of the batch with the configuration `settings`."""
    file = path / "verify.yaml"
    file.write_text(yaml.safe_dump({**settings, "cache": None}))
    options = {"config_file": str(file), "outage_wait_s": 0, "max_ungraded": 1.0}
    worker = worker_class(Section(model=Section(path=model), worker_kwargs=options))
    worker.init_model()
    result = worker.compute_rm_score(batch())
    assert isinstance(result, Proto)
    return result


def on_vllm(name: str, model: str, small: dict[str, Any], choices: list[list[str]]) -> dict[str, Any]:
    """A configuration as it is shipped, its judges on engines of this process, bound to their labels."""
    settings: dict[str, Any] = yaml.safe_load((CONFIGS / name).read_text())
    for judge, choice in zip(settings["judges"], choices, strict=True):
        kept = {k: v for k, v in judge["backend"].items() if k in ("gpu_memory_utilization", "sleep_level")}
        judge["backend"] = {
            **kept,
            "name": "vllm",
            "model": model,
            "dtype": "float32",
            "choice": choice,
            **small,
        }
        judge["sampling"] = {**judge.get("sampling", {}), "max_tokens": 16}
    return settings


def test_the_worker_scores_a_batch_with_an_engine_of_its_own(
    worker_class: Any, model: str, small: dict[str, Any], tmp_path: Path
) -> None:
    labels = ["Final Decision: Yes", "Final Decision: No"]
    settings = on_vllm("general_verifier_worker.yaml", model, small, [labels])
    result = scored(worker_class, model, settings, tmp_path)
    scores = result.batch["rm_scores"]
    assert scores.shape == batch().batch["responses"].shape
    assert set(np.unique(scores.numpy())) <= {0.0, 1.0}
    assert list(result.non_tensor_batch["hv_judge_asked"]) == [1.0] * 3
    assert list(result.non_tensor_batch["hv_graded"]) == [1.0] * 3
    assert result.meta_info["reward_extra_keys"] == list(result.non_tensor_batch)


def test_several_reward_models_share_an_engine_and_are_summed_by_weight(
    worker_class: Any, model: str, small: dict[str, Any], tmp_path: Path
) -> None:
    settings = on_vllm("multi_grm.yaml", model, small, [["ACCEPT"], ["A"]])
    result = scored(worker_class, model, settings, tmp_path)
    from hybridverify.judges.backends import vllm_engines

    assert len(vllm_engines._engines) == 1
    total = result.batch["rm_scores"].sum(-1)
    rule = [float(value) for value in result.non_tensor_batch["hv_rule_score"]]
    judges = [float(value) for value in result.non_tensor_batch["hv_judge_score"]]
    assert list(result.non_tensor_batch["hv_graded"]) == [1.0] * 3
    assert total.tolist() == pytest.approx([r + j for r, j in zip(rule, judges, strict=True)])
