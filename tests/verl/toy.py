"""Small material for real verl: a tokenizer of characters, and batches laid out as the trainer lays them out."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from verl import DataProto

PROMPT_WIDTH, RESPONSE_WIDTH = 32, 64

# prompt, response, ground truth; every second row is right
SUMS = [
    ("What is 3+4?", "Three and four make #### 7", "7"),
    ("What is 3+5?", "It must be #### 9", "8"),
    ("What is 6*9?", "Six nines, a longer way to say #### 54", "54"),
    ("What is 2*8?", "no idea at all", "16"),
]
SUM_SCORES = [1.0, 0.0, 1.0, 0.0]

# answers that rules cannot decide, so that a judge is asked
WORDS = [
    ("Who wrote it?", "The author is the bard of Avon", "William Shakespeare"),
    ("Who painted it?", "The painter is the master from Vinci", "Leonardo"),
    ("Where is it?", "The place is the city of light", "Paris"),
    ("Where was he?", "The place is the eternal city", "Rome"),
]


def save_tokenizer(folder: Path) -> Any:
    """A tokenizer with one token a character, saved like any model folder. Id 0 is the digit 7, so that zero
    padding that leaks into a text changes its score instead of vanishing."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = ["7", *(chr(code) for code in range(32, 127) if chr(code) != "7"), "\n"]
    special = ["<pad>", "<eos>", "<bos>", "<unk>"]
    core = Tokenizer(
        models.WordLevel({token: i for i, token in enumerate(letters + special)}, unk_token="<unk>")
    )
    core.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    core.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", bos_token="<bos>", unk_token="<unk>"
    )
    tokenizer.chat_template = "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}"
    tokenizer.save_pretrained(folder)
    return tokenizer


def batch_of(
    tokenizer: Any, rows: Sequence[tuple[str, str, Any]], source: str = "toy/sums", group_size: int = 2
) -> Any:
    """(prompt, response, ground truth) as a DataProto: prompts padded on the left, responses on the right."""
    n, pad = len(rows), tokenizer.pad_token_id
    prompts = torch.full((n, PROMPT_WIDTH), pad)
    responses = torch.full((n, RESPONSE_WIDTH), pad)
    mask = torch.zeros(n, PROMPT_WIDTH + RESPONSE_WIDTH, dtype=torch.long)
    for i, (prompt, response, _) in enumerate(rows):
        asked = tokenizer.encode(prompt)[-PROMPT_WIDTH:]
        said = [*tokenizer.encode(response), tokenizer.eos_token_id][:RESPONSE_WIDTH] if response else []
        prompts[i, PROMPT_WIDTH - len(asked) :] = torch.tensor(asked)
        responses[i, : len(said)] = torch.tensor(said, dtype=responses.dtype)
        mask[i, PROMPT_WIDTH - len(asked) : PROMPT_WIDTH + len(said)] = 1
    tensors = {
        "prompts": prompts,
        "responses": responses,
        "attention_mask": mask,
        "input_ids": torch.cat([prompts, responses], 1),
        "position_ids": (mask.cumsum(1) - 1).clamp(min=0),
        "response_mask": mask[:, PROMPT_WIDTH:].clone(),
    }
    columns = {
        "data_source": objects([source] * n),
        "reward_model": objects([{"style": "rule", "ground_truth": truth} for _, _, truth in rows]),
        "extra_info": objects([{"index": i} for i in range(n)]),
        "raw_prompt": objects([[{"role": "user", "content": prompt}] for prompt, _, _ in rows]),
        "uid": objects([f"group{i // group_size}" for i in range(n)]),
        "__num_turns__": np.array([2] * n, dtype=np.int32),
    }
    return DataProto(batch=TensorDict(tensors, batch_size=n), non_tensor_batch=columns)


def copied(value: Any) -> Any:
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


def objects(values: Sequence[Any]) -> Any:
    """An object array of one dimension, whatever the values are."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array
