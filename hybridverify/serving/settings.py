"""The settings of a judge server, checked before anything is started."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hybridverify.errors import ConfigError

_OURS = ("--model", "--model-path", "--host", "--port", "--served-model-name")
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


@dataclass(frozen=True)
class ServeSettings:
    """Settings that every engine has under some name. 0 and "" leave a choice to the engine.

    Raises ConfigError naming the option that is wrong.
    """

    model: str
    host: str = "127.0.0.1"
    port: int = 8000
    """0 takes any free port."""
    tensor_parallel_size: int = 0
    gpu_memory_utilization: float = 0.0
    dtype: str = ""
    quantization: str = ""
    max_model_len: int = 0
    revision: str = ""
    served_model_name: str = ""
    extra: tuple[str, ...] = ()
    """More arguments, in the engine's spelling. They come last and override others."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ConfigError("--model: name a model or its folder")
        if self.model.startswith(("/", "./", "../")) and not os.path.exists(self.model):
            raise ConfigError(f"--model: there is no folder {self.model}")
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"--port: {self.port} is not between 0 and 65535")
        if not 0 <= self.gpu_memory_utilization <= 1:
            raise ConfigError(f"--gpu-memory-utilization: {self.gpu_memory_utilization:g} is no share of 1")
        for name in ("tensor_parallel_size", "max_model_len"):
            if getattr(self, name) < 0:
                raise ConfigError(f"--{name.replace('_', '-')}: {getattr(self, name)} is below 0")
        for argument in self.extra:
            if argument.partition("=")[0] in _OURS:
                raise ConfigError(f"{argument}: comes before the --, not after it")

    @property
    def name(self) -> str:
        """The model name for requests."""
        return self.served_model_name or self.model

    @property
    def reached_at(self) -> str:
        """The host as a client on this machine reaches it.

        >>> ServeSettings("m", host="0.0.0.0").reached_at
        '127.0.0.1'
        """
        return _ANY_ADDRESS.get(self.host, self.host)

    @property
    def base_url(self) -> str:
        """
        >>> ServeSettings("m", host="::1").base_url
        'http://[::1]:8000/v1'
        """
        host = f"[{self.reached_at}]" if ":" in self.reached_at else self.reached_at
        return f"http://{host}:{self.port}/v1"
