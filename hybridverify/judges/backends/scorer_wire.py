"""The requests and answers of servers of reward models: vLLM's /classify and /pooling, SGLang's /classify.

Pure functions, so that each odd answer is one line in a test.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hybridverify.judges.backends.openai_wire import UnreadableReply
from hybridverify.judges.backends.scorer import Logits

API = Literal["vllm", "vllm_pooling", "sglang"]
APIS: Mapping[str, str] = {"vllm": "/classify", "vllm_pooling": "/pooling", "sglang": "/classify"}
"""The path of each form. It stands beside `/v1`, not below it."""


@dataclass(frozen=True)
class ScoreBody:
    """The prompts of one request: token ids, texts, or a single list of chat messages. `places` are those in the
    caller's batch."""

    kind: Literal["ids", "text", "chat"]
    places: tuple[int, ...]
    prompts: tuple[Any, ...]

    def half(self, start: int, end: int) -> ScoreBody:
        """Some of the prompts, as a body of their own."""
        return ScoreBody(self.kind, self.places[start:end], self.prompts[start:end])


def request_json(body: ScoreBody, api: str, model: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of one request. It asks for raw scores: vLLM would apply the model's own activation."""
    fields: dict[str, Any] = {"model": model}
    if api == "sglang":
        fields["input_ids" if body.kind == "ids" else "text"] = list(body.prompts)
    elif body.kind == "chat":
        fields |= {"messages": body.prompts[0], "add_generation_prompt": False, "use_activation": False}
    else:
        fields |= {"input": list(body.prompts), "use_activation": False}
        if body.kind == "ids":
            fields["add_special_tokens"] = False
    if api == "vllm_pooling":
        fields["task"] = "classify"
    fields.update(extra)
    return {name: value for name, value in fields.items() if value is not None}


def read_scores(answer: Any, api: str, size: int) -> list[Logits]:
    """The raw scores in an answer, one tuple a prompt. Raises UnreadableReply."""
    rows = _rows(answer, api)
    if not isinstance(rows, list) or len(rows) != size or not all(isinstance(row, Mapping) for row in rows):
        raise UnreadableReply(f"the server's answer holds no {size} scores")
    if api != "sglang":
        rows = sorted(rows, key=_index)
    name = {"vllm": "probs", "vllm_pooling": "data"}.get(api, "embedding")
    return [_numbers(row.get(name)) for row in rows]


def _rows(answer: Any, api: str) -> Any:
    if api != "sglang":
        return answer.get("data") if isinstance(answer, Mapping) else None
    return [answer] if isinstance(answer, Mapping) else answer  # a single prompt is answered by an object


def _index(row: Mapping[str, Any]) -> int:
    index = row.get("index", 0)
    return index if isinstance(index, int) else 0


def _numbers(value: Any) -> Logits:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 1:
        inner = value[0]
        value = inner if isinstance(inner, list) else value  # /pooling may nest a row in a list
    if not isinstance(value, list) or not value or not all(map(_is_number, value)):
        raise UnreadableReply("the server's answer holds scores that are no numbers")
    return tuple(float(each) for each in value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
