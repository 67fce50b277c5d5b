"""Reward models in this process, by vLLM's pooling runner. The running engine is that of backend `vllm`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.checks import seconds
from hybridverify.judges.backends.engine_thread import Hung
from hybridverify.judges.backends.scorer import LocalScorer, Logits
from hybridverify.judges.backends.transformers_loading import ModelSource, one_line
from hybridverify.judges.backends.vllm_batch import MOST_CALLS
from hybridverify.judges.backends.vllm_engine import Engine
from hybridverify.judges.backends.vllm_engines import engine_for, release
from hybridverify.judges.backends.vllm_errors import (
    engine_failure,
    is_dead,
    is_request_fault,
    request_failure,
)
from hybridverify.judges.backends.vllm_model import context_tokens
from hybridverify.judges.backends.vllm_settings import EngineSettings
from hybridverify.judges.base import Failure
from hybridverify.objects import arguments_of
from hybridverify.types import Outcome

POOLING = {"runner": "pooling"}


class VllmScorer(LocalScorer):
    """Scores with `LLM.classify`, one call a batch; the engine starts with the first question.

    model, revision, tokenizer, dtype, quantization, tensor_parallel_size, gpu_memory_utilization, max_model_len,
        max_num_seqs, enforce_eager, trust_remote_code, load_format, sleep_level, timeout_s, start_timeout_s,
        engine_args: as of backend `vllm`
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
        gpu_memory_utilization: float = 0.3,
        max_model_len: int = 0,
        max_num_seqs: int = 0,
        enforce_eager: bool | None = None,
        trust_remote_code: bool = False,
        load_format: str = "auto",
        sleep_level: int = 0,
        timeout_s: float = 600.0,
        start_timeout_s: float = 900.0,
        engine_args: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = arguments_of(locals())
        given = {f.name: self._options[f.name] for f in fields(EngineSettings) if f.name in self._options}
        EngineSettings(**{**given, "engine_args": engine_args or {}})  # checked as the user wrote them
        self._settings = EngineSettings(**{**given, "engine_args": {**(engine_args or {}), **POOLING}})
        seconds("timeout_s", timeout_s)
        seconds("start_timeout_s", start_timeout_s)
        source = ModelSource(model, revision, tokenizer, trust_remote_code=trust_remote_code)
        super().__init__(source, max_model_len)

    def identity(self) -> dict[str, Any]:
        """The settings that may change a score. They enter the cache key."""
        return self._given("tokenizer", "quantization")

    def _known_context(self) -> int:
        return context_tokens(self._source)

    def _start(self) -> Engine:
        engine = engine_for(self._settings, self)
        with engine.running(self._options["start_timeout_s"]):
            return engine

    def _run(self, engine: Engine, prompts: list[list[int]]) -> list[Logits | Failure]:
        with engine.running(self._options["start_timeout_s"]) as llm:
            return self._scored(engine, llm, prompts, itertools.count(1))

    def _scored(
        self, engine: Engine, llm: Any, prompts: list[list[int]], calls: Iterator[int]
    ) -> list[Logits | Failure]:
        """One call. More are made only to find a prompt that the engine refuses."""
        given = [{"prompt_token_ids": ids} for ids in prompts]
        call = next(calls)
        try:
            outputs = engine.call(lambda llm: _classified(llm, given), self._options["timeout_s"])
        except JudgeUnavailable:
            raise
        except Exception as error:  # the classes of vLLM's errors differ from release to release
            if len(prompts) < 2 or call >= MOST_CALLS or not is_request_fault(error):
                return [self._failure(engine, llm, error)] * len(prompts)
            middle = len(prompts) // 2
            first = self._scored(engine, llm, prompts[:middle], calls)
            return first + self._scored(engine, llm, prompts[middle:], calls)
        return [tuple(float(value) for value in output.outputs.probs) for output in outputs]

    def _failure(self, engine: Engine, llm: Any, error: Exception) -> Failure:
        """The result of a batch. The engine is dropped if it must not be used again."""
        if isinstance(error, Hung):
            engine.discard(llm, hangs=True)
            return Failure(Outcome.TIMED_OUT, f"no score within {self._options['timeout_s']:g} s")
        if is_dead(error):
            engine.discard(llm)
            raise JudgeUnavailable(f"the vLLM engine died: {one_line(error)}") from error
        if is_request_fault(error):
            return request_failure(error)
        engine.discard(llm)
        return engine_failure(error)

    def _stop(self, engine: Engine) -> None:
        release(self._settings, self)


def _classified(llm: Any, prompts: list[dict[str, list[int]]]) -> list[Any]:
    from vllm import PoolingParams

    # By default vLLM applies the model's own activation, a sigmoid for a single class.
    raw = PoolingParams(use_activation=False)
    return list(llm.classify(prompts, pooling_params=raw, use_tqdm=False))
