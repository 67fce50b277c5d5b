"""What the engines of a `classifier` judge have in common: prompts in, raw class scores (logits) out."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.openai_wire import sendable
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import ChatTokenizer, estimate_tokens
from hybridverify.judges.backends.transformers_loading import (
    ModelSource,
    known_context,
    load_chat_tokenizer,
    whole_number,
)
from hybridverify.judges.base import Failure, Prompt
from hybridverify.types import Outcome

Logits = tuple[float, ...]
"""One raw score for each class; a Bradley-Terry model has a single one."""


@runtime_checkable
class Scorer(Protocol):
    """An engine for reward models. It never raises for a single prompt, and keeps length and order.

    It may raise `JudgeUnavailable` (nothing can be asked at all) and, when made, `ConfigError`. `model` and
    `revision` enter the cache key, and so does `identity()`; addresses and GPU settings do not.
    """

    name: str
    model: str
    revision: str

    def score(self, prompts: Sequence[Prompt]) -> list[Logits | Failure]: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...

    def context_tokens(self) -> int: ...

    def identity(self) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


AS_WRITTEN: Mapping[str, Any] = {"add_generation_prompt": False}
"""A reward model scores a finished conversation: the chat template must not open another turn."""


class LocalScorer:
    """An engine in this process; it starts with the first question, and calls wait for each other.

    Subclasses give `_start`, which makes the engine, `_run`, which scores token ids, and `_stop`.
    """

    concurrent = False

    def __init__(self, source: ModelSource, context_tokens: int) -> None:
        whole_number("context_tokens", context_tokens, 0)
        self.model, self.revision = source.model, source.revision
        self._source = source
        self._context = context_tokens or -1  # not looked up yet
        self._lock = threading.RLock()
        self._chat: ChatTokenizer | None = None
        self._engine: Any = None

    def score(self, prompts: Sequence[Prompt]) -> list[Logits | Failure]:
        """The raw class scores of each prompt, in order. Raises JudgeUnavailable."""
        with self._lock:
            engine = self._started()
            results: list[Logits | Failure] = []
            asked: dict[int, list[int]] = {}
            for place, ids in enumerate(prompt_ids(self._tokenizer(), prompts, AS_WRITTEN)):
                refusal = ids if isinstance(ids, Failure) else self._refusal(ids)
                results.append(refusal or ())
                if isinstance(ids, list) and refusal is None:
                    asked[place] = ids
            scores = self._run(engine, list(asked.values())) if asked else []
            for place, logits in zip(asked, scores, strict=True):
                results[place] = logits
            return results

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Start the engine now; that takes as long as it takes. Raises JudgeUnavailable."""
        with self._lock:
            self._started()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; where the tokenizer cannot be loaded, rather too many."""
        try:
            with self._lock:
                tokenizer = self._tokenizer()
        except JudgeUnavailable:  # everything may be in the cache; `score` tells those who ask
            return [estimate_tokens(text) for text in texts]
        return [len(one) for one in tokenizer.encode([sendable(text) for text in texts], False)]

    def context_tokens(self) -> int:
        """The setting, else what the model's settings say. Raises JudgeUnavailable where they cannot be read."""
        if self._context < 0:
            self._context = known_context(self._source)
        return self._context

    def close(self) -> None:
        """End the engine and give its memory back; a later call starts it again."""
        with self._lock:
            engine, self._engine = self._engine, None
            if engine is not None:
                self._stop(engine)

    def _start(self) -> Any:
        raise NotImplementedError

    def _run(self, engine: Any, prompts: list[list[int]]) -> list[Logits | Failure]:
        raise NotImplementedError

    def _stop(self, engine: Any) -> None:
        raise NotImplementedError

    def _started(self) -> Any:
        if self._engine is None:
            self._engine = self._start()
        return self._engine

    def _tokenizer(self) -> ChatTokenizer:
        if self._chat is None:
            self._chat = load_chat_tokenizer(self._source)
        return self._chat

    def _refusal(self, ids: list[int]) -> Failure | None:
        room = self.context_tokens()
        if room and len(ids) > room:
            return Failure(Outcome.TOO_LONG, f"{len(ids)} tokens do not fit the context of {room}")
        return None if ids else Failure(Outcome.FAILED, "the prompt is empty")
