"""One line for each fault of vLLM, with advice.

vLLM raises its own classes, torch's, those of the Hugging Face hub and builtin ones, and they change from release to
release. So the message decides, not the class.
"""

from __future__ import annotations

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.base import Failure
from hybridverify.types import Outcome

INSTALL = "pip install 'hybridverify[vllm]'"
MEMORY = (
    "lower backend.gpu_memory_utilization where others hold the GPU's memory, raise it where the cache is too "
    "small, or lower backend.max_model_len or max_num_seqs"
)
_FULL = (
    "out of memory",
    "no available memory for the cache",
    "desired gpu memory utilization",
    "is larger than the available kv cache memory",
    "maximum number of tokens that can be stored in kv cache",
    "can't allocate memory",
)
_OUT_OF_MEMORY = f"out of memory; {MEMORY}"
_CORE_DIED = f"vLLM's own lines above say why; where it is memory: {MEMORY}"
# Each kind by words of its messages, the narrower first: the message of a gated model is also a 401 of the hub.
_ADVICE: tuple[tuple[tuple[str, ...], str], ...] = (
    (_FULL, _OUT_OF_MEMORY),
    (
        (
            "gated repo",
            "401 client error",
            "403 client error",
            "awaiting a review",
            "you must be authenticated",
        ),
        "the model is gated or private; accept its terms on the hub and log in (hf auth login)",
    ),
    (
        (
            "not a valid model identifier",
            "repository not found",
            "404 client error",
            "invalid repository id",
            "repo id must",
            "no such file or directory",
            "does not appear to have a file named",
            "couldn't connect to",
            "cannot find the requested files",
            "outgoing traffic has been disabled",
            "offline mode is enabled",
            "revision not found",
            "not a valid git identifier",
        ),
        "no such model here; backend.model is a folder, or a name on the Hugging Face hub that can be fetched",
    ),
    (
        (
            "failed to infer device type",
            "no cuda gpus are available",
            "found no nvidia driver",
            "device string must not be empty",
            "libcuda.so",
            "no supported gpu",
            "torch not compiled with cuda",
        ),
        "vLLM finds no GPU here; use backend transformers for small machines, or openai with a server",
    ),
    (("trust_remote_code",), "the model brings code; set backend.trust_remote_code: true if you trust it"),
    (("unexpected keyword argument",), "this vLLM does not know that argument; see backend.engine_args"),
    (("engine core initialization failed", "engine core proc"), _CORE_DIED),
)
_REQUEST_FAULTS = ("VLLMClientError", "VLLMValidationError")
"""Classes for a wrong request in newer releases. Older ones raise ValueError."""
_DEAD = ("EngineDeadError", "EngineGone")
_TOO_LONG = ("maximum model length", "max_model_len", "maximum context length")


class GivenUp(JudgeUnavailable):
    """Another caller gave the engine up, because it failed or hangs. The next use starts a new one."""


def start_failure(model: str, error: BaseException) -> str:
    """Why an engine did not start.

    >>> start_failure("judge-7b", RuntimeError("CUDA out of memory. Tried to allocate 9 GiB"))[:51]
    "vllm cannot start 'judge-7b': out of memory; lower "
    """
    advice = _advice(error)
    told = one_line(error)
    return (
        f"vllm cannot start {model!r}: {advice} ({told})"
        if advice
        else f"vllm cannot start {model!r}: {told}"
    )


def start_fault(error: BaseException) -> Fault:
    """Whose fault it is. Memory may become free when other processes end; a missing model stays missing.

    >>> start_fault(RuntimeError("CUDA out of memory.")).value, start_fault(OSError("404 Client Error.")).value
    ('engine', 'settings')
    """
    return Fault.ENGINE if _advice(error) in ("", _OUT_OF_MEMORY, _CORE_DIED) else Fault.SETTINGS


def request_failure(error: BaseException) -> Failure:
    """The failure for one request that the engine refused."""
    if any(words in str(error).lower() for words in _TOO_LONG):
        return Failure(
            Outcome.TOO_LONG, f"the engine finds the prompt too long ({one_line(error)})", Fault.ROW
        )
    return Failure(Outcome.FAILED, f"vllm: {one_line(error)}", Fault.ROW)


def engine_failure(error: BaseException) -> Failure:
    """The failures for a batch during which the engine itself failed."""
    if any(words in str(error).lower() for words in _FULL):
        return Failure(Outcome.FAILED, f"vllm: out of memory; {MEMORY}")
    return Failure(Outcome.FAILED, f"vllm: {one_line(error)}")


def is_request_fault(error: BaseException) -> bool:
    """Whether a request was wrong, and not the engine."""
    return isinstance(error, (ValueError, TypeError)) or bool(_names(error) & set(_REQUEST_FAULTS))


def is_dead(error: BaseException) -> bool:
    """Whether the engine's process is gone."""
    return bool(_names(error) & set(_DEAD))


def _names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def _advice(error: BaseException) -> str:
    """The advice for an error, found by words in its message and in the messages of its causes."""
    seen: list[str] = []
    link: BaseException | None = error
    while link is not None and len(seen) < 8:
        seen.append(f"{type(link).__name__}: {link}".lower())
        link = link.__cause__ or link.__context__
    for words, advice in _ADVICE:
        if any(word in text for text in seen for word in words):
            return advice
    return ""
