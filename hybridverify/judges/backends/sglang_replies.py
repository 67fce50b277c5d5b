"""From SGLang's output, dicts with a `meta_info`, to replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridverify.judges.base import Reply


def read_replies(outputs: Any, draws: int, tokenizer: Any, seconds: float) -> list[Reply]:
    """One reply for each prompt. The draws of one prompt are neighbours in `outputs`.

    Raises KeyError, TypeError or ValueError for malformed output.
    """
    every: Sequence[Mapping[str, Any]] = [outputs] if isinstance(outputs, Mapping) else outputs
    if len(every) % draws:
        raise ValueError(f"{len(every)} outputs cannot be {draws} draws a prompt")
    share = seconds * draws / max(1, len(every))
    return [_reply(every[at : at + draws], tokenizer, share) for at in range(0, len(every), draws)]


def _reply(outputs: Sequence[Mapping[str, Any]], tokenizer: Any, seconds: float) -> Reply:
    facts = [output["meta_info"] for output in outputs]
    positions = facts[0].get("output_top_logprobs") or ()
    chosen = facts[0].get("output_token_logprobs") or ()
    return Reply(
        texts=tuple(str(output["text"]) for output in outputs),
        finish_reasons=tuple(_reason(fact.get("finish_reason")) for fact in facts),
        logprobs=tuple(
            _top([*(top or ()), *chosen[place : place + 1]], tokenizer) for place, top in enumerate(positions)
        ),
        prompt_tokens=int(facts[0].get("prompt_tokens", 0)),
        output_tokens=sum(int(fact.get("completion_tokens", 0)) for fact in facts),
        seconds=seconds,
    )


def _reason(said: Any) -> str:
    return str(said.get("type", "")) if isinstance(said, Mapping) else str(said or "")


def _top(entries: Sequence[Sequence[Any]], tokenizer: Any) -> dict[str, float]:
    """Token text to log-probability, from triples (log-probability, id, text or None)."""
    top: dict[str, float] = {}
    for logprob, token, text in sorted(entries, key=lambda entry: -entry[0]):
        top.setdefault(text if text is not None else str(tokenizer.decode([token])), float(logprob))
    return top
