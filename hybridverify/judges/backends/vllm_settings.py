"""The arguments of a vLLM engine, checked when the judge is made, long before the engine starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import ConfigError
from hybridverify.judges.backends.checks import no_own, switch, whole_number

SLEEP_LEVELS = (0, 1, 2)
OWN_ARGUMENTS = (
    "model",
    "revision",
    "tokenizer",
    "dtype",
    "quantization",
    "tensor_parallel_size",
    "gpu_memory_utilization",
    "max_model_len",
    "max_num_seqs",
    "seed",
    "enforce_eager",
    "trust_remote_code",
    "load_format",
    "enable_sleep_mode",
)
"""Arguments of `vllm.LLM` that have options of their own."""
_TEXTS = ("revision", "tokenizer", "dtype", "quantization", "load_format")
_WHOLE_NUMBERS = (("tensor_parallel_size", 1), ("max_model_len", 0), ("max_num_seqs", 0), ("seed", 0))
"""Options and their least values."""
_SWITCHES = ("trust_remote_code",)


@dataclass(frozen=True)
class EngineSettings:
    """The settings of an engine. Judges with equal settings share one. Raises ConfigError naming the option."""

    model: str
    revision: str = ""
    tokenizer: str = ""
    dtype: str = "auto"
    quantization: str = ""
    tensor_parallel_size: int = 1
    gpu_memory_utilization: float = 0.9
    max_model_len: int = 0
    max_num_seqs: int = 0
    seed: int = 0
    enforce_eager: bool | None = None
    """None leaves it to the device: a CPU starts eager, because compiling takes longer there than most runs."""
    trust_remote_code: bool = False
    load_format: str = "auto"
    sleep_level: int = 0
    engine_args: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model.strip():
            raise ConfigError("backend.model: give a folder, or a model's name on the Hugging Face hub")
        for name in _TEXTS:
            if not isinstance(getattr(self, name), str):
                raise ConfigError(f"backend.{name}: expected text, got {getattr(self, name)!r}")
        for name, least in _WHOLE_NUMBERS:
            whole_number(name, getattr(self, name), least)
        for name in _SWITCHES:
            switch(name, getattr(self, name))
        if self.enforce_eager is not None:
            switch("enforce_eager", self.enforce_eager)
        _check_share(self.gpu_memory_utilization)
        if isinstance(self.sleep_level, bool) or self.sleep_level not in SLEEP_LEVELS:
            raise ConfigError(f"backend.sleep_level: expected 0, 1 or 2, got {self.sleep_level!r}")
        _check_extra(self.engine_args)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `vllm.LLM`. Options at their default are left to vLLM."""
        wanted = {
            "revision": self.revision,
            "tokenizer": self.tokenizer,
            "quantization": self.quantization,
            "max_model_len": self.max_model_len,
            "max_num_seqs": self.max_num_seqs,
            "enable_sleep_mode": self.sleep_level > 0,
        }
        return {
            "model": self.model,
            "dtype": self.dtype,
            "tensor_parallel_size": self.tensor_parallel_size,
            "gpu_memory_utilization": float(self.gpu_memory_utilization),
            "seed": self.seed,
            "trust_remote_code": self.trust_remote_code,
            "load_format": self.load_format,
            **({"enforce_eager": self.enforce_eager} if self.enforce_eager is not None else {}),
            **{name: value for name, value in wanted.items() if value},
            **self.engine_args,
        }

    def on_cpu(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments on a machine without a GPU: eager, unless the user has said how to compile."""
        said = self.enforce_eager is not None or "compilation_config" in self.engine_args
        return dict(arguments) if said else {**arguments, "enforce_eager": True}

    @property
    def key(self) -> str:
        """A key that is equal for equal engines."""
        return json.dumps([self.arguments(), self.sleep_level], sort_keys=True, default=repr)


def _check_share(share: object) -> None:
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0.0 < share <= 1.0:
        raise ConfigError(
            f"backend.gpu_memory_utilization: expected a share above 0, at most 1, got {share!r}"
        )


def _check_extra(extra: object) -> None:
    if not isinstance(extra, Mapping):
        raise ConfigError(f"backend.engine_args: expected names and values, got {extra!r}")
    if "enable_sleep_mode" in extra:
        raise ConfigError("backend.engine_args.enable_sleep_mode: use backend.sleep_level")
    no_own("engine_args", extra, OWN_ARGUMENTS)
