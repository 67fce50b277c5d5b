"""Backend `transformers`: a causal language model in this process, on a CPU or a GPU, for small machines.

Nothing is imported or loaded before the first question. The files beside it: loading, decoding of a batch, shared
beginnings of prompts, batches by length.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hybridverify.judges.backends.checks import mapping, whole_number
from hybridverify.judges.backends.engine_logs import transformers_logged
from hybridverify.judges.backends.fitting import answered, fitting
from hybridverify.judges.backends.local_model import LocalModel
from hybridverify.judges.backends.memory import free_memory, run_or_halve
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.starting import starting
from hybridverify.judges.backends.token_batches import MIN_SHARED, Family, Prompts, batches, families
from hybridverify.judges.backends.transformers_decoding import Decoder
from hybridverify.judges.backends.transformers_loading import ModelSource, load
from hybridverify.judges.backends.transformers_prefix import NOTHING, Prefix, prefix_length
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.objects import arguments_of

CPU_TOKENS, GPU_TOKENS = 8_192, 65_536


class TransformersBackend(LocalModel):
    """Completes prompts with a model that transformers loads.

    model: a folder, or a name on the Hugging Face hub, which is fetched as transformers fetches it
    revision: of the model; enters the cache key
    tokenizer: a folder or name, by default the model's own
    dtype: float32, bfloat16 or float16; `auto` is the checkpoint's on a GPU, and on a CPU bfloat16 where the
        processor computes in it, else float32
    device: cpu, cuda, cuda:1, mps; `auto` is the GPU if there is one
    batch_size: the most prompts in one forward pass
    max_batch_tokens: the most tokens in one, padding and output included; 0 is 8,192 on a CPU, 65,536 on a GPU
    context_tokens: prompt + output that the judge takes; 0 asks the model's settings
    share_prefix: read once what prompts begin with alike
    trust_remote_code: run code that comes with the model
    chat_template_kwargs: for the chat template, such as enable_thinking
    model_options: more arguments of `from_pretrained`, such as quantization_config or device_map
    """

    name = "transformers"
    slice_size = 128
    """Small machines are slow, so the answers of a slice are stored as soon as it is done."""

    def __init__(
        self,
        model: str,
        revision: str = "",
        tokenizer: str = "",
        dtype: str = "auto",
        device: str = "auto",
        batch_size: int = 64,
        max_batch_tokens: int = 0,
        context_tokens: int = 0,
        share_prefix: bool = True,
        trust_remote_code: bool = False,
        chat_template_kwargs: Mapping[str, Any] | None = None,
        model_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = arguments_of(locals())
        source = ModelSource(
            model, revision, tokenizer, dtype, device, trust_remote_code, model_options or {}
        )
        for name, least in (("batch_size", 1), ("max_batch_tokens", 0), ("context_tokens", 0)):
            whole_number(name, self._options[name], least)
        mapping("chat_template_kwargs", chat_template_kwargs)
        super().__init__(source, context_tokens)
        self._template_options = dict(chat_template_kwargs or {})
        self._batch_size, self._max_batch_tokens = batch_size, max_batch_tokens
        self._share_prefix = share_prefix
        self._decoder: Decoder | None = None
        self._prefix: Prefix = NOTHING
        self._budget = max_batch_tokens

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable if the model cannot be loaded."""
        if not prompts:
            return []
        with self._lock:
            decoder = self._started()
            ids = prompt_ids(self._tokenizer(), prompts, self._template_options)
            fit = fitting(ids, self.context_tokens(), sampling.max_tokens)
            return answered(fit, lambda asked: self._answers(decoder, asked, sampling))

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Load the model now and wait for it. Raises JudgeUnavailable."""
        with self._lock:
            self._started()

    def identity(self) -> dict[str, Any]:
        """The settings that may change a reply. They enter the cache key."""
        return self._given("tokenizer", "chat_template_kwargs", "model_options")

    def close(self) -> None:
        """Free the model's memory. A later call loads it again."""
        with self._lock:
            had, self._decoder, self._prefix = self._decoder is not None, None, NOTHING
            if had:
                free_memory()

    def _started(self) -> Decoder:
        if self._decoder is None:
            with transformers_logged() as log, starting(f"transformers to load {self.model}", log):
                loaded = load(self._source, "AutoModelForCausalLM")
            self._budget = self._max_batch_tokens or (
                CPU_TOKENS if loaded.device.type == "cpu" else GPU_TOKENS
            )
            self._decoder = Decoder(loaded, self._share_prefix)
        return self._decoder

    def _answers(self, decoder: Decoder, prompts: Prompts, sampling: Sampling) -> list[Reply | Failure]:
        prefix = self._shared(decoder, prompts)
        alone = [Family((place,), 0) for place in range(len(prompts))]
        groups = families(prompts, len(prefix)) if decoder.shares else alone
        size, budget = max(1, self._batch_size // sampling.n), self._budget // sampling.n
        more = sampling.max_tokens - len(prefix)  # a kept beginning takes little memory
        answers: dict[int, Reply | Failure] = {}
        for batch in batches(prompts, groups, more, size, budget):
            replies = run_or_halve(
                lambda part: _decoded(decoder, part, prefix, sampling), [prompts[place] for place in batch]
            )
            answers.update(zip(batch, replies, strict=True))
        return [answers[place] for place in range(len(prompts))]

    def _shared(self, decoder: Decoder, prompts: Prompts) -> Prefix:
        """The kept beginning if it fits these prompts as well as a new one would, else a new one."""
        if not decoder.shares or not prompts:
            return NOTHING
        size = prefix_length(prompts)
        kept = len(self._prefix)
        if not kept or kept + MIN_SHARED < size or not self._prefix.starts(prompts):
            if not size:
                return NOTHING
            try:
                self._prefix = decoder.prefix(prompts[0][:size])
            except (RuntimeError, MemoryError):  # reading the whole prompts will raise the error again
                return NOTHING
        return self._prefix


def _decoded(decoder: Decoder, prompts: Prompts, prefix: Prefix, sampling: Sampling) -> list[Reply]:
    begin = time.perf_counter()
    replies = decoder.decode(prompts, prefix, sampling)
    seconds = (time.perf_counter() - begin) / len(prompts)
    return [replace(reply, seconds=seconds) for reply in replies]
