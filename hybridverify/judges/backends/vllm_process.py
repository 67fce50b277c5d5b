"""The state that a vLLM engine shares with its process: torch, memory, the garbage collector's heap."""

from __future__ import annotations

import gc
import sys


def set_heap_aside() -> None:
    """Exclude all present objects, a million of torch and vLLM, from garbage collection until `free` is called.

    A full collection visits all of them, which takes .2 to .5 s, and one happened every few batches. vLLM's own
    server does the same after its start.
    """
    gc.collect()
    gc.freeze()


def platform_sleeps() -> bool:
    """Whether vLLM's sleep mode works here. True if this cannot be found out."""
    try:
        from vllm.platforms import current_platform
    except ImportError:
        return True
    available = getattr(current_platform, "is_sleep_mode_available", None)
    return bool(available()) if available is not None else True


def on_cpu() -> bool:
    """Whether vLLM runs on a CPU here. False if this cannot be found out."""
    try:
        from vllm.platforms import current_platform
    except ImportError:
        return False
    is_cpu = getattr(current_platform, "is_cpu", None)
    return bool(is_cpu()) if is_cpu is not None else False


def distributed() -> bool:
    """Whether torch.distributed is set up in this process already, by other code."""
    distributed = sys.modules.get("torch.distributed")
    return bool(distributed is not None and distributed.is_available() and distributed.is_initialized())


def free(distributed_too: bool) -> None:
    """Free the memory that torch keeps, and undo what an engine in this process set up for itself."""
    gc.unfreeze()  # else reference cycles of the engine would never be collected
    gc.collect()
    if distributed_too and "vllm.distributed.parallel_state" in sys.modules:
        state = sys.modules["vllm.distributed.parallel_state"]
        for name in ("destroy_model_parallel", "destroy_distributed_environment"):
            getattr(state, name, lambda: None)()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
