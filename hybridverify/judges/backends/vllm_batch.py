"""One batch through a vLLM engine: one call. More are made only to find a request that the engine refuses."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.engine_thread import Hung
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.backends.vllm_engine import Engine
from hybridverify.judges.backends.vllm_errors import (
    engine_failure,
    is_dead,
    is_request_fault,
    request_failure,
)
from hybridverify.judges.base import Failure, Reply
from hybridverify.types import Outcome

MOST_CALLS = 64
"""The most calls for a batch of which the engine refuses some requests."""


class Batch:
    """Asks a running engine. `read` makes replies from its outputs and their seconds. `timeout_s` is the longest time
    without a finished reply."""

    def __init__(
        self,
        engine: Engine,
        llm: Any,
        read: Callable[[Sequence[Any], float], list[Reply]],
        params: Any,
        timeout_s: float,
    ) -> None:
        self._engine, self._llm, self._read, self._params, self._timeout_s = (
            engine,
            llm,
            read,
            params,
            timeout_s,
        )
        self._calls = 0
        self._since = 0.0

    def ask(self, prompts: Sequence[Any], how: str = "generate") -> list[Reply | Failure]:
        """A result for each prompt, by `LLM.generate` or `LLM.chat`. Raises JudgeUnavailable if the engine's process
        died."""
        return self.begin(prompts, how)() if prompts else []

    def begin(self, prompts: Sequence[Any], how: str = "generate") -> Callable[[], list[Reply | Failure]]:
        """Put the prompts into the engine. The function returned waits for their results, as `ask`."""
        self._calls += 1
        self._since = self._since or time.perf_counter()
        given = list(prompts)
        future = self._engine.submit(given, self._params) if how == "generate" else None
        if future is not None:
            return lambda: self._results(given, how, lambda: self._engine.outputs(future, self._timeout_s))

        def call() -> Any:
            ask = lambda llm: getattr(llm, how)(given, self._params, use_tqdm=False)  # noqa: E731
            return self._engine.call(ask, self._timeout_s)

        return lambda: self._results(given, how, call)

    def _results(
        self, prompts: Sequence[Any], how: str, outputs_of: Callable[[], Any]
    ) -> list[Reply | Failure]:
        try:
            outputs = outputs_of()
        except Hung:
            self._engine.discard(self._llm, hangs=True)
            return [Failure(Outcome.TIMED_OUT, f"no reply within {self._timeout_s:g} s")] * len(prompts)
        except JudgeUnavailable:
            raise
        except Exception as error:  # the classes of vLLM's errors differ from release to release
            return self._refused(prompts, how, error)
        if len(outputs) != len(prompts):
            short = f"vllm: {len(outputs)} replies to {len(prompts)} prompts"
            return [Failure(Outcome.FAILED, short)] * len(prompts)
        since, self._since = self._since, time.perf_counter()
        return [*self._read(outputs, self._since - since)]

    def _refused(self, prompts: Sequence[Any], how: str, error: Exception) -> list[Reply | Failure]:
        if is_dead(error):
            self._engine.discard(self._llm)
            raise JudgeUnavailable(f"the vLLM engine died: {one_line(error)}") from error
        if not is_request_fault(error):
            self._engine.discard(self._llm)  # requests of this batch may still be in the engine
            return [engine_failure(error)] * len(prompts)
        if len(prompts) == 1 or self._calls >= MOST_CALLS:
            return [request_failure(error)] * len(prompts)
        middle = len(prompts) // 2
        return [*self.ask(prompts[:middle], how), *self.ask(prompts[middle:], how)]
