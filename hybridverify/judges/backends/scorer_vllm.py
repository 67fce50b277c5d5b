"""Reward models in this process, by vLLM's pooling runner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridverify.errors import ConfigError, JudgeUnavailable
from hybridverify.judges.backends.scorer import LocalScorer, Logits
from hybridverify.judges.backends.transformers_loading import ModelSource, one_line
from hybridverify.judges.base import Failure
from hybridverify.types import Outcome

OWN_ARGUMENTS = (
    "model",
    "revision",
    "tokenizer",
    "runner",
    "gpu_memory_utilization",
    "max_model_len",
    "dtype",
)
INSTALL = "pip install 'hybridverify[vllm]'"


class VllmScorer(LocalScorer):
    """Scores with `LLM.classify`, one call a batch; the engine starts with the first question.

    model, revision, tokenizer: as vLLM takes them
    dtype: auto, float32, bfloat16, float16
    gpu_memory_utilization: share of the GPU's memory
    context_tokens: the longest conversation (`max_model_len`); 0 is the model's
    trust_remote_code: run code that comes with the model
    engine_options: more arguments of `vllm.LLM`, such as tensor_parallel_size
    """

    name = "vllm"

    def __init__(
        self,
        model: str,
        revision: str = "",
        tokenizer: str = "",
        dtype: str = "auto",
        gpu_memory_utilization: float = 0.3,
        context_tokens: int = 0,
        trust_remote_code: bool = False,
        engine_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        source = ModelSource(model, revision, tokenizer, dtype, "auto", trust_remote_code)
        super().__init__(source, context_tokens)
        share = gpu_memory_utilization
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0.0 < share <= 1.0:
            raise ConfigError(
                f"backend.gpu_memory_utilization: expected a share above 0, at most 1, got {share!r}"
            )
        for name in engine_options or {}:
            if name in OWN_ARGUMENTS:
                raise ConfigError(f"backend.engine_options.{name}: has an option of its own in backend")

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process as its settings, without the engine."""
        return _remake, (self._options,)

    def identity(self) -> dict[str, Any]:
        """Settings that may change a score; they enter the cache key."""
        return {"tokenizer": self._options["tokenizer"]} if self._options["tokenizer"] else {}

    def _start(self) -> Any:
        try:
            from vllm import LLM
        except ImportError as error:
            raise JudgeUnavailable(f"engine vllm cannot be imported ({error}): {INSTALL}") from None
        try:
            return LLM(**self._arguments())
        except (OSError, ValueError, RuntimeError, TypeError, AssertionError) as error:
            raise JudgeUnavailable(f"vllm cannot start {self.model!r}: {one_line(error)}") from error

    def _run(self, engine: Any, prompts: list[list[int]]) -> list[Logits | Failure]:
        from vllm import PoolingParams

        raw = PoolingParams(use_activation=False)
        given = [{"prompt_token_ids": ids} for ids in prompts]
        try:
            outputs = engine.classify(given, pooling_params=raw, use_tqdm=False)
        except (RuntimeError, ValueError) as error:
            return [Failure(Outcome.FAILED, f"vllm: {one_line(error)}")] * len(prompts)
        return [tuple(float(value) for value in output.outputs.probs) for output in outputs]

    def _stop(self, engine: Any) -> None:
        core: Any = getattr(getattr(engine, "llm_engine", None), "engine_core", None)
        if hasattr(core, "shutdown"):
            core.shutdown()

    def _arguments(self) -> dict[str, Any]:
        given = self._options
        arguments = {
            "model": self.model,
            "runner": "pooling",
            "dtype": given["dtype"],
            "gpu_memory_utilization": given["gpu_memory_utilization"],
            "trust_remote_code": given["trust_remote_code"],
            "revision": self.revision or None,
            "tokenizer": given["tokenizer"] or None,
            "max_model_len": given["context_tokens"] or None,
        }
        return {**arguments, **(given["engine_options"] or {})}


def _remake(options: dict[str, Any]) -> VllmScorer:
    return VllmScorer(**options)
