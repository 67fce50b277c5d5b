"""Decodes a batch of prompts with a causal model: left padding, a KV cache, log-probabilities at every position.

`model.generate` is not used: here the common beginning of all prompts is read once, the draws of a row depend only on
its own prompt and seed, and only the top of each distribution is kept.
"""

from __future__ import annotations

import hashlib
import inspect
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridverify.judges.backends.token_batches import Family, Prompts, families
from hybridverify.judges.backends.transformers_loading import Loaded
from hybridverify.judges.backends.transformers_prefix import Prefix, shareable
from hybridverify.judges.base import Reply, Sampling


@dataclass
class Row:
    """One draw that is being written."""

    draws: random.Random
    ids: list[int] = field(default_factory=list)
    logprobs: list[Mapping[str, float]] = field(default_factory=list)
    text: str = ""
    finish_reason: str = ""


class Decoder:
    """Writes replies with a loaded model. `shares`: whether beginnings may be read once for several prompts."""

    def __init__(self, loaded: Loaded, share: bool = True) -> None:
        self._model, self._tokenizer, self._device = loaded.model, loaded.tokenizer, loaded.device
        self._ends = _end_tokens(loaded)
        self._texts: dict[int, str] = {}
        accepted = inspect.signature(loaded.model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        # transformers 5.24 renamed the cache, and earlier releases the number of logits
        self._cache = "cache" if "cache" in accepted else "past_key_values"
        names = ("logits_to_keep", "num_logits_to_keep")
        self._last_only = {name: 1 for name in names if name in accepted}
        self.shares = share and shareable(self._model, self.prefix([0]).cache)

    def prefix(self, ids: list[int]) -> Prefix:
        """Read a beginning once."""
        import torch

        with torch.inference_mode():
            seen, mask = self._padded([ids])
            _, cache = self._forward(seen, mask, None)
        return Prefix(tuple(ids), cache)

    def decode(self, prompts: Prompts, prefix: Prefix, sampling: Sampling) -> list[Reply]:
        """A reply to each prompt. All prompts begin with `prefix`."""
        import torch

        rows = [[Row(_draws(prompt, sampling.seed, n)) for n in range(sampling.n)] for prompt in prompts]
        with torch.inference_mode():
            logits, cache, mask = self._read(prompts, prefix)
            if sampling.n > 1:
                cache.batch_repeat_interleave(sampling.n)
                logits, mask = (each.repeat_interleave(sampling.n, 0) for each in (logits, mask))
            self._write([row for draws in rows for row in draws], logits, cache, mask, sampling)
        return [self._reply(draws, len(prompt)) for draws, prompt in zip(rows, prompts, strict=True)]

    def _read(self, prompts: Prompts, prefix: Prefix) -> tuple[Any, Any, Any]:
        """Read the prompts. Returns the logits after each, and the cache and the mask of the tokens read."""
        import torch

        groups = families(prompts, len(prefix)) if self.shares else []
        if 0 < len(groups) < len(prompts):
            cache, mask, read = self._read_stems(prompts, prefix, groups)
        else:
            cache, read = prefix.repeated(len(prompts)), [len(prefix)] * len(prompts)
            mask = torch.ones(len(prompts), len(prefix), dtype=torch.long, device=self._device)
        ids, seen = self._padded([prompt[at:] for prompt, at in zip(prompts, read, strict=True)])
        mask = torch.cat([mask, seen], -1)
        return *self._forward(ids, mask, cache), mask

    def _read_stems(
        self, prompts: Prompts, prefix: Prefix, groups: Sequence[Family]
    ) -> tuple[Any, Any, list[int]]:
        """The cache of every family's stem, copied to each of its members."""
        import torch

        tails = [prompts[group.places[0]][len(prefix) : group.stem] for group in groups]
        ids, seen = self._padded(tails)
        before = torch.ones(len(groups), len(prefix), dtype=torch.long, device=self._device)
        mask = torch.cat([before, seen], -1)
        _, cache = self._forward(ids, mask, prefix.repeated(len(groups)))
        owner, stems = [0] * len(prompts), [0] * len(prompts)
        for number, group in enumerate(groups):
            for place in group.places:
                owner[place], stems[place] = number, group.stem
        picked = torch.tensor(owner, device=self._device)
        cache.batch_select_indices(picked)
        return cache, mask[picked], stems

    def _write(self, rows: list[Row], logits: Any, cache: Any, mask: Any, sampling: Sampling) -> None:
        import torch

        while True:
            chosen = self._next(rows, logits, sampling)
            going = [place for place, row in enumerate(rows) if not row.finish_reason]
            if not going:
                return
            if len(going) <= len(rows) // 2 and hasattr(cache, "batch_select_indices"):
                kept = torch.tensor(going, device=self._device)
                cache.batch_select_indices(kept)
                chosen, mask = chosen[kept], mask[kept]
                rows = [rows[place] for place in going]
            mask = torch.cat([mask, mask.new_ones(len(rows), 1)], -1)
            logits, cache = self._forward(chosen[:, None], mask, cache)

    def _padded(self, prompts: Prompts) -> tuple[Any, Any]:
        """Token ids, padded on the left, and their mask: two tensors of shape (rows, longest prompt)."""
        import torch

        width = max(map(len, prompts))
        ids = [[0] * (width - len(prompt)) + list(prompt) for prompt in prompts]
        seen = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        return torch.tensor(ids, device=self._device), torch.tensor(seen, device=self._device)

    def _forward(self, ids: Any, mask: Any, cache: Any) -> tuple[Any, Any]:
        """The logits at the last position of every row, and the cache. `mask` also covers the cached tokens."""
        options: dict[str, Any] = {self._cache: cache, "attention_mask": mask, **self._last_only}
        if self._takes_positions:
            positions = (mask.cumsum(-1) - 1).clamp(min=0)
            options["position_ids"] = positions[:, -ids.shape[1] :]
        output = self._model(input_ids=ids, use_cache=True, return_dict=True, **options)
        return output.logits[:, -1].float(), getattr(output, self._cache)

    def _next(self, rows: Sequence[Row], logits: Any, sampling: Sampling) -> Any:
        """Choose the next token of every row and add it, with its log-probabilities, to the rows that are not
        finished."""
        logprobs = logits.log_softmax(-1)
        chosen = _chosen(rows, logits, sampling)
        tops = self._tops(logprobs, chosen, sampling.logprobs) if sampling.logprobs else [{}] * len(rows)
        for row, token, top in zip(rows, chosen.tolist(), tops, strict=True):
            if not row.finish_reason:
                self._take(row, token, top, sampling)
        return chosen

    def _take(self, row: Row, token: int, top: Mapping[str, float], sampling: Sampling) -> None:
        if sampling.logprobs:
            row.logprobs.append(top)
        row.ids.append(token)
        if token in self._ends:
            row.finish_reason = "stop"
        elif len(row.ids) >= sampling.max_tokens:
            row.finish_reason = "length"
        if row.finish_reason or sampling.stop:
            ended = row.ids[:-1] if token in self._ends else row.ids
            row.text = self._tokenizer.decode(ended, skip_special_tokens=True)
            _cut_at_stop(row, sampling.stop)

    def _tops(self, logprobs: Any, chosen: Any, count: int) -> list[dict[str, float]]:
        """The top of each distribution and the chosen token, by the token's text."""
        values, ids = logprobs.topk(min(count, logprobs.shape[-1]), -1)
        own = logprobs.gather(-1, chosen[:, None])
        tops = []
        for row_ids, row_values, token, value in zip(
            ids.tolist(), values.tolist(), chosen.tolist(), own[:, 0].tolist(), strict=True
        ):
            top: dict[str, float] = {}
            for one, logprob in zip([*row_ids, token], [*row_values, value], strict=True):
                top.setdefault(self._text(one), logprob)  # of tokens with equal text, the likeliest
            tops.append(top)
        return tops

    def _text(self, token: int) -> str:
        """A token as it stands inside a text. Decoded alone, some tokenizers drop its leading blank."""
        if token not in self._texts:
            text = str(self._tokenizer.decode([token]))
            piece = self._tokenizer.convert_ids_to_tokens(token) or ""
            self._texts[token] = f" {text}" if piece.startswith("▁") and not text.startswith(" ") else text
        return self._texts[token]

    def _reply(self, draws: Sequence[Row], prompt_tokens: int) -> Reply:
        return Reply(
            texts=tuple(row.text for row in draws),
            finish_reasons=tuple(row.finish_reason for row in draws),
            logprobs=tuple(draws[0].logprobs),
            prompt_tokens=prompt_tokens,
            output_tokens=sum(len(row.ids) for row in draws),
        )


def _chosen(rows: Sequence[Row], logits: Any, sampling: Sampling) -> Any:
    """The likeliest token; above temperature 0, one drawn from the top_p nucleus."""
    import torch

    if sampling.temperature == 0.0:
        return logits.argmax(-1)
    weights, order = (logits / sampling.temperature).softmax(-1).sort(-1, descending=True)
    before = weights.cumsum(-1) - weights
    sums = weights.masked_fill(before >= sampling.top_p, 0.0).cumsum(-1)
    points = torch.tensor([[row.draws.random()] for row in rows], device=logits.device) * sums[:, -1:]
    places = (sums <= points).sum(-1, keepdim=True).clamp(max=weights.shape[-1] - 1)
    return order.gather(-1, places)[:, 0]


def _draws(prompt: Sequence[int], seed: int, draw: int) -> random.Random:
    """Random numbers of one draw. They depend on its seed and its prompt, not on the rest of the batch."""
    text = f"{seed} {draw} {' '.join(map(str, prompt))}"
    return random.Random(hashlib.sha256(text.encode()).digest())


def _end_tokens(loaded: Loaded) -> frozenset[int]:
    owners = (getattr(loaded.model, "generation_config", None), loaded.model.config, loaded.tokenizer)
    found: set[int] = set()
    for owner in owners:
        ids = getattr(owner, "eos_token_id", None)
        found |= set(ids) if isinstance(ids, (list, tuple)) else {ids} if isinstance(ids, int) else set()
    return frozenset(found)


def _cut_at_stop(row: Row, stops: Sequence[str]) -> None:
    """End the text of a row before the first of the stop texts that it holds."""
    places = [at for at in (row.text.find(stop) for stop in stops if stop) if at >= 0]
    if places:
        row.text, row.finish_reason = row.text[: min(places)], "stop"
