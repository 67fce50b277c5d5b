"""Translates a `Sampling` for vLLM, whose releases differ."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.base import Sampling


def sampling_params(sampling: Sampling, choice: Sequence[str] = (), ids_only: bool = True) -> Any:
    """vLLM's parameters. With `ids_only` no text is made, unless a stop string has to be looked for.

    Raises JudgeUnavailable if this vLLM cannot restrict replies to a choice.
    """
    from vllm import SamplingParams

    known = inspect.signature(SamplingParams).parameters
    given: dict[str, Any] = {
        "n": sampling.n,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "detokenize": not ids_only or bool(sampling.stop),
    }
    if sampling.temperature > 0.0:
        given["seed"] = sampling.seed
    if sampling.stop:
        given["stop"] = list(sampling.stop)
    if sampling.logprobs:
        given["logprobs"] = sampling.logprobs
        if sampling.max_tokens > 1 and "flat_logprobs" in known:
            given["flat_logprobs"] = True  # numbers in lists, not an object for each
    if choice:
        given["structured_outputs"] = _bound_to(choice, "structured_outputs" in known)
    if "skip_clone" in known:
        # These objects are private. vLLM's deep copy for each request is half of the cost of adding a request.
        given["skip_clone"] = True
    return SamplingParams(**given)


def _bound_to(choice: Sequence[str], known: bool) -> Any:
    """Not by `guided_choice`: newer releases ignore it without a warning."""
    from vllm import sampling_params

    kind = getattr(sampling_params, "StructuredOutputsParams", None)
    if kind is None or not known:
        raise JudgeUnavailable(
            "backend.choice needs a vLLM that knows structured_outputs (0.11 or newer)", Fault.SETTINGS
        )
    return kind(choice=list(choice))
