"""Three earlier reward systems: their own command lines and data layouts, on our manager.

Command lines go through verl's own composition; the judge's engine alone is replaced by a script.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import scripted
from hybridverify.adapters.systems import from_reward_model
from hybridverify.adapters.verl_manager import HybridRewardManager
from releases import ONLY_LOOP, classic_manager, compose, hydra_value
from toy import batch_of, objects

needs_entry = pytest.mark.skipif(ONLY_LOOP, reason="this verl has no reward_model section for them")

GENERAL_VERIFIER = [
    "reward_model.enable=True",
    "reward_model.strategy=verifier",
    "reward_model.model.path=/m/general-verifier",
    "reward_model.model.fsdp_config.param_offload=True",
    "reward_model.micro_batch_size_per_gpu=4",
    "reward_model.rollout.gpu_memory_utilization=0.4",
    "actor_rollout_ref.rollout.gpu_memory_utilization=0.4",
]
TINYV = [
    "reward_model.reward_manager=prime",
    "reward_model.tinyv_setup=addon",
    "reward_model.tinyv_weight=0.5",
    "data.max_prompt_length=1024",
    "data.max_response_length=4096",
    "data.train_batch_size=512",
    "actor_rollout_ref.rollout.n=8",
    "trainer.validation_data_dir=/tmp/unused",
    "+trainer.rollout_data_dir=/tmp/unused",
]
TINYV_JUDGE = scripted({"fortytwo": "True", "nobody": "False"})
SEVERAL = [
    "reward_model.enable=True",
    "reward_model.reward_function=[toy_hooks,toy_hooks]",
    "reward_model.model.path=[/m/a,/m/b]",
    "reward_model.reward_vllm_rollout.temperature=[0.7,0.7]",
    "reward_model.reward_vllm_rollout.gpu_memory_utilization=[0.8,0.8]",
    "reward_model.reward_vllm_rollout.tensor_model_parallel_size=4",
    "reward_model.reward_weight=[0.3,0.5]",
    "reward_model.reward_combine_func=['add','add']",
    "reward_model.reward_model_type=grm",
    "reward_model.micro_batch_size=4",
    "reward_model.combine_reward=True",
    "reward_model.model.input_tokenizer=/m/policy",
    "reward_model.model.tensor_model_parallel_size=4",
    "reward_model.model.fsdp_config.param_offload=True",
    "data.max_prompt_length=6144",
    "data.max_response_length=2048",
]


@pytest.fixture
def restored_workers() -> Any:
    """The entry puts our worker in verl's place; other tests want verl's own."""
    import verl.workers.fsdp_workers as workers

    original = workers.RewardModelWorker
    yield workers
    workers.RewardModelWorker = original


def prepared(folder: Path, typed: list[str]) -> Any:
    """The configuration as the trainer gets it from our entry."""
    from hybridverify.adapters.verl_main import hydra_arguments, prepare

    config = compose(folder, hydra_arguments(typed))
    prepare(config)
    return config


def engines(config: Any) -> list[dict[str, Any]]:
    from hybridverify.adapters.options import parse_options

    return [judge["backend"] for judge in parse_options(config.reward_model.worker_kwargs).settings["judges"]]


@needs_entry
def test_the_general_verifiers_command_line_starts_its_engine_in_our_worker(
    tokenizer_folder: Path, restored_workers: Any
) -> None:
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

    config = prepared(tokenizer_folder, GENERAL_VERIFIER)
    assert restored_workers.RewardModelWorker is HybridRewardModelWorker
    assert engines(config) == [
        {"name": "vllm", "model": "/m/general-verifier", "gpu_memory_utilization": 0.4, "sleep_level": 1}
    ]


@needs_entry
def test_a_judge_whose_share_nobody_typed_fits_beside_policy_and_rollout(
    tokenizer_folder: Path, restored_workers: Any
) -> None:
    typed = [line for line in GENERAL_VERIFIER if not line.startswith("reward_model.rollout.")]
    from omegaconf import OmegaConf

    config = prepared(tokenizer_folder, typed)
    (engine,) = engines(config)
    if (own := OmegaConf.select(config, "reward_model.rollout.gpu_memory_utilization")) is not None:
        assert engine["gpu_memory_utilization"] == own  # of verl itself: nobody can tell it from a typed one
        return
    assert engine["gpu_memory_utilization"] == 0.4
    typed[-1] = "actor_rollout_ref.rollout.gpu_memory_utilization=0.7"
    (engine,) = engines(prepared(tokenizer_folder, typed))
    assert engine["gpu_memory_utilization"] == 0.2


@needs_entry
def test_the_command_line_of_several_models_gives_each_its_engine(
    tokenizer_folder: Path, restored_workers: Any
) -> None:
    from hybridverify.adapters.verl_worker import HybridRewardModelWorker

    config = prepared(tokenizer_folder, SEVERAL)
    shared = {"name": "vllm", "gpu_memory_utilization": 0.8, "tensor_parallel_size": 4, "sleep_level": 1}
    assert engines(config) == [{**shared, "model": "/m/a"}, {**shared, "model": "/m/b"}]
    assert HybridRewardModelWorker is restored_workers.RewardModelWorker
    assert config.reward_model.model.input_tokenizer == "/m/policy"


@needs_entry
def test_tinyvs_command_line_is_graded_by_our_manager(tokenizer_folder: Path, tokenizer: Any) -> None:
    options = {"judges": [TINYV_JUDGE], "cache": None}
    given = [f"+reward_model.reward_kwargs.{name}={hydra_value(value)}" for name, value in options.items()]
    config = prepared(tokenizer_folder, [*TINYV, *given])
    check_tinyv_rows(classic_manager(config, tokenizer, {}), tokenizer)


def test_tinyvs_words_are_options_of_every_release(tokenizer: Any) -> None:
    options = {"tinyv_setup": "addon", "tinyv_weight": 0.5, "cache": None}
    check_tinyv_rows(HybridRewardManager(tokenizer, 0, judges=[TINYV_JUDGE], **options), tokenizer)


def check_tinyv_rows(manager: Any, tokenizer: Any) -> None:
    """Its sources: gsm8k, the rubric's training rows, everything with the suffix, and the rest by rules."""
    rows = [
        ("What is 6*7?", "It makes #### 42", "42"),
        ("Grade it.", "### Total Score: 8/10 points", 0.8),
        ("Who?", "It is fortytwo of them", "the answer to everything"),
        ("Who?", "It is nobody we ever met", "the answer to everything"),
        ("What is 6*7?", r"So \boxed{42}", "42"),
        ("Who?", "It is fortytwo of them", "the answer to everything"),
    ]
    batch = batch_of(tokenizer, rows)
    sources = ["openai/gsm8k", " Grade ", "orz_tinyv", "orz_tinyv", "orz_tinyv", "orz"]
    batch.non_tensor_batch["data_source"] = objects(sources)
    result = manager(batch, return_dict=True)
    assert result["reward_tensor"].sum(-1).tolist() == pytest.approx([1.0, 1.0, 0.5, 0.0, 1.0, 0.0])
    assert result["reward_extra_info"]["hv_judge_asked"] == [0, 0, 1, 1, 0, 0]


def test_the_general_verifier_judges_simplerls_rows(tokenizer: Any) -> None:
    """SimpleRL's parquet: `simplelr_math_35`, a chat as prompt, the question again in extra_info."""
    section = {"strategy": "verifier", "model": {"path": "/m/gv"}, "rollout": {"gpu_memory_utilization": 0.4}}
    judge = scripted({"2x+1": "Final Decision: Yes", "x+9": "Final Decision: No"}, preset="general_verifier")
    manager = HybridRewardManager(
        tokenizer, 0, cache=None, **{**from_reward_model(section), "judges": [judge]}
    )
    batch = batch_of(tokenizer, [("Slope?", r"\boxed{2x+1}", "1+2x"), ("Slope?", r"\boxed{x+9}", "1+2x")])
    batch.non_tensor_batch["data_source"] = objects(["simplelr_math_35"] * 2)
    extra = {"split": "train", "index": 0, "question": "Slope?", "answer": "1+2x"}
    batch.non_tensor_batch["extra_info"] = objects([dict(extra), dict(extra)])
    result = manager(batch, return_dict=True)
    assert result["reward_tensor"].sum(-1).tolist() == [1.0, 0.0]
    assert result["reward_extra_info"]["hv_judge_asked"] == [1, 1]
    assert list(batch.non_tensor_batch["extra_info"]) == [extra, extra]


@pytest.mark.parametrize(("with_rule", "expected"), [(True, [1.8, 0.3]), (False, [0.8, 0.3])])
def test_several_models_add_up_on_their_own_rows(
    tokenizer: Any, with_rule: bool, expected: list[float]
) -> None:
    """Their parquet: `rm_prompt` says what the judge reads, or is empty; scores are not clipped."""
    words = {
        "reward_function": ["toy_hooks", "toy_hooks"],
        "model": {"path": ["/m/a", "/m/b"]},
        "reward_weight": [0.3, 0.5],
        "reward_combine_func": ["add", "add"],
        "combine_reward": with_rule,
    }
    hooks = {"preprocess": "toy_hooks:rm_preprocess", "postprocess": "toy_hooks:rm_postprocess"}
    judges = [
        {
            "name": name,
            "weight": weight,
            "hooks": hooks,
            "backend": {"name": "scripted", "replies": {"rate this =>": good, "What is 3+5?": bad}},
        }
        for name, weight, good, bad in (("a", 0.3, "1.0", "1.0"), ("b", 0.5, "1.0", "0.0"))
    ]
    manager = HybridRewardManager(tokenizer, 0, cache=None, judges=judges, **words)
    rows = [("What is 3+4?", "It makes #### 7", "7"), ("What is 3+5?", "It makes #### 9", "8")]
    batch = batch_of(tokenizer, rows)
    batch.non_tensor_batch["rm_prompt"] = objects(["rate this", ""])
    assert manager(batch).sum(-1).tolist() == pytest.approx(expected)
