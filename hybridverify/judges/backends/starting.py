"""What this process waits for while an engine starts, so that a command can say so, and where the engine's log goes."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_lock = threading.Lock()
_starts: list[Start] = []
_listeners: list[Callable[[Start], None]] = []
_log_folder: Path | None = None


@dataclass(frozen=True, eq=False)
class Start:
    """An engine that is starting. `log` is the file that holds its own words, if there is one."""

    what: str
    log: Path | None
    began: float

    def told(self, now: float) -> str:
        """One line.

        >>> Start("vllm to load m", None, 3.0).told(45.5)
        'waiting for vllm to load m (42 s)'
        """
        log = f"; its log: {self.log}" if self.log else ""
        return f"waiting for {self.what} ({now - self.began:.0f} s){log}"

    @property
    def over(self) -> bool:
        """Whether it has started, or failed."""
        return self not in _starts


@contextmanager
def starting(what: str, log: Path | None = None) -> Iterator[None]:
    """Say that the block waits for an engine."""
    start = Start(what, log, time.monotonic())
    with _lock:
        _starts.append(start)
        listeners = list(_listeners)
    try:
        for listener in listeners:
            listener(start)
        yield
    finally:
        with _lock:
            _starts.remove(start)


def waited_for() -> str:
    """What is waited for at present, in one line; "" if nothing is."""
    with _lock:
        return _starts[0].told(time.monotonic()) if _starts else ""


@contextmanager
def listening(listener: Callable[[Start], None]) -> Iterator[None]:
    """Inside the block, `listener` is called when an engine begins to start."""
    with _lock:
        _listeners.append(listener)
    try:
        yield
    finally:
        with _lock:
            _listeners.remove(listener)


@contextmanager
def logs_in(folder: Path) -> Iterator[None]:
    """Inside the block, engines that start here write their logs into files of this folder."""
    global _log_folder
    before, _log_folder = _log_folder, folder
    try:
        yield
    finally:
        _log_folder = before


def vllm_log() -> Path | None:
    """The file for vLLM's log, in use from now on; None if nobody asked for one or the user has set up the logging.

    vLLM sets up its logging when it is imported, in every process of its own: by a file that a variable names.
    """
    if _log_folder is None or os.environ.get("VLLM_CONFIGURE_LOGGING", "1") == "0":
        return None
    path = _log_folder / f"hybridverify-vllm-{os.getpid()}.log"
    settings = path.with_suffix(".json")
    known = os.environ.get(_VLLM_SETTINGS)
    if known and known != str(settings):
        return None
    try:
        settings.write_text(json.dumps(_logging_to(path)), encoding="utf-8")
    except OSError:
        return None
    os.environ[_VLLM_SETTINGS] = str(settings)
    if "vllm" in sys.modules:
        _redirect(logging.getLogger("vllm"), path)
    return path


_VLLM_SETTINGS = "VLLM_LOGGING_CONFIG_PATH"
_FORMAT = "%(levelname)s %(asctime)s [%(filename)s:%(lineno)d] %(message)s"


def _logging_to(path: Path) -> dict[str, object]:
    handler = {
        "class": "logging.FileHandler",
        "filename": str(path),
        "formatter": "plain",
        "encoding": "utf-8",
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": _FORMAT}},
        "handlers": {"file": handler},
        "loggers": {"vllm": {"handlers": ["file"], "level": "INFO", "propagate": False}},
    }


def _redirect(logger: logging.Logger, path: Path) -> None:
    if any(getattr(handler, "baseFilename", "") == str(path) for handler in logger.handlers):
        return
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.handlers = [handler]
