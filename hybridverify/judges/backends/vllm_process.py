"""What a vLLM engine shares with the process that it lives in: torch's state, memory, the heap."""

from __future__ import annotations

import gc
import sys


def set_heap_aside() -> None:
    """Take what lives now, a million objects of torch and vLLM, out of the garbage collector's sight until `free`.

    A full collection walks all of them, for .2 to .5 s, and every few batches ran into one. vLLM's own server
    does the same when it has started.
    """
    gc.collect()
    gc.freeze()


def platform_sleeps() -> bool:
    """Whether vLLM's sleep mode works here; True where nobody can say."""
    try:
        from vllm.platforms import current_platform
    except ImportError:
        return True
    available = getattr(current_platform, "is_sleep_mode_available", None)
    return bool(available()) if available is not None else True


def distributed() -> bool:
    """Whether this process has set up torch.distributed already: then it is somebody else's."""
    distributed = sys.modules.get("torch.distributed")
    return bool(distributed is not None and distributed.is_available() and distributed.is_initialized())


def free(distributed_too: bool) -> None:
    """Give back what torch keeps, and what an engine in this very process set up for itself."""
    gc.unfreeze()  # else what the engine leaves behind in cycles would stay for good
    gc.collect()
    if distributed_too and "vllm.distributed.parallel_state" in sys.modules:
        state = sys.modules["vllm.distributed.parallel_state"]
        for name in ("destroy_model_parallel", "destroy_distributed_environment"):
            getattr(state, name, lambda: None)()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
