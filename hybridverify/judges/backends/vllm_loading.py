"""Makes a `vllm.LLM` in a thread of its own, within a time, and says why where it cannot be made."""

from __future__ import annotations

import importlib.util
import logging
import sys
from pathlib import Path
from typing import Any, NamedTuple

from hybridverify.errors import Fault, JudgeUnavailable
from hybridverify.judges.backends.engine_logs import engine_log
from hybridverify.judges.backends.engine_thread import EngineThread, Hung
from hybridverify.judges.backends.starting import starting
from hybridverify.judges.backends.transformers_loading import one_line
from hybridverify.judges.backends.vllm_errors import INSTALL, start_failure, start_fault
from hybridverify.judges.backends.vllm_process import distributed, on_cpu, platform_sleeps
from hybridverify.judges.backends.vllm_settings import EngineSettings

logger = logging.getLogger(__name__)


class Loaded(NamedTuple):
    """A new engine, and the thread that makes its calls."""

    llm: Any
    thread: EngineThread
    can_sleep: bool
    owns_distributed: bool
    """Whether torch.distributed was not set up before."""


def installed() -> bool:
    """Whether vLLM can be imported, found out without importing it. Its distribution has several names, so they are
    no help."""
    if "vllm" in sys.modules:
        return sys.modules["vllm"] is not None
    return importlib.util.find_spec("vllm") is not None


def load(settings: EngineSettings, can_sleep: bool, timeout_s: float) -> Loaded:
    """A new engine. Raises JudgeUnavailable; 0 waits for ever."""
    thread = EngineThread("hybridverify-vllm")
    owned = not distributed()
    log = engine_log("vllm")
    try:
        with starting(f"vllm to load {settings.model}", log):
            llm, can_sleep = thread.call(lambda: _made(settings, can_sleep), timeout_s)
    except Hung:
        thread.end()
        raise JudgeUnavailable(
            f"vllm did not start {settings.model!r} within {timeout_s:g} s (backend.start_timeout_s){_see(log)}"
        ) from None
    except JudgeUnavailable as error:
        thread.end()
        raise JudgeUnavailable(f"{error}{_see(log)}", error.fault) from error
    except BaseException:
        thread.end()
        raise
    return Loaded(llm, thread, can_sleep, owned)


def _made(settings: EngineSettings, can_sleep: bool) -> tuple[Any, bool]:
    """The engine, and whether it can sleep."""
    try:
        from vllm import LLM
    except ImportError as error:
        raise JudgeUnavailable(
            f"backend vllm needs vllm ({one_line(error)}): {INSTALL}", Fault.SETTINGS
        ) from None
    if can_sleep and not platform_sleeps():
        logger.warning("vllm: engines cannot sleep on this platform; sleep_level is ignored")
        can_sleep = False
    arguments = settings.arguments()
    if on_cpu():
        arguments = settings.on_cpu(arguments)
    if not can_sleep:
        arguments.pop("enable_sleep_mode", None)
    try:
        return LLM(**arguments), can_sleep
    except Exception as error:  # loaders of four libraries, each with exceptions of its own
        raise JudgeUnavailable(start_failure(settings.model, error), start_fault(error)) from error


def _see(log: Path | None) -> str:
    """Where to read more, if the engine has written anything."""
    return f"; see {log}" if log is not None and log.is_file() and log.stat().st_size else ""
