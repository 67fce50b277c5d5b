"""The requests of several callers, side by side in one running vLLM engine.

`LLM.generate` takes one caller's batch and returns when it is done. Here batches join the engine while others are in
it, so that the engine works on one piece while the next is rendered and tokenised, and replies are read meanwhile.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

_FIRST = 1 << 40
"""The number of our first request: `LLM` counts its own up from 0."""


def can_flow(llm: Any) -> bool:
    """Whether this vLLM takes requests without waiting for their replies."""
    return hasattr(llm, "enqueue") and hasattr(getattr(llm, "llm_engine", None), "step")


@dataclass(eq=False)
class _Waiting:
    """A batch in the engine."""

    future: Future[list[Any]]
    size: int
    outputs: dict[int, Any] = field(default_factory=dict)
    """The finished outputs by the number of their request."""


class Flow:
    """The batches in an engine. `expect` and `close` are for any thread, the rest for the engine's own."""

    def __init__(self, llm: Any) -> None:
        self._llm = llm
        self._waiting: dict[int, _Waiting] = {}
        """By the numbers of the requests that are not finished."""
        self._expected: set[Future[list[Any]]] = set()
        """Of batches that are on their way to the engine's thread."""
        self._closed: Exception | None = None
        self._lock = threading.Lock()
        self._numbers = itertools.count(_FIRST)
        self._ready_input = _ready_input()

    def expect(self) -> Future[list[Any]]:
        """The future of a batch that will be added."""
        future: Future[list[Any]] = Future()
        with self._lock:
            self._expected.add(future)
            closed = self._closed
        if closed is not None:
            _refuse(future, closed)
        return future

    def add(self, prompts: Sequence[Any], params: Any, future: Future[list[Any]]) -> None:
        """Put a batch into the engine. The future gets its outputs in order, or the error."""
        with self._lock:
            self._expected.discard(future)
        try:
            numbers = self._added(prompts, params) if self._ready_input else self._enqueued(prompts, params)
        except Exception as error:  # the classes of vLLM's errors differ from release to release
            _refuse(future, error)
            return
        waiting = _Waiting(future, len(numbers))
        self._waiting.update(dict.fromkeys(numbers, waiting))
        if self._closed is not None:  # it was closed meanwhile, and nobody will step
            self.abandon(self._closed)

    def _enqueued(self, prompts: Sequence[Any], params: Any) -> list[int]:
        return [_number(name) for name in self._llm.enqueue(list(prompts), params, use_tqdm=False)]

    def _added(self, prompts: Sequence[Any], params: Any) -> list[int]:
        """As `LLM.enqueue`, without looking for something to tokenise: a quarter of the time of adding a request."""
        from vllm.sampling_params import RequestOutputKind

        params.output_kind = RequestOutputKind.FINAL_ONLY
        engine, numbers, names = self._llm.llm_engine, list[int](), list[str]()
        with ExitStack() as undo:
            undo.callback(lambda: engine.abort_request(names, internal=True))
            for prompt in prompts:
                number = next(self._numbers)
                ready = self._ready_input(prompt["prompt_token_ids"])
                names.append(engine.add_request(str(number), ready, params))
                numbers.append(number)
            undo.pop_all()
        return numbers

    def step(self) -> bool:
        """Let the engine work for a moment. Whether it has more to do."""
        if not self._waiting:
            return False
        try:
            outputs = self._llm.llm_engine.step()
        except Exception as error:  # nobody will answer what is in the engine
            self.abandon(error)
            return False
        for output in outputs:
            waiting = self._waiting.pop(_number(output.request_id), None) if output.finished else None
            if waiting is not None:
                waiting.outputs[_number(output.request_id)] = output
                if len(waiting.outputs) == waiting.size:
                    _give(waiting.future, [waiting.outputs[number] for number in sorted(waiting.outputs)])
        return bool(self._waiting)

    def close(self, error: Exception) -> None:
        """Hand the error to everyone who waits, or will. The engine is given up."""
        with self._lock:
            self._closed = error
            expected, self._expected = self._expected, set()
        for future in expected:
            _refuse(future, error)
        self.abandon(error)

    def abandon(self, error: Exception) -> None:
        """Hand the error to everyone whose batch is in the engine."""
        waiting, self._waiting = self._waiting, {}
        for future in {id(one): one.future for one in waiting.values()}.values():
            _refuse(future, error)


def _ready_input() -> Any:
    """What makes an input of token ids that the engine takes as it is; None in releases without it."""
    try:
        from vllm.inputs import tokens_input
    except ImportError:
        return None
    return tokens_input


def _give(future: Future[list[Any]], outputs: list[Any]) -> None:
    with suppress(InvalidStateError):  # it was abandoned a moment ago
        future.set_result(outputs)


def _refuse(future: Future[list[Any]], error: Exception) -> None:
    with suppress(InvalidStateError):
        future.set_exception(error)


def _number(name: object) -> int:
    """The number of a request. vLLM counts requests up, and may write more after the number."""
    return int(str(name).partition("-")[0])
