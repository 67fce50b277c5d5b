"""From the agent loop to the trainer: `_compute_score`, `_postprocess`, `extract_reward`, validation metrics."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from hybridverify.adapters.status import EXTRA_KEYS
from releases import STREAMS, LoopWorker, compose, manager_overrides, plain_class
from toy import PROMPT_WIDTH, SUM_SCORES, SUMS, batch_of, copied

pytestmark = pytest.mark.skipif(not STREAMS, reason="this verl does not stream rows to the reward loop")

COLUMNS = ("data_source", "reward_model", "extra_info", "raw_prompt", "uid")


@pytest.fixture(scope="module")
def worker(tokenizer_folder: Any) -> LoopWorker:
    return LoopWorker(compose(tokenizer_folder, manager_overrides({"policy": "rule_only", "cache": None})))


class Stream:
    """verl's agent-loop worker without its rollout client, with our reward worker behind it."""

    def __init__(self, worker: LoopWorker, tokenizer: Any) -> None:
        from verl.experimental.agent_loop import agent_loop

        class Handle:  # in place of a Ray actor; the pickle round trip makes the copy that Ray would make
            class compute_score:
                @staticmethod
                def remote(data: Any) -> Any:
                    return worker.worker.compute_score(copied(data))

        self.module, self.worker = agent_loop, worker
        self.kind = plain_class(agent_loop.AgentLoopWorker)
        self.agent = self.kind.__new__(self.kind)
        self.agent.reward_loop_worker_handles, self.agent.tokenizer = [Handle], tokenizer
        self.agent.processor = self.agent.mm_processor_kwargs = None

    def output(self, prompt: list[int], response: list[int]) -> Any:
        return self.module.AgentLoopOutput(
            prompt_ids=prompt,
            response_ids=response,
            response_mask=[1] * len(response),
            num_turns=2,
            metrics=self.module.AgentLoopMetrics(),
            extra_fields={},
        )

    def merged(self, batch: Any, earlier: str) -> Any:
        """The batch as the trainer receives it, with `rm_scores`."""
        finals = self.worker.run(self._score_all(batch, earlier))
        return self.kind._postprocess(
            self.agent, [self._padded(batch, i, out) for i, out in enumerate(finals)]
        )

    async def _score_all(self, batch: Any, earlier: str) -> list[Any]:
        finals = []
        for i in range(len(batch)):
            mask = batch.batch["attention_mask"][i].bool()
            prompt = batch.batch["prompts"][i][mask[:PROMPT_WIDTH]].tolist()
            response = batch.batch["responses"][i][mask[PROMPT_WIDTH:]].tolist()
            outputs = [*self._earlier(earlier, prompt, response), self.output(prompt, response)]
            kwargs = {name: batch.non_tensor_batch[name][i] for name in COLUMNS}
            await self.agent._compute_score(outputs, kwargs)
            finals.append(outputs[-1])
        return finals

    def _earlier(self, kind: str, prompt: list[int], response: list[int]) -> list[Any]:
        """An earlier output of the trajectory, shaped so that the padded rows mislead the mask's tail."""
        if kind == "long prompt":
            return [self.output(prompt * 3, response[:2])]
        if kind == "long response":
            return [self.output(prompt[:2], (response * 5)[:120])]
        return []

    def _padded(self, batch: Any, i: int, output: Any) -> Any:
        names = ("input_ids", "position_ids", "response_mask", "attention_mask")
        return self.module._InternalAgentLoopOutput(
            prompt_ids=batch.batch["prompts"][i : i + 1],
            response_ids=batch.batch["responses"][i : i + 1],
            **{name: batch.batch[name][i : i + 1] for name in names},
            reward_score=output.reward_score,
            num_turns=output.num_turns,
            metrics=output.metrics,
            extra_fields=output.extra_fields,
        )


@pytest.mark.parametrize("earlier", ["none", "long prompt", "long response"])
def test_the_last_output_of_a_trajectory_is_scored_whatever_came_before(
    worker: LoopWorker, tokenizer: Any, earlier: str
) -> None:
    batch = batch_of(tokenizer, SUMS)
    merged = Stream(worker, tokenizer).merged(batch, earlier)
    scores = merged.batch["rm_scores"]
    assert scores.sum(-1).tolist() == SUM_SCORES
    last = batch.batch["attention_mask"][:, PROMPT_WIDTH:].sum(1) - 1
    assert [row[n].item() for row, n in zip(scores, last, strict=True)] == SUM_SCORES
    assert set(merged.meta_info["reward_extra_keys"]) == set(EXTRA_KEYS)


def test_the_trainer_takes_scores_and_metrics_from_the_merged_batch(
    worker: LoopWorker, tokenizer: Any
) -> None:
    from verl.trainer.ppo.metric_utils import process_validation_metrics
    from verl.trainer.ppo.reward import extract_reward

    batch = batch_of(tokenizer, SUMS)
    merged = Stream(worker, tokenizer).merged(batch, "none")
    tensor, extra = extract_reward(merged)
    lists: dict[str, list[Any]] = defaultdict(list, reward=tensor.sum(-1).tolist())  # the trainer's own name
    for key, values in extra.items():
        lists[key] += values.tolist()
    assert {len(values) for values in lists.values()} == {len(SUMS)}
    sources = batch.non_tensor_batch["data_source"].tolist()
    metrics = process_validation_metrics(sources, batch.non_tensor_batch["uid"].tolist(), dict(lists))
    assert "acc" in metrics["toy/sums"]
    assert "hv_graded" in metrics["toy/sums"]
    assert "hv_status" not in metrics["toy/sums"]
