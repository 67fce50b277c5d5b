"""Backend `transformers`: a causal language model in this process, on a CPU or a GPU, for small machines.

Nothing is imported or loaded before the first question. What each file beside it does: loading, decoding of one
batch, the shared beginning of prompts, batches by length.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.openai_wire import sendable
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import ChatTokenizer, estimate_tokens
from hybridverify.judges.backends.token_batches import MIN_SHARED, Family, Prompts, batches, families
from hybridverify.judges.backends.transformers_decoding import Decoder
from hybridverify.judges.backends.transformers_loading import (
    ModelSource,
    free_memory,
    known_context,
    load,
    load_chat_tokenizer,
    one_line,
    out_of_memory,
    whole_number,
)
from hybridverify.judges.backends.transformers_prefix import NOTHING, Prefix, prefix_length
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.types import Outcome

OUT_OF_MEMORY = Failure(
    Outcome.FAILED, "out of memory; lower backend.max_batch_tokens or take a smaller model"
)
CPU_TOKENS, GPU_TOKENS = 8_192, 65_536


class TransformersBackend:
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
    concurrent = False
    """One model on one device: calls wait for each other."""
    slice_size = 128
    """Small machines are slow: what a slice of a batch was answered is kept when it is done."""

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
        self._options = {name: value for name, value in locals().items() if name != "self"}
        self._source = ModelSource(
            model, revision, tokenizer, dtype, device, trust_remote_code, model_options or {}
        )
        for name, least in (("batch_size", 1), ("max_batch_tokens", 0), ("context_tokens", 0)):
            whole_number(name, self._options[name], least)
        if not isinstance(self._options["chat_template_kwargs"] or {}, Mapping):
            raise ConfigError("backend.chat_template_kwargs: expected names and values")
        self.model, self.revision = model, revision
        self._template_options = dict(chat_template_kwargs or {})
        self._batch_size, self._max_batch_tokens = batch_size, max_batch_tokens
        self._context = context_tokens or -1  # not looked up yet
        self._share_prefix = share_prefix
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None
        self._decoder: Decoder | None = None
        self._prefix: Prefix = NOTHING
        self._budget = max_batch_tokens

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process as its settings, without the model."""
        return _remake, (self._options,)

    def __repr__(self) -> str:
        return f"TransformersBackend(model={self.model!r})"

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable where the model cannot be loaded."""
        if not prompts:
            return []
        with self._lock:
            decoder = self._started()
            ids = prompt_ids(self._tokenizer(), prompts, self._template_options)
            results: list[Reply | Failure] = [self._checked(one, sampling.max_tokens) for one in ids]
            asked = {
                place: one
                for place, one in enumerate(ids)
                if isinstance(one, list) and results[place] is _ASKED
            }
            for place, result in self._answers(decoder, asked, sampling):
                results[place] = result
            return results

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Load the model now. Raises JudgeUnavailable. Loading takes as long as it takes."""
        with self._lock:
            self._started()

    def identity(self) -> dict[str, Any]:
        """Settings that may change a reply; they enter the cache key."""
        names = ("tokenizer", "chat_template_kwargs", "model_options")
        return {name: value for name in names if (value := self._options[name])}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; where the tokenizer cannot be loaded, rather too many."""
        try:
            with self._lock:
                tokenizer = self._tokenizer()
        except JudgeUnavailable:  # everything may be in the cache; `complete` tells those who ask
            return [estimate_tokens(text) for text in texts]
        return [len(one) for one in tokenizer.encode([sendable(text) for text in texts], False)]

    def context_tokens(self) -> int:
        """The setting, else what the model's settings say. Raises JudgeUnavailable where they cannot be read."""
        if self._context < 0:
            self._context = known_context(self._source)
        return self._context

    def close(self) -> None:
        """Give the model's memory back; a later call loads it again."""
        with self._lock:
            had, self._decoder, self._prefix = self._decoder is not None, None, NOTHING
            if had:
                free_memory()

    def _started(self) -> Decoder:
        if self._decoder is None:
            loaded = load(self._source, "AutoModelForCausalLM")
            self._budget = self._max_batch_tokens or (
                CPU_TOKENS if loaded.device.type == "cpu" else GPU_TOKENS
            )
            self._decoder = Decoder(loaded, self._share_prefix)
        return self._decoder

    def _tokenizer(self) -> ChatTokenizer:
        if self._chat is None:
            self._chat = load_chat_tokenizer(self._source)
        return self._chat

    def _checked(self, ids: list[int] | Failure, max_tokens: int) -> Reply | Failure:
        if isinstance(ids, Failure):
            return ids
        room = self.context_tokens()
        if room and len(ids) + max_tokens > room:
            return Failure(
                Outcome.TOO_LONG,
                f"{len(ids)} tokens and {max_tokens} for the reply do not fit the context of {room}",
            )
        return _ASKED if ids else Failure(Outcome.FAILED, "the prompt is empty")

    def _answers(
        self, decoder: Decoder, asked: Mapping[int, list[int]], sampling: Sampling
    ) -> list[tuple[int, Reply | Failure]]:
        places, prompts = list(asked), list(asked.values())
        answers: list[tuple[int, Reply | Failure]] = []
        prefix = self._shared(decoder, prompts)
        alone = [Family((place,), 0) for place in range(len(prompts))]
        groups = families(prompts, len(prefix)) if decoder.shares else alone
        size, budget = max(1, self._batch_size // sampling.n), self._budget // sampling.n
        more = sampling.max_tokens - len(prefix)  # what is kept takes little memory
        for batch in batches(prompts, groups, more, size, budget):
            replies = _decoded(decoder, [prompts[place] for place in batch], prefix, sampling)
            answers += [(places[place], reply) for place, reply in zip(batch, replies, strict=True)]
        return answers

    def _shared(self, decoder: Decoder, prompts: Prompts) -> Prefix:
        """The kept beginning where it fits these prompts as well as a new one would, else a new one."""
        if not decoder.shares or not prompts:
            return NOTHING
        size = prefix_length(prompts)
        kept = len(self._prefix)
        if not kept or kept + MIN_SHARED < size or not self._prefix.starts(prompts):
            if not size:
                return NOTHING
            try:
                self._prefix = decoder.prefix(prompts[0][:size])
            except (RuntimeError, MemoryError):  # the whole prompts will say what is wrong
                return NOTHING
        return self._prefix


_ASKED = Reply(())
"""Stands in a list of results for what is about to be asked."""


def _decoded(
    decoder: Decoder, prompts: Prompts, prefix: Prefix, sampling: Sampling, halve: bool = True
) -> Sequence[Reply | Failure]:
    """The replies of one batch; one that does not fit in memory is halved once."""
    begin = time.perf_counter()
    try:
        replies = decoder.decode(prompts, prefix, sampling)
    except (RuntimeError, MemoryError) as error:
        failure = OUT_OF_MEMORY if out_of_memory(error) else Failure(Outcome.FAILED, one_line(error))
    else:
        seconds = (time.perf_counter() - begin) / len(prompts)
        return [replace(reply, seconds=seconds) for reply in replies]
    # Outside the handler, whose error holds the tensors that did not fit.
    free_memory()
    if failure is not OUT_OF_MEMORY or not halve or len(prompts) < 2:
        return [failure] * len(prompts)
    middle = (len(prompts) + 1) // 2
    halves = (prompts[:middle], prompts[middle:])
    return [reply for half in halves for reply in _decoded(decoder, half, prefix, sampling, False)]


def _remake(options: dict[str, Any]) -> TransformersBackend:
    return TransformersBackend(**options)
