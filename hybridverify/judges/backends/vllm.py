"""Backend `vllm`: an engine in the caller's process that gets the token ids of a whole batch in one call.

Nothing is imported or started before the first question. Measured on an H100 with a 1.5B judge, the host is the
bottleneck: passing prompts as texts costs four times as much as tokenising them in one batched call and passing ids.
The files beside it: settings, the running engine, sampling, replies, errors.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from itertools import chain
from typing import Any

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable
from hybridverify.judges.backends.checks import mapping, seconds, whole_number
from hybridverify.judges.backends.engine_logs import engine_log
from hybridverify.judges.backends.fitting import answered, by_beginning, fitting, put_back
from hybridverify.judges.backends.local_model import LocalModel
from hybridverify.judges.backends.openai_wire import chat_messages, sendable
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import ChatTokenizer
from hybridverify.judges.backends.replicas import Replicas
from hybridverify.judges.backends.starting import starting
from hybridverify.judges.backends.transformers_loading import ModelSource
from hybridverify.judges.backends.vllm_batch import Batch
from hybridverify.judges.backends.vllm_engine import Engine
from hybridverify.judges.backends.vllm_engines import engine_for, release
from hybridverify.judges.backends.vllm_errors import INSTALL, GivenUp
from hybridverify.judges.backends.vllm_loading import installed
from hybridverify.judges.backends.vllm_model import EngineTokenizer, context_tokens, engine_context
from hybridverify.judges.backends.vllm_replies import ReplyReader
from hybridverify.judges.backends.vllm_sampling import sampling_params
from hybridverify.judges.backends.vllm_settings import EngineSettings
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.objects import arguments_of

PIECE = 512
"""Prompts that are rendered, tokenised and read together. Enough for full engine steps, and the engine starts soon."""
CHANGES_REPLIES = ("hf_overrides", "quantization_config", "logits_processors", "speculative_config")
"""The arguments in `engine_args` that enter the cache key."""


class VLLMBackend(LocalModel):
    """Completes prompts with vLLM in this process. Judges with equal engine settings share one engine.

    model: a folder, or a name on the Hugging Face hub
    revision: of the model; enters the cache key
    tokenizer: a folder or name, by default the model's own
    dtype, quantization, tensor_parallel_size, max_model_len, max_num_seqs, seed,
        trust_remote_code, load_format: as vLLM takes them; 0 and "" leave the choice to vLLM
    enforce_eager: by default true on a CPU, where compiling takes minutes, and vLLM's choice elsewhere
    gpu_memory_utilization: this engine's share of the GPU's memory
    sleep_level: 1 moves the weights to the host's memory between uses, 2 throws them away and reads them again,
        0 keeps the engine awake
    timeout_s: seconds without a finished reply after which the engine counts as hanging; 0 waits for ever
    start_timeout_s: seconds for loading the model
    choice: texts of which every reply must be one (structured outputs)
    chat_template_kwargs: for the chat template, such as enable_thinking
    engine_args: more arguments of `vllm.LLM`
    engines: 0 runs the engine's Python side in this process; a number is how many engines run, each in a process of
        its own and on `tensor_parallel_size` GPUs of its own. One such engine is faster than one in this process,
        which shares the interpreter with rules and parsers
    """

    name = "vllm"

    def __init__(
        self,
        model: str,
        revision: str = "",
        tokenizer: str = "",
        dtype: str = "auto",
        quantization: str = "",
        tensor_parallel_size: int = 1,
        gpu_memory_utilization: float = 0.9,
        max_model_len: int = 0,
        max_num_seqs: int = 0,
        seed: int = 0,
        enforce_eager: bool | None = None,
        trust_remote_code: bool = False,
        load_format: str = "auto",
        sleep_level: int = 0,
        timeout_s: float = 600.0,
        start_timeout_s: float = 900.0,
        choice: Sequence[str] = (),
        chat_template_kwargs: Mapping[str, Any] | None = None,
        engine_args: Mapping[str, Any] | None = None,
        engines: int = 0,
    ) -> None:
        self._options = arguments_of(locals())
        engine = {field.name: self._options[field.name] for field in fields(EngineSettings)}
        self._settings = EngineSettings(**{**engine, "engine_args": engine_args or {}})
        _check(timeout_s, start_timeout_s, choice, chat_template_kwargs)
        source = ModelSource(model, revision, tokenizer, trust_remote_code=trust_remote_code)
        super().__init__(source, max_model_len)
        self._choice = tuple(choice)
        self._template_options = dict(chat_template_kwargs or {})
        self._reader: tuple[Any, ReplyReader] | None = None
        whole_number("engines", engines, 0)
        self._replicas = self._copies(engines, tensor_parallel_size) if engines else None

    @property
    def batches_at_once(self) -> int:
        """Batches that keep every engine busy while others are prepared or read."""
        return 4 * (len(self._replicas) if self._replicas is not None else 1)

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable if there is no engine to ask."""
        if not prompts:
            return []
        if self._replicas is not None:
            if not self._replicas.running:
                self.start()
            if len(prompts) < 2 * PIECE:  # one part, which its copy sorts
                return self._replicas.complete(prompts, sampling, PIECE)
            order = by_beginning(prompts)
            found = self._replicas.complete([prompts[place] for place in order], sampling, PIECE)
            return put_back(order, found)
        tokenizer = self._counting()
        if tokenizer is None:
            return self._asked_as_texts(prompts, sampling)
        order, room = by_beginning(prompts), self.context_tokens()

        def ids(places: Sequence[int]) -> list[list[int] | Failure]:
            made = prompt_ids(tokenizer, [prompts[place] for place in places], self._template_options)
            return fitting(made, room, sampling.max_tokens)

        def asked() -> list[Reply | Failure]:
            if len(order) <= PIECE:
                return answered(ids(order), lambda asked: self._answers(asked, sampling))
            pieces = (ids(order[at : at + PIECE]) for at in range(0, len(order), PIECE))
            return self._in_pieces(pieces, sampling)

        try:
            return put_back(order, asked())
        except GivenUp:  # because of another caller's batch: once more, with a new engine
            return put_back(order, asked())

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Raise JudgeUnavailable if vLLM is missing. The engine, which takes minutes to start, waits for a question."""
        if not installed():
            raise JudgeUnavailable(f"backend vllm needs vllm: {INSTALL}", Fault.SETTINGS)

    def start(self) -> None:
        """Start the engine now. Raises JudgeUnavailable."""
        if self._replicas is not None:
            with starting(
                f"vllm to load {self._settings.model} in {len(self._replicas)} processes", engine_log("vllm")
            ):
                self._replicas.each("start")
            return
        with self._running():
            pass

    def with_engines(self, number: int) -> VLLMBackend:
        """This backend with the first so many of its engines: for measurements, where no second set fits a GPU."""
        if self._replicas is None:
            raise ConfigError("backend.engines: this backend has no copies of its engine")
        found = copy.copy(self)
        found._replicas = self._replicas.first(number)
        return found

    def wake(self) -> None:
        """Keep the engine awake between uses, until `sleep`. It is started and woken when it is asked."""
        if self._replicas is not None:
            self._replicas.each("wake")
        else:
            self.engine().hold()

    def sleep(self) -> None:
        """End the effect of `wake`: the engine sleeps, if `sleep_level` says so and nobody else holds it awake."""
        if self._replicas is not None:
            self._replicas.each("sleep")
        else:
            self.engine().let_sleep()

    def identity(self) -> dict[str, Any]:
        """The settings that may change a reply. They enter the cache key. None of them is about the GPU."""
        found = self._given("tokenizer", "quantization", "chat_template_kwargs")
        extra = {name: repr(v) for name, v in self._settings.engine_args.items() if name in CHANGES_REPLIES}
        return {**found, **({"choice": list(self._choice)} if self._choice else {}), **extra}

    def close(self) -> None:
        """Release the engine. It ends and frees its memory, unless another judge uses it."""
        self._reader = None
        if self._replicas is not None:
            self._replicas.close()
        release(self._settings, self)

    def engine(self) -> Engine:
        """This process's engine for these settings. It may not have been started yet."""
        return engine_for(self._settings, self)

    def _copies(self, number: int, devices: int) -> Replicas:
        """Copies of this backend, each with its own GPUs of those that this process may use."""
        seen = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name.strip()]
        names = seen or [str(device) for device in range(number * devices)]
        if len(names) < number * devices:
            raise ConfigError(
                f"backend.engines: {number} engines need {number * devices} GPUs, and CUDA_VISIBLE_DEVICES names "
                f"{len(names)}"
            )
        own = [names[at * devices : (at + 1) * devices] for at in range(number)]
        single = type(self)(**{**self._options, "engines": 0})
        return Replicas(single, [{"CUDA_VISIBLE_DEVICES": ",".join(devices)} for devices in own])

    def _counting(self) -> ChatTokenizer | None:
        """The tokenizer from the files, which needs no engine; else the engine's own, if it has one."""
        with self._lock:
            if self._chat is None:
                try:
                    return self._tokenizer()
                except JudgeUnavailable:
                    with self._running() as llm:
                        own = _own_tokenizer(llm)
                    self._chat = None if own is None else EngineTokenizer(own)
            return self._chat

    def _known_context(self) -> int:
        return context_tokens(self._source)

    def _running(self) -> AbstractContextManager[Any]:
        return self.engine().running(self._options["start_timeout_s"])

    def _answers(self, prompts: Sequence[list[int]], sampling: Sampling) -> list[Reply | Failure]:
        with self._running() as llm:
            batch = self._batch(llm, sampling)
            return answered(
                fitting(prompts, engine_context(llm), sampling.max_tokens),
                lambda asked: batch.ask(_given(asked)),
            )

    def _in_pieces(
        self, pieces: Iterator[list[list[int] | Failure]], sampling: Sampling
    ) -> list[Reply | Failure]:
        """The results of a long batch. The engine works on its first pieces while the next are made."""
        with self._running() as llm:
            room = engine_context(llm)
            batch = self._batch(llm, sampling)
            fit = (fitting(piece, room, sampling.max_tokens) for piece in pieces)
            if not self.engine().flows:
                return answered([*chain.from_iterable(fit)], lambda asked: batch.ask(_given(asked)))
            begun = []
            for piece in fit:
                asked = [one for one in piece if not isinstance(one, Failure)]
                begun.append((piece, batch.begin(_given(asked)) if asked else list))
            return [one for piece, wait in begun for one in answered(piece, lambda _, wait=wait: wait())]  # type: ignore[misc]

    def _asked_as_texts(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """For engines whose tokenizer is not accessible: they render and tokenise by themselves."""
        with self._running() as llm:
            batch = self._batch(llm, sampling, ids_only=False)
            raw = iter(batch.ask([sendable(p.text) for p in prompts if not p.messages]))
            chats = iter(batch.ask([chat_messages(p.messages) for p in prompts if p.messages], "chat"))
            return [next(chats) if prompt.messages else next(raw) for prompt in prompts]

    def _batch(self, llm: Any, sampling: Sampling, ids_only: bool = True) -> Batch:
        params = sampling_params(sampling, self._choice, ids_only)
        return Batch(self.engine(), llm, self._reader_of(llm).replies, params, self._options["timeout_s"])

    def _reader_of(self, llm: Any) -> ReplyReader:
        """The reader for the running engine. Decoded tokens are kept for the next batch."""
        if self._reader is None or self._reader[0] is not llm:
            self._reader = (llm, ReplyReader(_own_tokenizer(llm)))
        return self._reader[1]


def _given(prompts: Sequence[list[int]]) -> list[dict[str, list[int]]]:
    """The prompts as vLLM takes them."""
    return [{"prompt_token_ids": ids} for ids in prompts]


def _own_tokenizer(llm: Any) -> Any:
    get = getattr(llm, "get_tokenizer", None)
    return get() if get is not None else None


def _check(timeout_s: object, start_timeout_s: object, choice: object, template_options: object) -> None:
    seconds("timeout_s", timeout_s)
    seconds("start_timeout_s", start_timeout_s)
    if not isinstance(choice, (list, tuple)) or not all(isinstance(text, str) and text for text in choice):
        raise ConfigError(f"backend.choice: expected a list of texts, got {choice!r}")
    mapping("chat_template_kwargs", template_options)
