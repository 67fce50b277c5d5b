"""The common part of the engines of a `classifier` judge: prompts in, raw class scores (logits) out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

from hybridverify.judges.backends.checks import whole_number
from hybridverify.judges.backends.fitting import answered, fitting
from hybridverify.judges.backends.local_model import LocalModel
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.transformers_loading import ModelSource
from hybridverify.judges.base import Failure, Prompt

Logits = tuple[float, ...]
"""One raw score for each class. A Bradley-Terry model has a single one."""


@runtime_checkable
class Scorer(Protocol):
    """An engine for reward models. It never raises for a single prompt, and keeps length and order.

    It may raise `JudgeUnavailable` (nothing can be asked at all) and, when it is made, `ConfigError`. `model`,
    `revision` and `identity()` enter the cache key; addresses and GPU settings do not.
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


class LocalScorer(LocalModel, ABC):
    """An engine in this process. It starts with the first question, and its calls run one after another.

    Subclasses define `_start`, which makes the engine, `_run`, which scores token ids, and `_stop`.
    """

    def __init__(self, source: ModelSource, context_tokens: int) -> None:
        whole_number("context_tokens", context_tokens, 0)
        super().__init__(source, context_tokens)
        self._engine: Any = None

    def score(self, prompts: Sequence[Prompt]) -> list[Logits | Failure]:
        """The raw class scores of each prompt, in order. Raises JudgeUnavailable."""
        with self._lock:
            engine = self._started()
            ids = prompt_ids(self._tokenizer(), prompts, AS_WRITTEN)
            return answered(fitting(ids, self.context_tokens()), partial(self._run, engine))

    def ensure_ready(self, timeout_s: float = 0.0) -> None:
        """Start the engine now and wait for it. Raises JudgeUnavailable."""
        with self._lock:
            self._started()

    def close(self) -> None:
        """End the engine and free its memory. A later call starts it again."""
        with self._lock:
            engine, self._engine = self._engine, None
            if engine is not None:
                self._stop(engine)

    @abstractmethod
    def _start(self) -> Any: ...

    @abstractmethod
    def _run(self, engine: Any, prompts: list[list[int]]) -> list[Logits | Failure]: ...

    @abstractmethod
    def _stop(self, engine: Any) -> None: ...

    def _started(self) -> Any:
        if self._engine is None:
            self._engine = self._start()
        return self._engine
