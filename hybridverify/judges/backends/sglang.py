"""Backend `sglang`: an engine in the caller's process, asked once a batch with token ids. Needs a GPU.

Thinner than `vllm`: an engine belongs to its judge, it starts in the thread of the first question (it sets signal
handlers, which only the main thread may), a call that hangs is not left behind, and draws are not seeded. Nothing is
imported earlier. Tested on a stand-in for the package alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.openai_wire import sendable
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import ChatTokenizer, estimate_tokens
from hybridverify.judges.backends.scripted import prompt_text
from hybridverify.judges.backends.sglang_replies import read_replies
from hybridverify.judges.backends.transformers_loading import (
    ModelSource,
    load_chat_tokenizer,
    one_line,
    whole_number,
)
from hybridverify.judges.backends.vllm_model import context_tokens
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.types import Outcome

INSTALL = "pip install 'hybridverify[sglang]'"
OWN_ARGUMENTS = (
    "model_path",
    "tokenizer_path",
    "revision",
    "dtype",
    "quantization",
    "tp_size",
    "mem_fraction_static",
    "context_length",
    "trust_remote_code",
    "load_format",
    "enable_memory_saver",
)
"""Arguments of `sglang.Engine` that have options of their own."""


class SGLangBackend:
    """Completes prompts with SGLang in this process.

    model, revision, tokenizer, dtype, quantization, trust_remote_code, load_format: as SGLang takes them
    tensor_parallel_size: GPUs (`tp_size`)
    gpu_memory_utilization: share of the GPU's memory for weights and cache (`mem_fraction_static`)
    max_model_len: prompt + output (`context_length`); 0 is the model's
    sleep_level: 1 gives the GPU's memory back between uses (`enable_memory_saver`)
    chat_template_kwargs: for the chat template, such as enable_thinking
    engine_args: more arguments of `sglang.Engine`
    """

    name = "sglang"
    concurrent = False

    def __init__(
        self,
        model: str,
        revision: str = "",
        tokenizer: str = "",
        dtype: str = "auto",
        quantization: str = "",
        tensor_parallel_size: int = 1,
        gpu_memory_utilization: float = 0.8,
        max_model_len: int = 0,
        trust_remote_code: bool = False,
        load_format: str = "auto",
        sleep_level: int = 0,
        chat_template_kwargs: Mapping[str, Any] | None = None,
        engine_args: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name != "self"}
        self._source = ModelSource(model, revision, tokenizer, trust_remote_code=trust_remote_code)
        _check(self._options)
        self.model, self.revision = model, revision
        self._context = max_model_len or -1
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None
        self._engine: Any = None
        self._asleep = False
        self._holds = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process as its settings, without the engine."""
        return _remake, (self._options,)

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable where there is no engine to ask."""
        if not prompts:
            return []
        with self._lock:
            order = sorted(range(len(prompts)), key=[prompt_text(prompt) for prompt in prompts].__getitem__)
            template_options = self._options["chat_template_kwargs"] or {}
            ids = prompt_ids(self._tokenizer(), [prompts[place] for place in order], template_options)
            room = self.context_tokens()
            fitting = [_fitting(one, sampling.max_tokens, room) for one in ids]
            answers = iter(self._answers([one for one in fitting if isinstance(one, list)], sampling))
            results = [next(answers) if isinstance(one, list) else one for one in fitting]
            return [
                result for _, result in sorted(zip(order, results, strict=True), key=lambda pair: pair[0])
            ]

    def wake(self) -> None:
        """Keep the engine awake between uses, until `sleep`."""
        with self._lock:
            self._holds += 1

    def sleep(self) -> None:
        """The end of `wake`: the engine gives its memory back, if `sleep_level` says so."""
        with self._lock:
            self._holds = max(0, self._holds - 1)
            self._rest()

    def identity(self) -> dict[str, Any]:
        """Settings that may change a reply; they enter the cache key."""
        names = ("tokenizer", "quantization", "chat_template_kwargs")
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
        """`max_model_len`, else what the model's settings say. Raises JudgeUnavailable."""
        if self._context < 0:
            self._context = context_tokens(self._source)
        return self._context

    def close(self) -> None:
        """End the engine and give its memory back; a later call starts it again."""
        with self._lock:
            engine, self._engine, self._asleep = self._engine, None, False
            if engine is not None:
                engine.shutdown()

    def _answers(self, prompts: Sequence[list[int]], sampling: Sampling) -> list[Reply | Failure]:
        if not prompts:
            return []
        engine = self._started()
        begin = time.perf_counter()
        try:
            outputs = engine.generate(
                input_ids=list(prompts),
                sampling_params=_parameters(sampling),
                return_logprob=sampling.logprobs > 0,
                top_logprobs_num=sampling.logprobs,
            )
            tokenizer = getattr(getattr(engine, "tokenizer_manager", None), "tokenizer", None)
            return [*read_replies(outputs, sampling.n, tokenizer, time.perf_counter() - begin)]
        except Exception as error:  # SGLang has no classes of its own for what a request does
            return [Failure(Outcome.FAILED, f"sglang: {one_line(error)}")] * len(prompts)
        finally:
            self._rest()

    def _started(self) -> Any:
        if self._engine is None:
            try:
                import sglang
            except ImportError as error:
                raise JudgeUnavailable(
                    f"backend sglang needs sglang ({one_line(error)}): {INSTALL}"
                ) from None
            try:
                self._engine = sglang.Engine(**self._arguments())
            except Exception as error:  # loaders of several libraries, each with exceptions of its own
                raise JudgeUnavailable(f"sglang cannot start {self.model!r}: {one_line(error)}") from error
        elif self._asleep:
            self._engine.resume_memory_occupation()
            self._asleep = False
        return self._engine

    def _rest(self) -> None:
        if self._options["sleep_level"] and not self._holds and self._engine is not None and not self._asleep:
            self._engine.release_memory_occupation()
            self._asleep = True

    def _tokenizer(self) -> ChatTokenizer:
        if self._chat is None:
            self._chat = load_chat_tokenizer(self._source)
        return self._chat

    def _arguments(self) -> dict[str, Any]:
        given = self._options
        wanted = {
            "revision": given["revision"],
            "tokenizer_path": given["tokenizer"],
            "quantization": given["quantization"],
            "context_length": given["max_model_len"],
            "enable_memory_saver": given["sleep_level"] > 0,
        }
        return {
            "model_path": self.model,
            "dtype": given["dtype"],
            "tp_size": given["tensor_parallel_size"],
            "mem_fraction_static": float(given["gpu_memory_utilization"]),
            "trust_remote_code": given["trust_remote_code"],
            "load_format": given["load_format"],
            **{name: value for name, value in wanted.items() if value},
            **(given["engine_args"] or {}),
        }


def _parameters(sampling: Sampling) -> dict[str, Any]:
    given: dict[str, Any] = {
        "n": sampling.n,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_new_tokens": sampling.max_tokens,
    }
    return {**given, "stop": list(sampling.stop)} if sampling.stop else given


def _fitting(ids: list[int] | Failure, max_tokens: int, room: int) -> list[int] | Failure:
    if isinstance(ids, Failure):
        return ids
    if not ids:
        return Failure(Outcome.FAILED, "the prompt is empty")
    if room and len(ids) + max_tokens > room:
        reason = f"{len(ids)} tokens and {max_tokens} for the reply do not fit the context of {room}"
        return Failure(Outcome.TOO_LONG, reason)
    return ids


def _check(options: Mapping[str, Any]) -> None:
    for name, least in (("tensor_parallel_size", 1), ("max_model_len", 0), ("sleep_level", 0)):
        whole_number(name, options[name], least)
    if options["sleep_level"] > 1:
        raise ConfigError(f"backend.sleep_level: expected 0 or 1, got {options['sleep_level']}")
    share = options["gpu_memory_utilization"]
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0.0 < share < 1.0:
        raise ConfigError(f"backend.gpu_memory_utilization: expected a share between 0 and 1, got {share!r}")
    for name in ("chat_template_kwargs", "engine_args"):
        if not isinstance(options[name] or {}, Mapping):
            raise ConfigError(f"backend.{name}: expected names and values")
    for name in options["engine_args"] or {}:
        if name in OWN_ARGUMENTS:
            raise ConfigError(f"backend.engine_args.{name}: has an option of its own in backend")


def _remake(options: dict[str, Any]) -> SGLangBackend:
    return SGLangBackend(**options)
