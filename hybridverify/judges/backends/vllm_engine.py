"""vLLM engines of this process: started at first use, shared by equal settings, asleep between uses on request.

Everything that knows `vllm.LLM` as a living thing is here; what is asked and read is elsewhere.
"""

from __future__ import annotations

import atexit
import importlib.util
import logging
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.engine_thread import EngineThread, Hung
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.backends.vllm_errors import INSTALL, start_failure, start_fault
from hybridverify.judges.backends.vllm_process import distributed, free, platform_sleeps, set_heap_aside
from hybridverify.judges.backends.vllm_settings import EngineSettings

logger = logging.getLogger(__name__)

_engines: dict[tuple[int, str], Engine] = {}
_lock = threading.Lock()


def installed() -> bool:
    """Whether vLLM can be imported, without importing it. Not by its distribution, which has several names."""
    if "vllm" in sys.modules:
        return sys.modules["vllm"] is not None
    return importlib.util.find_spec("vllm") is not None


def engine_for(settings: EngineSettings, user: object) -> Engine:
    """This process's engine for these settings, which lives until its last user lets go of it."""
    key = (os.getpid(), settings.key)  # after a fork the child makes its own
    with _lock:
        engine = _engines.get(key) or _engines.setdefault(key, Engine(settings))
        engine.users.add(user)
        return engine


def release(settings: EngineSettings, user: object) -> None:
    """Let go of the engine; the last user's letting go ends it and gives its memory back."""
    with _lock:
        engine = _engines.get((os.getpid(), settings.key))
        if engine is None:
            return
        engine.users.discard(user)
        if engine.users:
            return
        del _engines[(os.getpid(), settings.key)]
    engine.close()


@atexit.register
def _close_all() -> None:
    """An engine's own processes outlive an interpreter that does not end them."""
    for (pid, _), engine in list(_engines.items()):
        if pid == os.getpid():
            engine.close()


class Engine:
    """One `vllm.LLM`. Calls from several threads wait for each other."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self.users: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.RLock()
        self._llm: Any = None
        self._thread: EngineThread | None = None
        self._asleep = False
        self._holds = 0
        self.can_sleep = settings.sleep_level > 0
        """Until a platform says otherwise when the engine starts."""
        self._owns_distributed = False

    @contextmanager
    def running(self, start_timeout_s: float) -> Iterator[Any]:
        """The engine, started and awake; afterwards it sleeps, unless somebody holds it awake.

        Raises JudgeUnavailable where it cannot be started.
        """
        with self._lock:
            self._start(start_timeout_s)
            self._wake()
            try:
                yield self._llm
            finally:
                if not self._holds:
                    self._sleep()

    def call(self, work: Callable[[Any], Any], timeout_s: float = 0.0) -> Any:
        """What `work` makes of the `LLM`, inside of `running`. Raises Hung, JudgeUnavailable where the engine was
        given up in the meantime, and what vLLM raises."""
        llm, thread = self._llm, self._thread
        if thread is None:
            raise JudgeUnavailable(f"the vLLM engine of {self.settings.model!r} was given up; ask again")
        try:
            return thread.call(lambda: work(llm), timeout_s, lambda: _unfinished(llm), lambda: _gone(llm))
        except Exception:
            raise
        except BaseException:  # the caller was interrupted; nobody waits for what the engine is doing
            self._stop(busy=True)
            raise

    def hold(self) -> None:
        """Do not sleep after the next uses. An engine that sleeps is woken when it is needed."""
        with self._lock:
            self._holds += 1

    def let_sleep(self) -> None:
        """The end of `hold`: sleep now, if no other holder is left."""
        with self._lock:
            self._holds = max(0, self._holds - 1)
            if not self._holds:
                self._sleep()

    def discard(self, hangs: bool = False) -> None:
        """Forget an engine that died, hangs, or failed in the middle of a batch; the next use starts another."""
        with self._lock:
            self._stop(hangs)

    def close(self) -> None:
        """End the engine and give its memory back."""
        with self._lock:
            self._stop()

    def _start(self, timeout_s: float) -> None:
        if self._llm is not None:
            return
        thread = EngineThread("hybridverify-vllm")
        owned = not distributed()
        try:
            self._llm = thread.call(self._made, timeout_s)
        except Hung:
            thread.end()
            raise JudgeUnavailable(
                f"vllm did not start {self.settings.model!r} within {timeout_s:g} s (backend.start_timeout_s)"
            ) from None
        except BaseException:
            thread.end()
            raise
        self._thread, self._asleep, self._owns_distributed = thread, False, owned
        set_heap_aside()

    def _made(self) -> Any:
        try:
            from vllm import LLM
        except ImportError as error:
            raise JudgeUnavailable(
                f"backend vllm needs vllm ({one_line(error)}): {INSTALL}", Fault.SETTINGS
            ) from None
        arguments = self.settings.arguments()
        if self.can_sleep and not platform_sleeps():
            logger.warning("vllm: engines cannot sleep on this platform; sleep_level is ignored")
            self.can_sleep = False
        if not self.can_sleep:
            arguments.pop("enable_sleep_mode", None)
        try:
            return LLM(**arguments)
        except Exception as error:  # loaders of four libraries, each with exceptions of its own
            raise JudgeUnavailable(start_failure(self.settings.model, error), start_fault(error)) from error

    def _wake(self) -> None:
        if self._asleep:
            level = self.settings.sleep_level
            try:
                self.call(lambda llm: _wake(llm, level))
            except Exception as error:  # its state is not known any more: the next use starts it anew
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
        except Exception as error:  # what was graded stays; the memory is given back the other way
            logger.warning("vllm: %s does not sleep (%s); it is ended", self.settings.model, one_line(error))
            self._stop()
        else:
            self._asleep = True

    def _stop(self, busy: bool = False) -> None:
        llm, self._llm = self._llm, None
        thread, self._thread = self._thread, None
        if llm is None or thread is None:
            return
        core: Any = getattr(getattr(llm, "llm_engine", None), "engine_core", None)
        in_process = hasattr(core, "engine_core")  # else a process of its own, which takes its memory with it
        try:
            if hasattr(core, "shutdown") and not (busy and in_process):
                core.shutdown()
        except Exception as error:  # it is going anyway
            logger.warning("vllm: ending %s: %s", self.settings.model, one_line(error))
        thread.end()
        del llm, core
        if not busy:
            free(in_process and self._owns_distributed)


def _wake(llm: Any, level: int) -> None:
    """Level 2 threw the weights away: memory for them, the weights themselves, then memory for the cache."""
    if level < 2:
        llm.wake_up()
        return
    llm.wake_up(tags=["weights"])
    llm.collective_rpc("reload_weights")
    llm.wake_up(tags=["kv_cache"])


def _unfinished(llm: Any) -> int:
    """Requests in the engine; the count moves as long as it works."""
    count = getattr(getattr(llm, "llm_engine", None), "get_num_unfinished_requests", None)
    return int(count()) if count is not None else 0


def _gone(llm: Any) -> bool:
    """Whether a process of the engine has ended. vLLM's own watch wakes no caller who waits for a reply already."""
    core = getattr(getattr(llm, "llm_engine", None), "engine_core", None)
    resources = getattr(core, "resources", None)
    processes = getattr(getattr(resources, "engine_manager", None), "processes", None) or ()
    return bool(getattr(resources, "engine_dead", False)) or any(not one.is_alive() for one in processes)
