"""Reads cells of a trainer's rows as text, references, questions and meta, whatever their shape. Nothing is changed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from hybridverify.records.cells import references
from hybridverify.scalars import int_text, plain

MAPPINGS = (dict, Mapping)
"""For speed: testing for a dict first takes a tenth of the time of testing for the abstract class."""


def references_of(value: Any) -> tuple[str, ...]:
    """A ground truth of any shape as references. A value that is no reference gives none, and the row is not graded.

    >>> references_of(4.0), references_of(["4", None, "four"]), references_of(None)
    (('4',), ('4', 'four'), ())
    """
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(filter(None, map(text_of, references(value))))


def question_of(prompt: object) -> str:
    """The last user turn of a chat (verl's `raw_prompt`), or a prompt that is text.

    >>> question_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}])
    '2+2?'
    """
    if isinstance(prompt, str):
        return prompt
    asked = [turn for turn in _items(prompt) if isinstance(turn, MAPPINGS) and turn.get("role") == "user"]
    return _content_text(asked[-1].get("content")) if asked else ""


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in _items(content) if isinstance(part, Mapping)]
    return "\n".join(part for part in parts if isinstance(part, str))


def text_of(value: Any) -> str:
    """A cell as text; "" for absent, NaN and structured values."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, int):  # and truth values
        return int_text(value)
    if hasattr(value, "tolist") and getattr(value, "ndim", 1) == 0:
        return text_of(plain(value))
    return ""


def _float_text(value: float) -> str:
    if not math.isfinite(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def meta_of(extra: Any, rm_prompt: Any = None) -> dict[str, Any]:
    """The fields that templates and users' rules may declare. Verdicts are cached only by the declared keys, so
    fields that verl writes into `extra_info` in every step (turns, rollout scores) cost no cache hit."""
    meta: dict[str, Any] = {}
    if isinstance(extra, MAPPINGS):
        meta["extra_info"] = extra
        if criteria := _criteria(extra.get("criteria")):
            meta["criteria"] = criteria
    if rm_prompt is not None and (text := text_of(rm_prompt) or question_of(rm_prompt)):
        meta["rm_prompt"] = text
    return meta


def _criteria(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, Mapping)) else ""


def _items(value: Any) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, (list, tuple)) else []
