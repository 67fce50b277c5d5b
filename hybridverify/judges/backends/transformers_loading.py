"""Loads models and tokenizers with transformers: device, dtype, and one line for each kind of fault.

Shared by the backends `transformers` and `classifier`. torch and transformers are imported at the first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hybridverify.errors import ConfigError, Fault, JudgeUnavailable, did_you_mean
from hybridverify.judges.backends.checks import no_own
from hybridverify.judges.backends.render import ChatTokenizer, load_tokenizer

DTYPES = ("auto", "float32", "bfloat16", "float16")
OWN_ARGUMENTS = ("revision", "dtype", "torch_dtype", "trust_remote_code")
"""Arguments of `from_pretrained` that have options of their own."""
INSTALL = "pip install 'hybridverify[transformers]'"
# What the loaders raise: an unknown or gated name is an OSError, an unknown architecture a ValueError,
# a missing helper such as accelerate an ImportError, broken weights and full memory a RuntimeError.
_LOAD_ERRORS = (OSError, ValueError, ImportError, RuntimeError, KeyError, AttributeError, TypeError)


@dataclass(frozen=True)
class ModelSource:
    """Which model is loaded and how. Raises ConfigError naming the option that is wrong."""

    model: str
    revision: str = ""
    tokenizer: str = ""
    dtype: str = "auto"
    device: str = "auto"
    trust_remote_code: bool = False
    model_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model.strip():
            raise ConfigError("backend.model: give a folder, or a model's name on the Hugging Face hub")
        if self.dtype not in DTYPES:
            raise ConfigError(
                f"backend.dtype: no dtype {self.dtype!r}; {did_you_mean(str(self.dtype), DTYPES)}"
            )
        if not isinstance(self.device, str) or not self.device:
            raise ConfigError(f"backend.device: expected auto, cpu, cuda, cuda:1 or mps, got {self.device!r}")
        if not isinstance(self.model_options, Mapping):
            raise ConfigError(f"backend.model_options: expected names and values, got {self.model_options!r}")
        no_own("model_options", self.model_options, OWN_ARGUMENTS)

    @property
    def pinned(self) -> dict[str, Any]:
        """The arguments of `from_pretrained` that are the same for every file."""
        return {"revision": self.revision or None, "trust_remote_code": self.trust_remote_code}


@dataclass
class Loaded:
    """A model in memory, with its tokenizer, its device, and its context length in tokens (0: unknown)."""

    model: Any
    tokenizer: Any
    device: Any
    context_tokens: int


def load(source: ModelSource, auto_class: str) -> Loaded:
    """The model as transformers' `auto_class` loads it, ready for use. Raises JudgeUnavailable, ConfigError."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise JudgeUnavailable(
            f"backend transformers needs torch and transformers ({error}): {INSTALL}", Fault.SETTINGS
        ) from None
    device = _device(source.device)
    name = "dtype" if _version(transformers) >= (4, 56) else "torch_dtype"
    options = {name: _dtype(source.dtype, device), **source.pinned, **source.model_options}
    model = _loading(
        source, lambda: getattr(transformers, auto_class).from_pretrained(source.model, **options)
    )
    if "device_map" not in source.model_options and "quantization_config" not in source.model_options:
        model = _loading(source, lambda: model.to(device))
    model.train(False)
    placed = next(iter(model.parameters()), torch.empty(0)).device
    return Loaded(model, load_decoder(source), placed, context_of(model.config))


def load_decoder(source: ModelSource) -> Any:
    """The tokenizer of transformers, which knows the special tokens. Raises JudgeUnavailable."""
    place = source.tokenizer or source.model
    pinned = source.pinned if not source.tokenizer else {**source.pinned, "revision": None}

    def read() -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(place, **pinned)

    return _loading(source, read)


def load_chat_tokenizer(source: ModelSource) -> ChatTokenizer:
    """The tokenizer that renders and counts, as in the other backends. Raises JudgeUnavailable."""
    place, revision = (source.tokenizer, "") if source.tokenizer else (source.model, source.revision)
    found = _read(place, revision)
    if found is None:
        load_decoder(source)  # fetches the files
        found = _read(place, revision)
    if found is None:
        raise JudgeUnavailable(f"no tokenizer that can be read here belongs to {place!r}", Fault.SETTINGS)
    return found


def context_of(config: Any) -> int:
    """The most tokens of prompt and output that a model was made for; 0 if its settings do not say."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    size = getattr(text, "max_position_embeddings", 0)
    return size if isinstance(size, int) and size > 0 else 0


def known_context(source: ModelSource) -> int:
    """`context_of` for the model's settings file alone. Raises JudgeUnavailable."""
    try:
        from transformers import AutoConfig
    except ImportError:
        return 0
    return context_of(_loading(source, lambda: AutoConfig.from_pretrained(source.model, **source.pinned)))


def one_line(error: BaseException, limit: int = 200) -> str:
    """Kind and first line of an error.

    >>> one_line(ValueError("no such thing\\nsecond line"))
    'ValueError: no such thing'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:limit]}" if lines else type(error).__name__


def _loading(source: ModelSource, load_it: Callable[[], Any]) -> Any:
    try:
        return load_it()
    except _LOAD_ERRORS as error:
        full = isinstance(
            error, RuntimeError
        )  # memory that others hold at present, unless it is broken weights
        raise JudgeUnavailable(
            f"transformers cannot load {source.model!r}: {one_line(error)}",
            Fault.ENGINE if full else Fault.SETTINGS,
        ) from error


def _read(place: str, revision: str) -> ChatTokenizer | None:
    try:
        return load_tokenizer(place, revision)
    except ValueError as error:
        message = f"the tokenizer of {place!r} cannot be read: {error}"
        raise JudgeUnavailable(message, Fault.SETTINGS) from error


def _device(name: str) -> Any:
    import torch

    if name == "auto":
        mps = getattr(torch.backends, "mps", None)
        name = "cuda" if torch.cuda.is_available() else "mps" if mps and mps.is_available() else "cpu"
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError, ValueError) as error:
        raise ConfigError(f"backend.device: {name!r} cannot be used: {one_line(error)}") from error


def _dtype(name: str, device: Any) -> Any:
    """The dtype for `auto`: on a GPU the checkpoint's own. On a CPU bfloat16 if the processor computes in it (twice
    as fast as float32 and half the memory, measured on a Zen 4), else float32."""
    import torch

    if name != "auto":
        return getattr(torch, name)
    if device.type != "cpu":
        return "auto"
    return torch.bfloat16 if _cpu_has_bfloat16() else torch.float32


def _cpu_has_bfloat16() -> bool:
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            return any(" avx512_bf16" in line or " amx_bf16" in line for line in file if line[:5] == "flags")
    except OSError:
        return False


def _version(package: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in str(package.__version__).split(".")[:2] if part.isdecimal())
