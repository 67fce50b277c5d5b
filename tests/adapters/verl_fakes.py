"""A DataProto and a tokenizer as far as the adapters look, of NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PAD = 0
"""Id 0 is a real character here, as in real vocabularies: padding that leaks into a text shows."""


class CharTokenizer:
    """One id a character; `refuses` makes decoding of that character fail."""

    name_or_path = "fake/policy"

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses

    def encode(self, text: str) -> list[int]:
        return [ord(character) - 32 for character in text]

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = False) -> str:
        text = "".join(chr(i + 32) for i in ids)
        if self.refuses and self.refuses in text:
            raise ValueError("this id is not in the vocabulary")
        return text

    def batch_decode(self, rows: Sequence[Sequence[int]], skip_special_tokens: bool = False) -> list[str]:
        return [self.decode(ids, skip_special_tokens) for ids in rows]


@dataclass
class FakeProto:
    """`batch`, `non_tensor_batch`, `meta_info`, length and slices."""

    batch: dict[str, Any]
    non_tensor_batch: dict[str, Any]
    meta_info: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.batch.values())))

    def __getitem__(self, rows: slice) -> FakeProto:
        return FakeProto(
            {name: values[rows] for name, values in self.batch.items()},
            {name: values[rows] for name, values in self.non_tensor_batch.items()},
            self.meta_info,
        )


def batch_of(rows: Sequence[tuple[str, str, Any]], group_size: int = 2) -> FakeProto:
    """(prompt, response, ground truth) as the trainer lays them out: prompts padded left, responses right."""
    tokenizer = CharTokenizer()
    prompts = [tokenizer.encode(prompt) for prompt, _, _ in rows]
    responses = [tokenizer.encode(response) for _, response, _ in rows]
    p = max(map(len, prompts))
    r = max(8, *(len(ids) + 1 for ids in responses))
    n = len(rows)
    batch = {
        "prompts": np.full((n, p), PAD),
        "responses": np.full((n, r), PAD),
        "attention_mask": np.zeros((n, p + r), dtype=np.int64),
    }
    for i in range(n):
        batch["prompts"][i, p - len(prompts[i]) :] = prompts[i]
        batch["responses"][i, : len(responses[i])] = responses[i]
        batch["attention_mask"][i, p - len(prompts[i]) : p + len(responses[i])] = 1
    columns = {
        "data_source": object_column(["openai/gsm8k"] * n),
        "reward_model": object_column([{"style": "rule", "ground_truth": truth} for _, _, truth in rows]),
        "extra_info": object_column([{"index": i} for i in range(n)]),
        "raw_prompt": object_column([[{"role": "user", "content": prompt}] for prompt, _, _ in rows]),
        "uid": object_column([f"u{i // group_size}" for i in range(n)]),
    }
    return FakeProto(batch, columns)


def object_column(values: Sequence[Any]) -> Any:
    """An object array of one dimension, whatever the values are."""
    column = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        column[i] = value
    return column
