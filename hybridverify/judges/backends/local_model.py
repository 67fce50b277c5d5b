"""What engines in this process have in common: how they travel, and what is known of a model from its files."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.render import ChatTokenizer, token_counts
from hybridverify.judges.backends.transformers_loading import (
    ModelSource,
    known_context,
    load_chat_tokenizer,
)


class LocalModel:
    """Base of the backends and scorers whose engine lives in this process. Nothing is loaded before it is needed.

    Subclasses keep the arguments they were made with in `_options`.
    """

    concurrent = False
    """Engines share a device: judges are asked one after the other, and calls of one wait for each other."""
    _options: dict[str, Any]

    def __init__(self, source: ModelSource, context_tokens: int) -> None:
        self.model, self.revision = source.model, source.revision
        self._source = source
        self._context = context_tokens or -1  # not looked up yet
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process as its settings, without the engine."""
        return partial(type(self), **self._options), ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.model!r})"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; where the tokenizer cannot be loaded, rather too many."""
        try:
            return token_counts(self._counting(), texts)
        except JudgeUnavailable:  # everything may be in the cache; those who ask are told
            return token_counts(None, texts)

    def context_tokens(self) -> int:
        """The setting, else what the model's settings say. Raises JudgeUnavailable where they cannot be read."""
        if self._context < 0:
            self._context = self._known_context()
        return self._context

    def _given(self, *names: str) -> dict[str, Any]:
        """Those of the arguments that were given, for `identity`."""
        return {name: value for name in names if (value := self._options[name])}

    def _tokenizer(self) -> ChatTokenizer:
        with self._lock:
            if self._chat is None:
                self._chat = load_chat_tokenizer(self._source)
            return self._chat

    def _counting(self) -> ChatTokenizer | None:
        """The tokenizer to count with; None where the engine has none that could be asked."""
        return self._tokenizer()

    def _known_context(self) -> int:
        return known_context(self._source)
