"""Backend `vllm`: an engine in the caller's process, asked once a batch with token ids.

Nothing is imported or started before the first question. Measured on an H100 with a 1.5B judge, the host is what
bounds it: prompts passed as texts cost four times what one batched call of the tokenizer and ids cost. What each
file beside it does: settings, the living engine, sampling, replies, errors.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from operator import itemgetter
from typing import Any

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.openai_wire import chat_messages, sendable
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import ChatTokenizer, estimate_tokens
from hybridverify.judges.backends.scripted import prompt_text
from hybridverify.judges.backends.transformers_loading import ModelSource, load_chat_tokenizer
from hybridverify.judges.backends.vllm_batch import Batch
from hybridverify.judges.backends.vllm_engine import Engine, engine_for, installed, release
from hybridverify.judges.backends.vllm_errors import INSTALL
from hybridverify.judges.backends.vllm_model import EngineTokenizer, context_tokens, engine_context
from hybridverify.judges.backends.vllm_replies import ReplyReader
from hybridverify.judges.backends.vllm_sampling import sampling_params
from hybridverify.judges.backends.vllm_settings import EngineSettings
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.types import Outcome

CHANGES_REPLIES = ("hf_overrides", "quantization_config", "logits_processors", "speculative_config")
"""Those of `engine_args` that enter the cache key."""


class VLLMBackend:
    """Completes prompts with vLLM in this process. Judges with equal engine settings share one engine.

    model: a folder, or a name on the Hugging Face hub
    revision: of the model; enters the cache key
    tokenizer: a folder or name, by default the model's own
    dtype, quantization, tensor_parallel_size, max_model_len, max_num_seqs, seed, enforce_eager,
        trust_remote_code, load_format: as vLLM takes them; 0 and "" leave the choice to vLLM
    gpu_memory_utilization: this engine's share of the GPU's memory
    sleep_level: 1 moves the weights to the host's memory between uses, 2 throws them away and reads them again,
        0 keeps the engine awake
    timeout_s: seconds without a finished reply after which the engine counts as hanging; 0 waits for ever
    start_timeout_s: seconds for loading the model
    choice: texts of which every reply must be one (structured outputs)
    chat_template_kwargs: for the chat template, such as enable_thinking
    engine_args: more arguments of `vllm.LLM`
    """

    name = "vllm"
    concurrent = False
    """Engines share GPUs: judges are asked one after the other."""

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
        enforce_eager: bool = False,
        trust_remote_code: bool = False,
        load_format: str = "auto",
        sleep_level: int = 0,
        timeout_s: float = 600.0,
        start_timeout_s: float = 900.0,
        choice: Sequence[str] = (),
        chat_template_kwargs: Mapping[str, Any] | None = None,
        engine_args: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name != "self"}
        engine = {field.name: self._options[field.name] for field in fields(EngineSettings)}
        self._settings = EngineSettings(**{**engine, "engine_args": engine_args or {}})
        _check(timeout_s, start_timeout_s, choice, chat_template_kwargs)
        self.model, self.revision = model, revision
        self._choice = tuple(choice)
        self._template_options = dict(chat_template_kwargs or {})
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None
        self._context = max_model_len or -1
        self._reader: tuple[Any, ReplyReader] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process as its settings, without the engine."""
        return _remake, (self._options,)

    def __repr__(self) -> str:
        return f"VLLMBackend(model={self.model!r})"

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable where there is no engine to ask."""
        if not prompts:
            return []
        tokenizer = self._tokenizer()
        if tokenizer is None:
            return self._asked_as_texts(prompts, sampling)
        # Equal beginnings side by side: what one prompt leaves in the prefix cache serves its neighbours.
        order = sorted(range(len(prompts)), key=[prompt_text(prompt) for prompt in prompts].__getitem__)
        ids = prompt_ids(tokenizer, [prompts[place] for place in order], self._template_options)
        fitting = _fitting(ids, sampling.max_tokens, self.context_tokens())
        answers = iter(self._answers([one for one in fitting if isinstance(one, list)], sampling))
        results = [next(answers) if isinstance(one, list) else one for one in fitting]
        return [result for _, result in sorted(zip(order, results, strict=True), key=itemgetter(0))]

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Raise JudgeUnavailable where there is no vLLM. What takes minutes waits until there is a question."""
        if not installed():
            raise JudgeUnavailable(f"backend vllm needs vllm: {INSTALL}")

    def start(self) -> None:
        """Start the engine now. Raises JudgeUnavailable."""
        with self._running():
            pass

    def wake(self) -> None:
        """Keep the engine awake between uses, until `sleep`. It is started and woken when it is asked."""
        self.engine().hold()

    def sleep(self) -> None:
        """The end of `wake`: the engine sleeps, if `sleep_level` says so and nobody else holds it awake."""
        self.engine().let_sleep()

    def identity(self) -> dict[str, Any]:
        """Settings that may change a reply; they enter the cache key. None of them is about the GPU."""
        names = ("tokenizer", "quantization", "chat_template_kwargs")
        found = {name: value for name in names if (value := self._options[name])}
        extra = {name: repr(v) for name, v in self._settings.engine_args.items() if name in CHANGES_REPLIES}
        return {**found, **({"choice": list(self._choice)} if self._choice else {}), **extra}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; where the tokenizer cannot be loaded, rather too many."""
        try:
            tokenizer = self._tokenizer()
        except JudgeUnavailable:  # everything may be in the cache; `complete` tells those who ask
            return [estimate_tokens(text) for text in texts]
        if tokenizer is None:
            return [estimate_tokens(text) for text in texts]
        return [len(one) for one in tokenizer.encode([sendable(text) for text in texts], False)]

    def context_tokens(self) -> int:
        """`max_model_len`, else what the model's settings say, without starting it. Raises JudgeUnavailable."""
        if self._context < 0:
            self._context = context_tokens(self._source)
        return self._context

    def close(self) -> None:
        """Let go of the engine: it ends, and its memory is given back, unless another judge uses it."""
        self._reader = None
        release(self._settings, self)

    @property
    def _source(self) -> ModelSource:
        settings = self._settings
        return ModelSource(
            settings.model,
            settings.revision,
            settings.tokenizer,
            trust_remote_code=settings.trust_remote_code,
        )

    def engine(self) -> Engine:
        """This process's engine for these settings, which may not have been started yet."""
        return engine_for(self._settings, self)

    def _tokenizer(self) -> ChatTokenizer | None:
        """From the files, which needs no engine; else the engine's own, if it has one."""
        with self._lock:
            if self._chat is None:
                try:
                    self._chat = load_chat_tokenizer(self._source)
                except JudgeUnavailable:
                    with self._running() as llm:
                        own = _own_tokenizer(llm)
                    self._chat = None if own is None else EngineTokenizer(own)
            return self._chat

    def _running(self) -> AbstractContextManager[Any]:
        return self.engine().running(self._options["start_timeout_s"])

    def _answers(self, prompts: Sequence[list[int]], sampling: Sampling) -> list[Reply | Failure]:
        if not prompts:
            return []
        with self._running() as llm:
            results = _fitting(prompts, sampling.max_tokens, engine_context(llm))
            given = [{"prompt_token_ids": one} for one in results if isinstance(one, list)]
            answers = iter(self._batch(llm, sampling).ask(given))
            return [next(answers) if isinstance(one, list) else one for one in results]

    def _asked_as_texts(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """For engines without a tokenizer that could be asked: they render and tokenise by themselves."""
        with self._running() as llm:
            batch = self._batch(llm, sampling, ids_only=False)
            raw = iter(batch.ask([sendable(p.text) for p in prompts if not p.messages]))
            chats = iter(batch.ask([chat_messages(p.messages) for p in prompts if p.messages], "chat"))
            return [next(chats) if prompt.messages else next(raw) for prompt in prompts]

    def _batch(self, llm: Any, sampling: Sampling, ids_only: bool = True) -> Batch:
        params = sampling_params(sampling, self._choice, ids_only)
        return Batch(self.engine(), self._reader_of(llm).replies, params, self._options["timeout_s"])

    def _reader_of(self, llm: Any) -> ReplyReader:
        """The reader for the engine that is running, which lets one caller in at a time; what it has decoded is
        kept for the next batch."""
        if self._reader is None or self._reader[0] is not llm:
            self._reader = (llm, ReplyReader(_own_tokenizer(llm)))
        return self._reader[1]


def _fitting(ids: Sequence[list[int] | Failure], max_tokens: int, room: int) -> list[list[int] | Failure]:
    """The ids of the prompts that fit into the context (0: not known), and a failure for every other one."""
    return [one if isinstance(one, Failure) else _refusal(len(one), max_tokens, room) or one for one in ids]


def _refusal(tokens: int, max_tokens: int, room: int) -> Failure | None:
    if not tokens:
        return Failure(Outcome.FAILED, "the prompt is empty")
    if room and tokens + max_tokens > room:
        return Failure(
            Outcome.TOO_LONG,
            f"{tokens} tokens and {max_tokens} for the reply do not fit the context of {room}",
        )
    return None


def _own_tokenizer(llm: Any) -> Any:
    get = getattr(llm, "get_tokenizer", None)
    return get() if get is not None else None


def _check(timeout_s: object, start_timeout_s: object, choice: object, template_options: object) -> None:
    for name, value in (("timeout_s", timeout_s), ("start_timeout_s", start_timeout_s)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < float("inf"):
            raise ConfigError(f"backend.{name}: expected seconds from 0 on, got {value!r}")
    if not isinstance(choice, (list, tuple)) or not all(isinstance(text, str) and text for text in choice):
        raise ConfigError(f"backend.choice: expected a list of texts, got {choice!r}")
    if not isinstance(template_options or {}, Mapping):
        raise ConfigError("backend.chat_template_kwargs: expected names and values")


def _remake(options: dict[str, Any]) -> VLLMBackend:
    return VLLMBackend(**options)
