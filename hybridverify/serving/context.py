"""The context length of a judge server in tokens: what the preset needs, limited by the model.

A server that is started for a model's full context keeps memory for prompts that no judge ever gets.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hybridverify.judges.presets import Preset

_ANSWER_PROMPT_TOKENS = 4096  # tokens for question, reference and an extracted answer
_RESPONSE_PROMPT_TOKENS = 14_336  # the same with a whole response: 16,384 together with a reply of 2,048
_STEP = 1024
_LIMIT_NAMES = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length")
_NO_LIMIT = 10**8  # tokenizers without one say 10^30


def context_need(preset: Preset) -> int:
    """Tokens of prompt and reply together.

    >>> from hybridverify.judges.presets import preset
    >>> context_need(preset("tinyv")), context_need(preset("general_verifier"))
    (4096, 6144)
    """
    if preset.context_tokens:
        return preset.context_tokens
    whole = "response" in preset.fields
    need = preset.sampling.max_tokens + (_RESPONSE_PROMPT_TOKENS if whole else _ANSWER_PROMPT_TOKENS)
    return -(-need // _STEP) * _STEP


def model_limit(model: str, revision: str = "") -> int:
    """The model's context length in its own files; 0 if they are not on this machine yet."""
    config = _read(model, revision, "config.json")
    text = config.get("text_config")
    found = [part.get(name) for part in (config, text) if isinstance(part, dict) for name in _LIMIT_NAMES]
    if not any(found):
        return 0
    found.append(_read(model, revision, "tokenizer_config.json").get("model_max_length"))
    return min((number for number in map(_count, found) if number), default=0)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < _NO_LIMIT:
        return 0
    return int(value)


def _read(model: str, revision: str, name: str) -> dict[str, Any]:
    """The file of that name in the model's folder or in the hub's cache; "" if there is none."""
    path = Path(model, name) if Path(model).is_dir() else _cached(model, revision, name)
    try:
        content = json.loads(path.read_text(encoding="utf-8")) if path else {}
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _cached(model: str, revision: str, name: str) -> Path | None:
    """Uses no network: without one the hub gives up after 20 s, and the engine will load the file anyway."""
    try:
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(model, name, revision=revision or None)
    except (ImportError, ValueError):  # ValueError: the hub cannot have this name
        return None
    return Path(found) if isinstance(found, str) else None
