"""TRL's own GRPOTrainer with our reward: rewards beside TRL's `accuracy_reward`, logs, and advantages."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import toy
from datasets import Dataset
from hybridverify.adapters.trl import async_reward_function, reward_function
from transformers import LlamaConfig, LlamaForCausalLM
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer
from trl.rewards import accuracy_reward

import hybridverify as hv


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One token a character."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokens = [*map(chr, range(32, 127)), "\n", "<pad>", "<eos>", "<unk>"]
    core = Tokenizer(models.WordLevel({token: i for i, token in enumerate(tokens)}, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    core.decoder = decoders.Fuse()
    made = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    made.chat_template = (
        "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    return made


def policy(tokenizer: Any) -> LlamaForCausalLM:
    """A random model of some thousand parameters."""
    torch.manual_seed(0)
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            **small,
        )
    )


class Scripted:
    """Answers that are not sampled but taken from a script, round and round: TRL's `rollout_func`."""

    def __init__(self, tokenizer: Any, answers: Sequence[str]) -> None:
        self.tokenizer, self.answers = tokenizer, answers

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
        asked = [
            self.tokenizer.apply_chat_template(p, tokenize=False) if isinstance(p, list) else p
            for p in prompts
        ]
        said = [self.tokenizer.encode(self.answers[i % len(self.answers)]) for i in range(len(prompts))]
        ids = [[*tokens, self.tokenizer.eos_token_id] for tokens in said]
        return {
            "prompt_ids": self.tokenizer(asked)["input_ids"],
            "completion_ids": ids,
            "logprobs": [[0.0] * len(tokens) for tokens in ids],
        }


def trainer_of(
    tokenizer: Any,
    folder: Path,
    rewards: Any,
    rows: Sequence[dict[str, Any]],
    answers: Sequence[str] | None = None,
    kind: Any = (GRPOTrainer, GRPOConfig),
    **more: Any,
) -> Any:
    trainer, config = kind
    settings = {
        "output_dir": str(folder),
        "per_device_train_batch_size": 4,
        "num_generations": 4,
        "max_completion_length": 64 if answers else 6,
        "max_steps": 2,
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
        "logging_steps": 1,
        "save_strategy": "no",
        "shuffle_dataset": False,
        "disable_tqdm": True,
        **more,
    }
    script = {"rollout_func": Scripted(tokenizer, answers)} if answers else {}
    return trainer(
        model=policy(tokenizer),
        reward_funcs=rewards,
        args=config(**settings),
        train_dataset=Dataset.from_list(list(rows)),
        processing_class=tokenizer,
        **script,
    )


def chat(question: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]


def test_three_steps_of_a_sampling_policy_beside_trls_own_reward(tokenizer: Any, tmp_path: Path) -> None:
    rows = [{"prompt": chat(question), "solution": answer} for question, _, answer, _ in toy.SUMS] * 2
    ours = reward_function(policy="rule_only", cache=None)
    trainer = trainer_of(tokenizer, tmp_path, [ours, accuracy_reward], rows, max_steps=3)
    trainer.train()
    assert trainer.state.global_step == 3
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(logged) == 3
    for entry in logged:
        assert math.isfinite(entry["rewards/hybridverify/mean"])
        assert entry["hv/ungraded"] == 0.0
    assert all(math.isfinite(weight.sum().item()) for weight in trainer.model.parameters())


def test_rewards_of_a_scripted_policy_are_those_of_the_verifier(tokenizer: Any, tmp_path: Path) -> None:
    answers = [r"\boxed{42}", r"It is \boxed{42}.", r"\boxed{41}", "no idea"]
    rows = [{"prompt": chat("What is 6*7?"), "solution": "$42$"}] * 2
    ours = reward_function(policy="rule_only", cache=None)
    trainer = trainer_of(tokenizer, tmp_path, [ours, accuracy_reward], rows, answers)
    trainer.train()
    logs = trainer._logs
    assert list(logs["rewards"]["hybridverify"]) == [1.0, 1.0, 0.0, 0.0]
    assert list(logs["rewards"]["accuracy_reward"]) == [1.0, 1.0, 0.0, 0.0]
    extra = logs["extra"]
    assert list(extra["hv_outcome"]) == ["correct", "correct", "incorrect", "incorrect"]
    assert list(extra["hv_answer"])[:3] == ["42", "42", "41"]
    entry = next(entry for entry in trainer.state.log_history if "hv/ungraded" in entry)
    assert (entry["hv/ungraded"], entry["hv/asked"]) == (0.0, 0.0)


def advantages(
    tokenizer: Any, folder: Path, ungraded: Any, kind: Any = (GRPOTrainer, GRPOConfig), **more: Any
) -> Any:
    """Rewards and advantages of one group whose last row the judge leaves without a grade."""
    rows = [{"prompt": toy.QUESTION, "answer": toy.REFERENCE}] * 2
    ours = reward_function(ungraded=ungraded, **toy.judged())
    trainer = trainer_of(tokenizer, folder, ours, rows, toy.GROUP, kind, max_steps=1, **more)
    trainer.train()
    logs = trainer._logs
    assert list(logs["extra"]["hv_graded"]) == [True, True, True, False]
    return list(logs["rewards"]["hybridverify"]), list(logs["advantages"])


def test_an_ungraded_row_has_no_advantage(tokenizer: Any, tmp_path: Path) -> None:
    paid, found = advantages(tokenizer, tmp_path, "group_mean")
    assert paid[:3] == [1.0, 0.0, 0.0]
    assert paid[3] == pytest.approx(1 / 3)
    assert found[3] == pytest.approx(0.0, abs=1e-6)
    assert found[0] > 0 > found[1] == found[2]


def test_the_same_without_scaling_leaves_the_others_as_they_are(tokenizer: Any, tmp_path: Path) -> None:
    _, found = advantages(tokenizer, tmp_path, "group_mean", scale_rewards="none")
    assert found == pytest.approx([2 / 3, -1 / 3, -1 / 3, 0.0], abs=1e-6)


def test_none_is_left_out_of_the_group_by_this_release(tokenizer: Any, tmp_path: Path) -> None:
    """Where ours is the only reward, older releases summed `None` to 0, which is "wrong"."""
    paid, found = advantages(tokenizer, tmp_path, "none")
    assert math.isnan(paid[3])
    assert found[3] == 0.0
    others = torch.tensor([1.0, 0.0, 0.0])
    assert found[:3] == pytest.approx(((others - others.mean()) / (others.std() + 1e-4)).tolist(), abs=1e-5)


def test_a_number_is_paid_as_it_is_and_teaches(tokenizer: Any, tmp_path: Path) -> None:
    paid, found = advantages(tokenizer, tmp_path, 0.0)
    assert paid == [1.0, 0.0, 0.0, 0.0]
    assert found[3] == found[2] < 0


def test_rloo_gives_an_ungraded_row_no_advantage_either(tokenizer: Any, tmp_path: Path) -> None:
    rows = [{"prompt": toy.QUESTION, "answer": toy.REFERENCE}] * 2
    ours = reward_function(**toy.judged())
    trainer = trainer_of(
        tokenizer,
        tmp_path,
        ours,
        rows,
        kind=(RLOOTrainer, RLOOConfig),
        max_steps=1,
        beta=0.0,
        normalize_advantages=False,
    )
    trainer._generate_single_turn = said_by(tokenizer, toy.GROUP)
    trainer.train()
    assert list(trainer._logs["advantages"])[3] == pytest.approx(0.0, abs=1e-6)


def said_by(tokenizer: Any, answers: Sequence[str]) -> Any:
    """RLOOTrainer has no `rollout_func`: what it would sample is put in its place."""

    def generate(prompt_ids: Any, *_: Any, **__: Any) -> Any:
        said = [tokenizer.encode(answers[i % len(answers)]) for i in range(len(prompt_ids))]
        return [[*tokens, tokenizer.eos_token_id] for tokens in said]

    return generate


def test_a_group_without_any_grade_teaches_nothing(tokenizer: Any, tmp_path: Path) -> None:
    rows = [{"prompt": toy.QUESTION, "answer": toy.REFERENCE}] * 2
    ours = reward_function(**toy.judged())
    trainer = trainer_of(tokenizer, tmp_path, ours, rows, [toy.LOST] * 4, max_steps=1)
    trainer.train()
    assert all(math.isnan(paid) for paid in trainer._logs["rewards"]["hybridverify"])
    assert list(trainer._logs["advantages"]) == [0.0] * 4


def test_the_awaited_form_runs_in_trls_own_loop(tokenizer: Any, tmp_path: Path) -> None:
    rows = [{"prompt": toy.QUESTION, "answer": toy.REFERENCE}] * 2
    ours = async_reward_function(name="judged", **toy.judged())
    trainer = trainer_of(tokenizer, tmp_path, ours, rows, toy.GROUP, max_steps=1)
    trainer.train()
    assert list(trainer._logs["rewards"]["judged"])[:3] == [1.0, 0.0, 0.0]
    assert list(trainer._logs["extra"]["hv_graded"]) == [True, True, True, False]


def test_the_object_of_make_reward_is_called_the_same_way(tokenizer: Any, tmp_path: Path) -> None:
    rows = [{"prompt": chat("What is 6*7?"), "answer": "42"}] * 2
    made = hv.make_reward(cache=None, name="ours")
    copied = pickle.loads(pickle.dumps(made))  # noqa: S301 - ours
    trainer = trainer_of(
        tokenizer, tmp_path, [made, copied.awaited], rows, [r"\boxed{42}", "41"], max_steps=1
    )
    trainer.train()
    assert list(trainer._logs["rewards"]["ours"])[:2] == [1.0, 0.0]
    assert trainer.reward_func_names == ["ours", "ours"]


def test_the_lines_of_the_page_train(tokenizer: Any, tmp_path: Path) -> None:
    settings = {
        "per_device_train_batch_size": 4,
        "num_generations": 4,
        "max_completion_length": 6,
        "max_steps": 1,
    }
    args = GRPOConfig(
        output_dir=str(tmp_path), report_to="none", use_cpu=True, bf16=False, save_strategy="no", **settings
    )
    rows = Dataset.from_list([{"prompt": question, "answer": answer} for question, _, answer, _ in toy.SUMS])
    own = {"model": policy(tokenizer), "args": args, "rows": rows}
    trainer = toy.page("trl", GRPOTrainer=partial(GRPOTrainer, processing_class=tokenizer), **own)["trainer"]
    trainer.train()
    assert trainer.state.global_step == 1
