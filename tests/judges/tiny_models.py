"""Small random models for the tests that need torch: a Llama of two layers and a byte tokenizer, made on the spot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ("<|end|>", "<|pad|>", "<|system|>", "<|user|>", "<|assistant|>")
VOCABULARY = 512
CONTEXT = 256


def byte_tokenizer() -> Any:
    """A tokenizer of bytes with the marks of a chat."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(
        models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


def save_fast_tokenizer(folder: Path) -> None:
    """The tokenizer's files, without transformers."""
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE}))


def save_tokenizer(folder: Path, template: str = TEMPLATE) -> Any:
    """The tokenizer as transformers saves it."""
    from transformers import PreTrainedTokenizerFast

    fast = PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer(), eos_token=SPECIAL[0], pad_token=SPECIAL[1]
    )
    if template:
        fast.chat_template = template
    fast.save_pretrained(str(folder))
    return fast


def settings(**changes: Any) -> Any:
    """The configuration of the Llama."""
    from transformers import LlamaConfig

    chosen = {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": CONTEXT,
        "eos_token_id": 256,
        "pad_token_id": 257,
        "bos_token_id": None,
        # Large weights: replies differ from prompt to prompt, which those of a freshly made model do not.
        "initializer_range": 0.3,
        **changes,
    }
    return LlamaConfig(**chosen)


def save_causal_model(folder: Path, template: str = TEMPLATE, **changes: Any) -> str:
    """A folder with a random causal model and its tokenizer."""
    import torch
    from transformers import LlamaForCausalLM

    torch.manual_seed(7)
    LlamaForCausalLM(settings(**changes)).save_pretrained(str(folder))
    save_tokenizer(folder, template)
    return str(folder)


def save_classifier(folder: Path, labels: int = 1, template: str = TEMPLATE, **changes: Any) -> str:
    """A folder with a random sequence classifier and its tokenizer."""
    import torch
    from transformers import LlamaForSequenceClassification

    torch.manual_seed(11)
    LlamaForSequenceClassification(settings(num_labels=labels, **changes)).save_pretrained(str(folder))
    save_tokenizer(folder, template)
    return str(folder)
