"""Reward models in this process, by transformers' `AutoModelForSequenceClassification`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from hybridverify.judges.backends.checks import whole_number
from hybridverify.judges.backends.memory import free_memory, run_or_halve
from hybridverify.judges.backends.scorer import LocalScorer, Logits
from hybridverify.judges.backends.token_batches import Family, Prompts, batches
from hybridverify.judges.backends.transformers_loading import Loaded, ModelSource, load
from hybridverify.judges.base import Failure
from hybridverify.objects import arguments_of


class TransformersScorer(LocalScorer):
    """Scores with a model that transformers loads; nothing is loaded before the first question.

    model, revision, tokenizer, dtype, device, trust_remote_code, model_options: as of backend `transformers`
    batch_size, max_batch_tokens: the most prompts, and tokens with padding, of one forward pass
    context_tokens: 0 asks the model's settings
    """

    name = "transformers"

    def __init__(
        self,
        model: str,
        revision: str = "",
        tokenizer: str = "",
        dtype: str = "auto",
        device: str = "auto",
        batch_size: int = 32,
        max_batch_tokens: int = 16_384,
        context_tokens: int = 0,
        trust_remote_code: bool = False,
        model_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = arguments_of(locals())
        options = model_options or {}
        source = ModelSource(model, revision, tokenizer, dtype, device, trust_remote_code, options)
        super().__init__(source, context_tokens)
        whole_number("batch_size", batch_size, 1)
        whole_number("max_batch_tokens", max_batch_tokens, 1)
        self._batch_size, self._max_batch_tokens = batch_size, max_batch_tokens

    def identity(self) -> dict[str, Any]:
        """The settings that may change a score. They enter the cache key."""
        return self._given("tokenizer", "model_options")

    def _start(self) -> Loaded:
        return load(self._source, "AutoModelForSequenceClassification")

    def _stop(self, engine: Loaded) -> None:
        engine.model = None
        free_memory()

    def _run(self, engine: Loaded, prompts: list[list[int]]) -> list[Logits | Failure]:
        results: list[Logits | Failure] = [()] * len(prompts)
        alone = [Family((place,), 0) for place in range(len(prompts))]
        for batch in batches(prompts, alone, 0, self._batch_size, self._max_batch_tokens):
            scored = run_or_halve(partial(_forward, engine), [prompts[n] for n in batch])
            for place, logits in zip(batch, scored, strict=True):
                results[place] = logits
        return results


def _forward(loaded: Loaded, prompts: Prompts) -> list[Logits]:
    import torch

    width = max(map(len, prompts))
    with _padding(loaded, prompts) as pad, torch.inference_mode():
        ids = [list(prompt) + [pad] * (width - len(prompt)) for prompt in prompts]
        seen = [[1] * len(prompt) + [0] * (width - len(prompt)) for prompt in prompts]
        logits = loaded.model(
            input_ids=torch.tensor(ids, device=loaded.device),
            attention_mask=torch.tensor(seen, device=loaded.device),
        ).logits.float()
    return [tuple(row) for row in logits.reshape(len(prompts), -1).tolist()]


@contextmanager
def _padding(loaded: Loaded, prompts: Prompts) -> Iterator[int]:
    """The padding token. Causal models score at the last token that is no padding, by its id. A model that names none
    gets a token that no prompt holds, so that each row is scored at its own last token."""
    config = loaded.model.config
    named = getattr(config, "pad_token_id", None)
    if isinstance(named, int):
        yield named
        return
    held = {token for prompt in prompts for token in prompt}
    size = int(loaded.model.get_input_embeddings().weight.shape[0])
    config.pad_token_id = next((token for token in range(size) if token not in held), 0)
    try:
        yield config.pad_token_id
    finally:
        config.pad_token_id = named
