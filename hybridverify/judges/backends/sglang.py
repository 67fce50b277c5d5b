"""Backend `sglang`: an engine in the caller's process that gets the token ids of a whole batch in one call. Needs a
GPU.

Simpler than `vllm`: an engine belongs to one judge, it starts in the thread of the first question (it sets signal
handlers, which only the main thread may), a call that hangs is not abandoned, and draws are not seeded. Nothing is
imported before the first question. Experimental: tested only with a stand-in for the package, never on a GPU.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable
from hybridverify.judges.backends.checks import mapping, no_own, whole_number
from hybridverify.judges.backends.engine_logs import engine_log
from hybridverify.judges.backends.fitting import answered, by_beginning, fitting, put_back
from hybridverify.judges.backends.local_model import LocalModel
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.sglang_replies import read_replies
from hybridverify.judges.backends.starting import starting
from hybridverify.judges.backends.transformers_loading import ModelSource, one_line
from hybridverify.judges.backends.vllm_model import context_tokens
from hybridverify.judges.base import Failure, Prompt, Reply, Sampling
from hybridverify.objects import arguments_of
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


class SGLangBackend(LocalModel):
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
        self._options = arguments_of(locals())
        source = ModelSource(model, revision, tokenizer, trust_remote_code=trust_remote_code)
        _check(self._options)
        super().__init__(source, max_model_len)
        self._engine: Any = None
        self._asleep = False
        self._holds = 0

    def complete(self, prompts: Sequence[Prompt], sampling: Sampling) -> list[Reply | Failure]:
        """One result for each prompt, in order. Raises JudgeUnavailable if there is no engine to ask."""
        if not prompts:
            return []
        with self._lock:
            order = by_beginning(prompts)
            template_options = self._options["chat_template_kwargs"] or {}
            ids = prompt_ids(self._tokenizer(), [prompts[place] for place in order], template_options)
            fit = fitting(ids, self.context_tokens(), sampling.max_tokens)
            return put_back(order, answered(fit, lambda asked: self._answers(asked, sampling)))

    def wake(self) -> None:
        """Keep the engine awake between uses, until `sleep`."""
        with self._lock:
            self._holds += 1

    def sleep(self) -> None:
        """End the effect of `wake`: the engine gives its memory back, if `sleep_level` says so."""
        with self._lock:
            self._holds = max(0, self._holds - 1)
            self._rest()

    def identity(self) -> dict[str, Any]:
        """The settings that may change a reply. They enter the cache key."""
        return self._given("tokenizer", "quantization", "chat_template_kwargs")

    def close(self) -> None:
        """End the engine and free its memory. A later call starts it again."""
        with self._lock:
            engine, self._engine, self._asleep = self._engine, None, False
            if engine is not None:
                engine.shutdown()

    def _answers(self, prompts: Sequence[list[int]], sampling: Sampling) -> list[Reply | Failure]:
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
        except Exception as error:  # SGLang has no exception classes of its own for faults of a request
            return [Failure(Outcome.FAILED, f"sglang: {one_line(error)}")] * len(prompts)
        finally:
            self._rest()

    def _started(self) -> Any:
        if self._engine is None:
            try:
                import sglang
            except ImportError as error:
                raise JudgeUnavailable(
                    f"backend sglang needs sglang ({one_line(error)}): {INSTALL}", Fault.SETTINGS
                ) from None
            try:
                with starting(f"sglang to load {self.model}", engine_log("sglang")):
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

    def _known_context(self) -> int:
        return context_tokens(self._source)

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


def _check(options: Mapping[str, Any]) -> None:
    for name, least in (("tensor_parallel_size", 1), ("max_model_len", 0), ("sleep_level", 0)):
        whole_number(name, options[name], least)
    if options["sleep_level"] > 1:
        raise ConfigError(f"backend.sleep_level: expected 0 or 1, got {options['sleep_level']}")
    share = options["gpu_memory_utilization"]
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0.0 < share < 1.0:
        raise ConfigError(f"backend.gpu_memory_utilization: expected a share between 0 and 1, got {share!r}")
    for name in ("chat_template_kwargs", "engine_args"):
        mapping(name, options[name])
    no_own("engine_args", options["engine_args"] or {}, OWN_ARGUMENTS)
