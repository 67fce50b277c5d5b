"""The policy of `demo.py`: a causal language model of a few million parameters, made from a configuration.

Its tokenizer has one token for each piece of text that questions and answers are made of. Sampling is the one part of
the loop that is not verl's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from demo_task import PIECES, draw_question, shown_answer
from verl.utils.torch_functional import get_response_mask

PROMPT_WIDTH, RESPONSE_WIDTH = 6, 6
WARM_ROWS = 64
WARM_RATE = 1e-3


def make_tokenizer(folder: Path) -> Any:
    """Saved in a folder as well: verl's workers load a tokenizer by its path."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "<eos>", "<unk>"]
    core = Tokenizer(
        models.WordLevel({piece: i for i, piece in enumerate([*special, *PIECES])}, unk_token="<unk>")
    )
    pieces = "|".join(_escaped(piece) for piece in sorted(PIECES, key=len, reverse=True))
    core.pre_tokenizer = pre_tokenizers.Split(Regex(pieces), "isolated")
    core.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    tokenizer.save_pretrained(folder)
    return tokenizer


def make_model(tokenizer: Any, layers: int = 3, width: int = 256) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=width,
            intermediate_size=3 * width,
            num_hidden_layers=layers,
            num_attention_heads=4,
            max_position_embeddings=PROMPT_WIDTH + RESPONSE_WIDTH,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def warm_start(model: Any, tokenizer: Any, steps: int, draw: random.Random) -> None:
    """Teach the form of answers, and little of the truth (demo_task.SHARE_RIGHT)."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=WARM_RATE, weight_decay=0.0)
    for _ in range(steps):
        questions = [draw_question(draw) for _ in range(WARM_ROWS)]
        prompts = encode_prompts(tokenizer, [question.text for question in questions])
        responses = encode_responses(tokenizer, [shown_answer(question, draw) for question in questions])
        mask = responses != tokenizer.pad_token_id
        logits = response_logits(model, tokenizer, prompts, responses)
        loss = torch.nn.functional.cross_entropy(logits[mask], responses[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def sample(model: Any, tokenizer: Any, prompts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """One response a prompt at temperature 1, padded on the right, and the log-probability of each token."""
    pad, eos = tokenizer.pad_token_id, tokenizer.eos_token_id
    responses = torch.full((len(prompts), RESPONSE_WIDTH), pad)
    told = torch.zeros(len(prompts), RESPONSE_WIDTH)
    mask, fed, past = (prompts != pad).long(), prompts, None
    alive = torch.ones(len(prompts), dtype=torch.bool)
    for place in range(RESPONSE_WIDTH):
        positions = positions_of(mask)[:, -fed.shape[1] :]
        output = model(
            input_ids=fed, attention_mask=mask, position_ids=positions, past_key_values=past, use_cache=True
        )
        logs, past = output.logits[:, -1].log_softmax(-1), output.past_key_values
        token = torch.multinomial(logs.exp(), 1)
        responses[alive, place] = token[alive, 0]
        told[alive, place] = logs.gather(1, token)[alive, 0]
        mask = torch.cat([mask, alive[:, None].long()], 1)
        alive &= token[:, 0] != eos
        fed = token
        if not alive.any():
            break
    return responses, told


def response_logits(
    model: Any, tokenizer: Any, prompts: torch.Tensor, responses: torch.Tensor
) -> torch.Tensor:
    """What the model says at each token of the responses."""
    ids, mask = torch.cat([prompts, responses], 1), mask_of(tokenizer, prompts, responses)
    output = model(input_ids=ids, attention_mask=mask, position_ids=positions_of(mask), use_cache=False)
    return output.logits[:, prompts.shape[1] - 1 : -1]


def mask_of(tokenizer: Any, prompts: torch.Tensor, responses: torch.Tensor) -> torch.Tensor:
    """A response reaches to its end token, whatever stands before: a policy may say the padding as well."""
    said = get_response_mask(responses, tokenizer.eos_token_id)
    return torch.cat([(prompts != tokenizer.pad_token_id).to(said.dtype), said], 1)


def positions_of(mask: torch.Tensor) -> torch.Tensor:
    return (mask.cumsum(1) - 1).clamp(min=0)


def encode_prompts(tokenizer: Any, texts: Sequence[str]) -> torch.Tensor:
    """Padded on the left."""
    rows = torch.full((len(texts), PROMPT_WIDTH), tokenizer.pad_token_id)
    for row, ids in zip(rows, tokenizer(list(texts))["input_ids"], strict=True):
        row[PROMPT_WIDTH - len(ids) :] = torch.tensor(ids)
    return rows


def encode_responses(tokenizer: Any, texts: Sequence[str]) -> torch.Tensor:
    """Closed by the end token, padded on the right."""
    rows = torch.full((len(texts), RESPONSE_WIDTH), tokenizer.pad_token_id)
    for row, ids in zip(rows, tokenizer(list(texts))["input_ids"], strict=True):
        row[: len(ids) + 1] = torch.tensor([*ids, tokenizer.eos_token_id])
    return rows


def _escaped(text: str) -> str:
    """For the pattern language of the package tokenizers."""
    return "".join(letter if letter.isalnum() else f"\\x{{{ord(letter):x}}}" for letter in text)
