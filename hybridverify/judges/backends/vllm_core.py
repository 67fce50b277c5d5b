"""What a `vllm.LLM` is asked beside its prompts: to wake, to end, how much it has to do, whether it has ended.

Attributes that a version of vLLM lacks are no error here: less is known then.
"""

from __future__ import annotations

from typing import Any


def wake(llm: Any, level: int) -> None:
    """Wake from level 2, which dropped the weights: allocate their memory, load them, then allocate the cache."""
    if level < 2:
        llm.wake_up()
        return
    llm.wake_up(tags=["weights"])
    llm.collective_rpc("reload_weights")
    llm.wake_up(tags=["kv_cache"])


def unfinished(llm: Any) -> int:
    """The number of requests in the engine. It changes as long as the engine works."""
    count = getattr(getattr(llm, "llm_engine", None), "get_num_unfinished_requests", None)
    return int(count()) if count is not None else 0


def is_gone(llm: Any) -> bool:
    """Whether a process of the engine has ended. vLLM's own check does not wake a caller that already waits for a
    reply."""
    resources = getattr(_core(llm), "resources", None)
    processes = getattr(getattr(resources, "engine_manager", None), "processes", None) or ()
    return bool(getattr(resources, "engine_dead", False)) or any(not one.is_alive() for one in processes)


def is_in_process(llm: Any) -> bool:
    """Whether the engine works in this process; else it has one of its own, and its memory goes with it."""
    return hasattr(_core(llm), "engine_core")


def shut_down(llm: Any) -> None:
    """End the engine, where this vLLM can be told to."""
    core = _core(llm)
    if hasattr(core, "shutdown"):
        core.shutdown()


def _core(llm: Any) -> Any:
    return getattr(getattr(llm, "llm_engine", None), "engine_core", None)
