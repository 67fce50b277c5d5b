"""verl's rows as samples: lengths, texts and columns. Works on NumPy arrays and on torch tensors.

Everything that a row may lack can be absent, and the data set's own dicts are not changed. Work for the whole batch
is done once: texts are decoded in one call, and the rows of a group, which share their cells, are read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

import numpy as np
from hybridverify.adapters.cells import MAPPINGS, meta_of, question_of, references_of, text_of
from hybridverify.adapters.decoding import decoded
from hybridverify.adapters.own_tokens import array, masks_of, own_texts

from hybridverify.types import Sample

CELLS = ("reward_model", "extra_info", "raw_prompt", "rm_prompt")
"""Columns beside the data source that belong to a row's question."""


@dataclass(frozen=True)
class Rows:
    """Rows of a batch, one list a column: the sample, how many tokens it has, and its group.

    `problems` says, by index, why a row could not be read. Such a row is not graded.
    """

    samples: list[Sample]
    response_tokens: list[int]
    groups: list[Any]
    """Cells of `uid`; "" if there are none."""
    problems: dict[int, str] = field(default_factory=dict)
    cut: int = 0
    """How many rows are graded without the text of tools (own_tokens.py)."""


def rows_of(
    data: Any,
    tokenizer: Any,
    source_key: str = "data_source",
    drop_tool_tokens: bool | str = False,
    part: slice = slice(None),
) -> Rows:
    """The rows of a DataProto, or a `part` of them. Raises nothing: a row that cannot be read is kept, with its
    problem."""
    first, last, _ = part.indices(len(data))
    tokens = [0] * (last - first)
    try:
        tokens = response_tokens(data, part)
        samples = _samples(data, tokenizer, source_key, part)
        texts, cut = _responses(data, tokenizer, drop_tool_tokens, part, tokens)
        groups = _column(data, "uid", part) or [""] * len(tokens)
        return Rows(list(map(Sample.answered, samples, texts)), tokens, groups, cut=cut)
    except Exception as error:  # the border to a trainer: find the bad row, keep the others
        if len(tokens) == 1:
            return Rows([Sample("", ())], tokens, [""], {0: f"{type(error).__name__}: {error}"})
    each = [
        rows_of(data, tokenizer, source_key, drop_tool_tokens, slice(i, i + 1)) for i in range(first, last)
    ]
    return Rows(
        [row.samples[0] for row in each],
        [row.response_tokens[0] for row in each],
        [row.groups[0] for row in each],
        {i: row.problems[0] for i, row in enumerate(each) if row.problems},
        sum(row.cut for row in each),
    )


def response_tokens(data: Any, part: slice = slice(None)) -> list[int]:
    """The number of valid tokens of each response, shape (rows,).

    Streaming rows of several outputs are right-padded together, prompt and response as one. There the end of the mask
    does not tell, and `response_len` is exact.
    """
    width = int(data.batch["responses"].shape[-1])
    masked = _masked(data, part, width)
    exact = _column(data, "response_len", part)
    if not exact:
        return masked
    return [
        valid if count is None else max(0, min(int(count), width))
        for valid, count in zip(masked, exact, strict=True)
    ]


def _masked(data: Any, part: slice, width: int) -> list[int]:
    """The same by the attention mask, whose last `width` places are those of the response."""
    if not _has(data, "attention_mask"):
        return [width] * len(data.batch["responses"][part])
    mask = array(data.batch["attention_mask"][part])
    counts: list[int] = mask[:, mask.shape[-1] - width :].sum(-1, dtype=np.int64).tolist()
    return counts


def _samples(data: Any, tokenizer: Any, source_key: str, part: slice) -> list[Sample]:
    """The rows as samples without a response. Rows that share their cells share one."""
    count = len(data.batch["responses"][part])
    columns = [_column(data, name, part) for name in (source_key, *CELLS)]
    firsts, places = _places([column for column in columns if column], count)
    asked = {place: _asked(*(column[place] if column else None for column in columns)) for place in firsts}
    samples = list(map(asked.__getitem__, places))
    if all(sample.question for sample in asked.values()):
        return samples
    return _with_prompts(samples, data, tokenizer, part)


def _places(columns: Sequence[list[Any]], count: int) -> tuple[list[int], list[int]]:
    """The rows that are the first with their cells, and for each row the first one with the very same objects."""
    rows = zip(*(map(id, column) for column in columns), strict=True) if columns else repeat((), count)
    first: dict[tuple[int, ...], int] = {}
    places = list(map(first.setdefault, rows, range(count)))
    return list(first.values()), places


def _asked(source: Any, reward_model: Any, extra: Any, prompt: Any, rm_prompt: Any) -> Sample:
    question = question_of(prompt)
    if not question and isinstance(extra, MAPPINGS):
        question = text_of(extra.get("question"))
    references = references_of(
        reward_model.get("ground_truth") if isinstance(reward_model, MAPPINGS) else None
    )
    return Sample(
        response="",
        reference=references[0] if len(references) == 1 else references,
        question=question,
        data_source=text_of(source),
        meta=meta_of(extra, rm_prompt),
    )


def _with_prompts(samples: list[Sample], data: Any, tokenizer: Any, part: slice) -> list[Sample]:
    """Rows whose columns hold no question get the decoded prompt."""
    bare = [i for i, sample in enumerate(samples) if not sample.question]
    if bare and _has(data, "prompts"):
        prompts = _prompts(data, part)
        for i, text in zip(bare, decoded(tokenizer, [prompts[i] for i in bare]), strict=True):
            samples[i] = replace(samples[i], question=text)
    return samples


def _prompts(data: Any, part: slice) -> list[Any]:
    """The valid token ids of each prompt."""
    ids = array(data.batch["prompts"][part])
    exact = _column(data, "prompt_len", part)
    if exact:  # streaming rows are padded on the right
        return [row if count is None else row[: int(count)] for row, count in zip(ids, exact, strict=True)]
    if not _has(data, "attention_mask"):
        return list(ids)
    mask = array(data.batch["attention_mask"][part])[:, : ids.shape[-1]]
    return [row[valid] for row, valid in zip(ids, mask != 0, strict=True)]


def _responses(
    data: Any, tokenizer: Any, drop_tool_tokens: bool | str, part: slice, tokens: Sequence[int]
) -> tuple[list[str], int]:
    """The texts, and how many of them leave out text of tools."""
    ids = array(data.batch["responses"][part])
    masks = masks_of(data, part, ids.shape[-1]) if drop_tool_tokens else []
    rows = [row[:n] for row, n in zip(ids, tokens, strict=True)]
    return own_texts(tokenizer, rows, masks, drop_tool_tokens)


def _column(data: Any, name: str, part: slice) -> list[Any]:
    """The cells of a column; empty if there is no such column."""
    values = data.non_tensor_batch.get(name)
    return [] if values is None else list(values[part])


def _has(data: Any, name: str) -> bool:
    return name in data.batch.keys()  # noqa: SIM118 - a TensorDict refuses `in` without keys()
