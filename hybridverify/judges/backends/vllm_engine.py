"""One vLLM engine: started at first use, called in a thread of its own, asleep between uses if wanted.

Prompts and replies are handled elsewhere.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from hybridverify.errors import JudgeUnavailable
from hybridverify.judges.backends.engine_thread import EngineGone, EngineThread, Hung, idle, watched
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.backends.vllm_core import is_gone, is_in_process, shut_down, unfinished, wake
from hybridverify.judges.backends.vllm_errors import GivenUp
from hybridverify.judges.backends.vllm_flow import Flow, can_flow
from hybridverify.judges.backends.vllm_loading import load
from hybridverify.judges.backends.vllm_process import free, set_heap_aside
from hybridverify.judges.backends.vllm_settings import EngineSettings

logger = logging.getLogger(__name__)


class Engine:
    """One `vllm.LLM`, for callers in several threads. Their batches are in the engine side by side where this vLLM
    can do that; other calls run one after another."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self.users: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.RLock()
        self._unused = threading.Condition(self._lock)
        self._used_by = 0
        """Callers inside of `running`."""
        self._llm: Any = None
        self._flow: Flow | None = None
        self._thread: EngineThread | None = None
        self._asleep = False
        self._holds = 0
        self.can_sleep = settings.sleep_level > 0
        """Until a platform says otherwise when the engine starts."""
        self._owns_distributed = False

    @contextmanager
    def running(self, start_timeout_s: float) -> Iterator[Any]:
        """The engine, started and awake. After the block it sleeps, unless somebody uses it or holds it awake.

        Raises JudgeUnavailable if it cannot be started.
        """
        with self._lock:
            self._start(start_timeout_s)
            self._wake()
            llm = self._llm
            self._used_by += 1
        try:
            yield llm
        finally:
            with self._lock:
                self._used_by -= 1
                self._unused.notify_all()
                self._rest()

    def call(self, work: Callable[[Any], Any], timeout_s: float = 0.0) -> Any:
        """The result of `work` with the `LLM`, inside of `running`. Raises Hung, JudgeUnavailable if the engine was
        given up in the meantime, and the errors of vLLM."""
        llm, thread, _ = self._live()
        return self._result(thread.start(lambda: work(llm)), llm, timeout_s)

    @property
    def flows(self) -> bool:
        """Whether batches may join others that are in the engine. Inside of `running`."""
        return self._flow is not None

    def submit(self, prompts: Sequence[Any], params: Any) -> Future[list[Any]] | None:
        """The future outputs of a batch that joins those in the engine; None if this vLLM cannot do that.

        Inside of `running`. Raises JudgeUnavailable as `call`.
        """
        _, thread, flow = self._live()
        if flow is None:
            return None
        future = flow.expect()
        thread.start(lambda: flow.add(prompts, params, future))
        return future

    def outputs(self, future: Future[list[Any]], timeout_s: float = 0.0) -> list[Any]:
        """The outputs of a submitted batch. Raises as `call`."""
        return self._result(future, self._llm, timeout_s)  # type: ignore[no-any-return]

    def _live(self) -> tuple[Any, EngineThread, Flow | None]:
        with self._lock:
            if self._thread is None:
                raise GivenUp(self._given_up())
            return self._llm, self._thread, self._flow

    def _given_up(self) -> str:
        return f"the vLLM engine of {self.settings.model!r} was given up; ask again"

    def _result(self, future: Future[Any], llm: Any, timeout_s: float) -> Any:
        try:
            return watched(future, timeout_s, lambda: unfinished(llm), lambda: is_gone(llm))
        except EngineGone as error:
            if self._llm is not llm:
                raise GivenUp(self._given_up()) from error
            raise
        except Exception:
            raise
        except BaseException:  # the caller was interrupted, and nobody waits for the engine's work
            with self._lock:
                self._stop(busy=True)
            raise

    def hold(self) -> None:
        """Keep the engine awake after the next uses. A sleeping engine is woken when it is needed."""
        with self._lock:
            self._holds += 1

    def let_sleep(self) -> None:
        """End the effect of `hold`: sleep now, if no other holder is left."""
        with self._lock:
            self._holds = max(0, self._holds - 1)
            self._rest()

    def discard(self, llm: Any, hangs: bool = False) -> None:
        """Drop an engine that died, hangs, or failed in the middle of a batch. The next use starts another. Nothing
        happens if another caller has dropped it before."""
        with self._lock:
            if self._llm is llm:
                if hangs and self._flow is not None:
                    self._flow.close(Hung())
                self._stop(hangs)

    def close(self) -> None:
        """End the engine and free its memory, when its present callers have their replies."""
        with self._lock:
            while self._used_by:
                self._unused.wait()
            self._stop()

    def _rest(self) -> None:
        """Sleep, unless the engine is used or held awake."""
        if not (self._used_by or self._holds):
            self._sleep()

    def _start(self, timeout_s: float) -> None:
        if self._llm is not None:
            return
        loaded = load(self.settings, self.can_sleep, timeout_s)
        self._llm, self._thread, self.can_sleep, self._owns_distributed = loaded
        self._asleep = False
        if can_flow(self._llm):
            self._flow = Flow(self._llm)
            loaded.thread.between = self._flow.step
        set_heap_aside()

    def _wake(self) -> None:
        if self._asleep:
            level = self.settings.sleep_level
            try:
                self.call(lambda llm: wake(llm, level))
            except Exception as error:  # its state is unknown: the next use starts a new one
                self._stop()
                raise JudgeUnavailable(
                    f"vllm cannot wake {self.settings.model!r}: {one_line(error)}"
                ) from error
            self._asleep = False

    def _sleep(self) -> None:
        if self._llm is None or self._asleep or not self.can_sleep:
            return
        try:
            self.call(lambda llm: llm.sleep(level=self.settings.sleep_level))
        except Exception as error:  # finished grades are kept; the memory is freed by ending the engine
            logger.warning("vllm: %s does not sleep (%s); it is ended", self.settings.model, one_line(error))
            self._stop()
        else:
            self._asleep = True

    def _stop(self, busy: bool = False) -> None:
        llm, self._llm = self._llm, None
        thread, self._thread = self._thread, None
        flow, self._flow = self._flow, None
        if llm is None or thread is None:
            return
        if flow is not None:
            flow.close(GivenUp(self._given_up()))
        in_process = is_in_process(llm)
        try:
            if not (busy and in_process):
                shut_down(llm)
        except Exception as error:  # the engine ends in any case
            logger.warning("vllm: ending %s: %s", self.settings.model, one_line(error))
        thread.end()
        thread.between = idle
        del llm, flow
        if not busy:
            free(in_process and self._owns_distributed)
