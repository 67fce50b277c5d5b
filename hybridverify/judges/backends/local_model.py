"""The common part of engines in this process: how they are pickled, and what a model's files say about it."""

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
    """Engines share a device: judges are asked one after another, and so are the calls of one engine."""
    _options: dict[str, Any]

    def __init__(self, source: ModelSource, context_tokens: int) -> None:
        self.model, self.revision = source.model, source.revision
        self._source = source
        self._context = context_tokens or -1  # not looked up yet
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its settings, without the engine."""
        return partial(type(self), **self._options), ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.model!r})"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text. Without a tokenizer an estimate, rather too high."""
        try:
            return token_counts(self._counting(), texts)
        except JudgeUnavailable:  # the cache may hold every answer; those who do ask are told
            return token_counts(None, texts)

    def context_tokens(self) -> int:
        """The setting, else the context length in the model's files. Raises JudgeUnavailable if they cannot be read."""
        if self._context < 0:
            self._context = self._known_context()
        return self._context

    def _given(self, *names: str) -> dict[str, Any]:
        """The named arguments that were given, for `identity`."""
        return {name: value for name in names if (value := self._options[name])}

    def _tokenizer(self) -> ChatTokenizer:
        with self._lock:
            if self._chat is None:
                self._chat = load_chat_tokenizer(self._source)
            return self._chat

    def _counting(self) -> ChatTokenizer | None:
        """The tokenizer to count with; None if the engine has none."""
        return self._tokenizer()

    def _known_context(self) -> int:
        return known_context(self._source)
