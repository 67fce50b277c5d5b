"""A policy learns from our rewards, on two cores without a GPU: `make train-demo`.

    .venv-verl/bin/python benchmarks/training/demo.py [--steps 120] [--minutes 5] [--json OUT]

Sums and days of the week (demo_task.py), a policy of a few million parameters that was shown answers of which three in
ten are right (demo_policy.py), and verl 0.9.1: its configuration, its reward worker with our reward-loop manager in it
(demo_batch.py: rules, the embedded judge where they cannot tell, DAPO's penalty for answers that do not end), its
advantage, its policy loss and its metrics. No Ray. The exact truth of the same responses is computed beside the reward.
Exit status 1 if the reward has not risen by RISE. `VERL_USE_EXTERNAL_MODULES` and `--estimator` bring another
advantage: `--judge-fails 0.3 --estimator hv_grpo` beside `grpo` shows what rows cost whose judge failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import verl.trainer.ppo.ray_trainer as trainer
from demo_batch import batch_of, configuration
from demo_policy import (
    encode_prompts,
    make_model,
    make_tokenizer,
    response_logits,
    sample,
    warm_start,
)
from demo_task import Question, draw_question, is_right
from hybridverify.adapters.graders import close_graders
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker
from verl.trainer.config import AlgoConfig
from verl.trainer.ppo.core_algos import agg_loss, get_policy_loss_fn
from verl.utils.torch_functional import entropy_from_logits, logprobs_from_logits
from verl.workers.config import ActorConfig

QUESTIONS, ANSWERS, MINI_BATCHES = 32, 8, 4
WARM_STEPS = 180
LEARNING_RATE = 2e-4
ENTROPY = 0.01
WINDOW, RISE = 5, 0.2
"""The mean reward of the last steps is this much above that of the first ones."""
PAID = "paid"
COUNTS = ("asked", "rescued", "ungraded")
Record = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    logging.getLogger("hybridverify").setLevel(logging.ERROR)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # two wait for each other where anything else runs: five times as slow
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(Path(folder), options)
        print(
            f"{loop.parameters / 1e6:.1f} million parameters, {QUESTIONS} questions x {ANSWERS} answers a step"
        )
        warm_start(loop.model, loop.tokenizer, options.warm_steps, loop.draw)
        print(
            f"answers shown for {time.monotonic() - begin:.0f} s; from here on there is only the reward",
            flush=True,
        )
        records: list[Record] = []
        while len(records) < options.steps and time.monotonic() - begin < 60 * options.minutes:
            records.append(loop.step())
            print(line(len(records), records[-1]), flush=True)
        close_graders()  # their cache lies in the folder
    for (question, truth, said, paid, status), times in loop.odd.most_common(20):
        if paid == PAID:
            print(f"paid {times} times: {question} {said} (true: {truth}; {status})")
    rise, text = closing(records)
    print(f"{text}, {time.monotonic() - begin:.0f} s")
    if options.json:
        options.json.write_text(
            json.dumps({"steps": records, "rise": rise, "odd": loop.odd.most_common()}, indent=1) + "\n"
        )
    return 0 if rise >= RISE else 1


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=120, help="at most so many")
    parser.add_argument("--minutes", type=float, default=5.0, help="no step begins later")
    parser.add_argument("--warm-steps", type=int, default=WARM_STEPS)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--estimator", default="grpo", help="name of verl's adv_estimator")
    parser.add_argument(
        "--judge-fails", type=float, default=0.0, help="share of the asked rows for which the judge fails"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, default=None)
    return parser.parse_args(arguments)


class Loop:
    """Policy, optimizer, and what of verl is asked in every step."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.draw = random.Random(options.seed)
        self.estimator = options.estimator
        self.tokenizer = make_tokenizer(folder)
        self.model = make_model(self.tokenizer, options.layers)
        self.parameters = sum(part.numel() for part in self.model.parameters())
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=LEARNING_RATE, weight_decay=0.0)
        self.events = asyncio.new_event_loop()
        asyncio.set_event_loop(self.events)  # verl looks for one
        if options.judge_fails:
            os.environ["TRAINING_JUDGE_FAILS"] = str(options.judge_fails)
            sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # training.failing
        self.worker = RewardLoopWorker(configuration(folder, options.judge_fails > 0), None)
        self.actor = ActorConfig(
            strategy="fsdp", rollout_n=ANSWERS, use_dynamic_bsz=True, entropy_coeff=ENTROPY
        )
        self.algorithm = AlgoConfig(adv_estimator=self.estimator)
        self.odd: Counter[tuple[str, ...]] = Counter()
        """Rollouts whose reward is not the truth or that have no grade."""

    def step(self) -> Record:
        marks = [time.monotonic()]
        questions = [draw_question(self.draw) for _ in range(QUESTIONS)]
        asked = [question for question in questions for _ in range(ANSWERS)]
        batch = self.roll_out(asked)
        marks.append(time.monotonic())
        self.reward(batch)
        marks.append(time.monotonic())
        trainer.compute_advantage(batch, self.estimator, num_repeat=ANSWERS, config=self.algorithm)
        self.update(batch)
        marks.append(time.monotonic())
        logged = trainer.compute_data_metrics(batch=batch, use_critic=False)
        return {
            "reward": float(logged["critic/score/mean"]),
            **self.against_truth(asked, batch),
            **{name: logged[f"hv/{name}"] / len(asked) for name in COUNTS},
            **dict(zip(("rollout_s", "reward_s", "update_s"), np.diff(marks).tolist(), strict=True)),
        }

    def against_truth(self, asked: Sequence[Question], batch: Any) -> Record:
        """Share of right responses, and how many the reward took for something else."""
        said = self.tokenizer.batch_decode(batch.batch["responses"], skip_special_tokens=True)
        right = [is_right(question, text) for question, text in zip(asked, said, strict=True)]
        paid = [score > 0 for score in batch.batch["token_level_scores"].sum(-1).tolist()]
        told = batch.non_tensor_batch["hv_status"].tolist()
        for question, text, is_paid, true, status in zip(asked, said, paid, right, told, strict=True):
            if is_paid != true or status not in ("correct", "incorrect"):
                self.odd[question.text, question.truth, text, PAID if is_paid else "not paid", status] += 1
        pairs = list(zip(paid, right, strict=True))
        return {
            "accuracy": mean(right),
            "paid_wrong": pairs.count((True, False)),
            "unpaid_right": pairs.count((False, True)),
        }

    def roll_out(self, asked: Sequence[Question]) -> Any:
        prompts = encode_prompts(self.tokenizer, [question.text for question in asked])
        sampled = sample(self.model, self.tokenizer, prompts)
        return batch_of(asked, ANSWERS, prompts, sampled, self.tokenizer)

    def reward(self, batch: Any) -> None:
        """What verl's RewardLoopManager does with its workers, here with one and without Ray."""
        manager = self.worker.reward_manager
        results = manager.loop.run_until_complete(self.worker.compute_score_batch(batch))
        scores = type(manager).assemble_rm_scores(batch, [result["reward_score"] for result in results])
        batch.batch["token_level_scores"] = batch.batch["token_level_rewards"] = scores
        for name in results[0]["reward_extra_info"]:
            values = [result["reward_extra_info"][name] for result in results]
            batch.non_tensor_batch[name] = np.array(values)

    def update(self, batch: Any) -> None:
        for part in torch.randperm(len(batch)).chunk(MINI_BATCHES):
            loss = self.loss(batch.batch[part])
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()

    def loss(self, rows: Any) -> torch.Tensor:
        """verl's policy loss and entropy term, put together as its actor does."""
        logits = response_logits(self.model, self.tokenizer, rows["prompts"], rows["responses"])
        mask, mode = rows["response_mask"], self.actor.loss_agg_mode
        loss, _ = get_policy_loss_fn(self.actor.policy_loss.loss_mode)(
            old_log_prob=rows["old_log_probs"],
            log_prob=logprobs_from_logits(logits, rows["responses"]),
            advantages=rows["advantages"],
            response_mask=mask,
            loss_agg_mode=mode,
            config=self.actor,
        )
        return loss - self.actor.entropy_coeff * agg_loss(entropy_from_logits(logits), mask, mode)


def line(number: int, record: Mapping[str, float]) -> str:
    """One step."""
    shares = " ".join(f"{name} {record[name]:.2f}" for name in COUNTS)
    seconds = " ".join(f"{name} {record[f'{name}_s']:.2f}" for name in ("reward", "rollout", "update"))
    return f"step {number:3}  reward {record['reward']:.3f}  accuracy {record['accuracy']:.3f}  {shares}  s: {seconds}"


def closing(records: Sequence[Mapping[str, float]]) -> tuple[float, str]:
    """How far the reward rose, and the run in a line; nothing rises where first and last steps would be the same.

    >>> step = {"accuracy": 0.25, "paid_wrong": 0, "unpaid_right": 1}
    >>> closing([{**step, "reward": i / 8} for i in range(9)])[0], closing([{**step, "reward": 1.0}])[0]
    (0.5, 0.0)
    """
    first, last = ([*records[:WINDOW]], [*records[-WINDOW:]]) if records else ([], [])

    def between(name: str) -> tuple[float, float]:
        return (mean(r[name] for r in first), mean(r[name] for r in last)) if records else (0.0, 0.0)

    (old, new), (old_truth, new_truth) = between("reward"), between("accuracy")
    wrong, missed = (sum(int(r[name]) for r in records) for name in ("paid_wrong", "unpaid_right"))
    text = (
        f"reward {old:.3f} -> {new:.3f}, true accuracy {old_truth:.3f} -> {new_truth:.3f} (means of the first and "
        f"last {WINDOW} steps); wrong answers paid {wrong}, right ones not paid {missed}; {len(records)} steps"
    )
    return new - old, text


if __name__ == "__main__":
    sys.exit(main())
