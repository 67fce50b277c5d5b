"""Batches that do not fit into torch's memory."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import TypeVar

from hybridverify.judges.backends.token_batches import Prompts
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.base import Failure
from hybridverify.types import Outcome

T = TypeVar("T")
OUT_OF_MEMORY = Failure(
    Outcome.FAILED, "out of memory; lower backend.max_batch_tokens or take a smaller model"
)


def run_or_halve(
    run: Callable[[Prompts], Sequence[T]], prompts: Prompts, halve: bool = True
) -> list[T | Failure]:
    """The results of `run` for one batch. A batch that does not fit into memory is halved once."""
    try:
        return list(run(prompts))
    except (RuntimeError, MemoryError) as error:
        failure = OUT_OF_MEMORY if out_of_memory(error) else Failure(Outcome.FAILED, one_line(error))
    # Outside the handler: its error holds the tensors that did not fit.
    free_memory()
    if failure is not OUT_OF_MEMORY or not halve or len(prompts) < 2:
        return [failure] * len(prompts)
    middle = (len(prompts) + 1) // 2
    halves = (prompts[:middle], prompts[middle:])
    return [result for half in halves for result in run_or_halve(run, half, False)]


def out_of_memory(error: BaseException) -> bool:
    """Whether torch ran out of memory. On a GPU this is an exception of its own, on a CPU a RuntimeError."""
    text = str(error).lower()
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text)
    )


def free_memory() -> None:
    """Free the memory that torch holds for models that are gone."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
