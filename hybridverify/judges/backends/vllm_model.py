"""Facts about a model before its engine runs, and the engine's tokenizer for files that cannot be read here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hybridverify.judges.backends.render import SlowTokenizer
from hybridverify.judges.backends.transformers_loading import ModelSource, known_context


def context_tokens(source: ModelSource) -> int:
    """The most tokens of prompt and output that the model was made for; 0 if its settings do not say. Raises
    JudgeUnavailable."""
    file = Path(source.model).expanduser() / "config.json"
    if not file.is_file():
        return known_context(source)
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # the engine will report the fault in its own words
        return 0
    for owner in (config.get("text_config"), config) if isinstance(config, dict) else ():
        size = owner.get("max_position_embeddings") if isinstance(owner, dict) else None
        if isinstance(size, int) and size > 0:
            return size
    return 0


def engine_context(llm: Any) -> int:
    """The context length of a running engine in tokens; 0 if it does not say."""
    owner = getattr(llm, "llm_engine", None)
    size = getattr(getattr(owner, "model_config", None), "max_model_len", 0)
    return size if isinstance(size, int) else 0


class EngineTokenizer(SlowTokenizer):
    """The tokenizer of a running engine."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.has_template = bool(getattr(tokenizer, "chat_template", False))

    def encode(self, texts: Sequence[str], add_special_tokens: bool) -> list[list[int]]:
        if callable(self._tokenizer):
            return super().encode(texts, add_special_tokens)
        encode = self._tokenizer.encode  # tokenizers of a special kind for one model
        return [list(encode(text, add_special_tokens=add_special_tokens)) for text in texts]
