"""verl's rows as samples: lengths, decoding, references, questions. Works on any tensors with slices.

Everything a row may lack is allowed to be absent, and nothing of the data set's own dicts is changed. Torch is
not imported: `batch` needs only `keys`, indexing and `tolist`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridverify.types import Sample


@dataclass(frozen=True)
class Row:
    """One row of a batch: what is graded, where its score goes, and which group it belongs to.

    `problem` says why the row could not be read; such a row is not graded.
    """

    sample: Sample
    response_tokens: int
    group: str = ""
    problem: str = ""


def rows_of(
    data: Any, tokenizer: Any, source_key: str = "data_source", drop_tool_tokens: bool = False
) -> list[Row]:
    """All rows of a DataProto; a row that cannot be read is kept, with its problem."""
    return [row_at(data, i, tokenizer, source_key, drop_tool_tokens) for i in range(len(data))]


def row_at(
    data: Any, i: int, tokenizer: Any, source_key: str = "data_source", drop_tool_tokens: bool = False
) -> Row:
    """Row `i` of a DataProto; raises nothing, whatever the row holds."""
    tokens = 0
    try:
        tokens = response_tokens(data, i)
        sample = _sample(data, i, tokens, tokenizer, source_key, drop_tool_tokens)
        return Row(sample, tokens, text_of(_column(data, "uid", i)))
    except Exception as error:  # the border to a trainer: one strange row must not end a run
        return Row(Sample("", None or ()), tokens, problem=f"{type(error).__name__}: {error}")


def response_tokens(data: Any, i: int) -> int:
    """Valid tokens of response `i`.

    Streaming rows of several outputs are right-padded together, prompt and response as one: there the mask's
    tail says nothing and `response_len` is exact.
    """
    width = int(data.batch["responses"].shape[-1])
    exact = _column(data, "response_len", i)
    if exact is not None:
        return max(0, min(int(exact), width))
    if "attention_mask" not in data.batch.keys():  # noqa: SIM118 - a TensorDict refuses `in` without keys()
        return width
    prompt_width = int(data.batch["prompts"].shape[-1])
    return int(data.batch["attention_mask"][i][prompt_width:].sum())


def _sample(
    data: Any, i: int, tokens: int, tokenizer: Any, source_key: str, drop_tool_tokens: bool
) -> Sample:
    extra = _column(data, "extra_info", i)
    reward_model = _column(data, "reward_model", i)
    return Sample(
        response=_response(data, i, tokens, tokenizer, drop_tool_tokens),
        reference=references_of(reward_model.get("ground_truth") if _is_mapping(reward_model) else None),
        question=_question(data, i, tokenizer, extra),
        data_source=text_of(_column(data, source_key, i)),
        meta=meta_of(extra, rm_prompt=_column(data, "rm_prompt", i)),
    )


def _response(data: Any, i: int, tokens: int, tokenizer: Any, drop_tool_tokens: bool) -> str:
    if not tokens:
        return ""
    ids = _token_ids(data.batch["responses"][i][:tokens])
    if drop_tool_tokens and "response_mask" in data.batch.keys():  # noqa: SIM118
        mask = _token_ids(data.batch["response_mask"][i][:tokens])
        ids = [token for token, own in zip(ids, mask, strict=False) if own]
    return str(tokenizer.decode(ids, skip_special_tokens=True))


def _question(data: Any, i: int, tokenizer: Any, extra: Any) -> str:
    asked = question_of(_column(data, "raw_prompt", i))
    if asked:
        return asked
    given = extra.get("question") if _is_mapping(extra) else None
    return text_of(given) or _decoded_prompt(data, i, tokenizer)


def _decoded_prompt(data: Any, i: int, tokenizer: Any) -> str:
    if "prompts" not in data.batch.keys():  # noqa: SIM118
        return ""
    prompt = data.batch["prompts"][i]
    ids = _token_ids(prompt)
    exact = _column(data, "prompt_len", i)
    if exact is not None:  # streaming rows are padded on the right
        ids = ids[: int(exact)]
    elif "attention_mask" in data.batch.keys():  # noqa: SIM118
        mask = _token_ids(data.batch["attention_mask"][i][: len(ids)])
        ids = [token for token, valid in zip(ids, mask, strict=False) if valid]
    return str(tokenizer.decode(ids, skip_special_tokens=True))


def _column(data: Any, name: str, i: int) -> Any:
    values = data.non_tensor_batch.get(name)
    return None if values is None else values[i]


def _token_ids(tensor: Any) -> list[int]:
    return list(tensor.tolist() if hasattr(tensor, "tolist") else tensor)


def question_of(prompt: object) -> str:
    """The last user turn of a chat (verl's `raw_prompt`), or a prompt that is text already.

    >>> question_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}])
    '2+2?'
    """
    if isinstance(prompt, str):
        return prompt
    turns = _items(prompt)
    asked = [turn for turn in turns if _is_mapping(turn) and turn.get("role") == "user"]
    return _content_text(asked[-1].get("content")) if asked else ""


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in _items(content) if _is_mapping(part)]
    return "\n".join(part for part in parts if isinstance(part, str))


def references_of(value: Any) -> tuple[str, ...]:
    """A ground truth of any shape as references; what is no reference gives none, which nobody can grade.

    >>> references_of(4.0), references_of(["4", None, "four"]), references_of(None)
    (('4',), ('4', 'four'), ())
    """
    if hasattr(value, "tolist"):  # arrays and scalars of NumPy and torch
        value = value.tolist()
    if _is_mapping(value):
        value = value.get("target", value.get("ground_truth"))  # the layout of search and QA data sets
        return () if _is_mapping(value) else references_of(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        return tuple(text for item in value for text in references_of(item))
    text = text_of(value)
    return (text,) if text else ()


def text_of(value: Any) -> str:
    """A cell as text; absent, not a number and structured values are no text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, int):
        return str(value)
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return text_of(value.item())
    return ""


def _float_text(value: float) -> str:
    if not math.isfinite(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def meta_of(extra: Any, rm_prompt: Any = None) -> dict[str, Any]:
    """What templates and users' rules may declare. Verdicts are cached by the keys they declare alone, so
    that fields verl writes into `extra_info` on every step (turns, rollout scores) cost no cache hit."""
    meta: dict[str, Any] = {}
    if _is_mapping(extra):
        meta["extra_info"] = extra
        if criteria := _criteria(extra.get("criteria")):
            meta["criteria"] = criteria
    if text_of(rm_prompt):
        meta["rm_prompt"] = text_of(rm_prompt)
    return meta


def _criteria(value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, Mapping)) else ""


def _items(value: Any) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, (list, tuple)) else []


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)
