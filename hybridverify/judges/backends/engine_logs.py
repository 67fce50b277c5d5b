"""The logs of engines that run in this process or start processes of their own: into files, where a command asked for
them, so that they do not run into its progress bar."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hybridverify.judges.backends.starting import log_file

_SETTINGS = {"vllm": "VLLM_LOGGING_CONFIG_PATH", "sglang": "SGLANG_LOGGING_CONFIG_PATH"}
"""These set up their logging in every process of theirs, by the file that the variable names."""
_TRANSFORMERS = ("transformers", "huggingface_hub", "accelerate")
_FORMAT = "%(levelname)s %(asctime)s [%(filename)s:%(lineno)d] %(message)s"


def engine_log(engine: str) -> Path | None:
    """The file for the log of vLLM or SGLang, in use from now on and in processes that start from here; None if nobody
    asked for one or the user has set up the logging."""
    path = log_file(engine)
    if path is None or (engine == "vllm" and os.environ.get("VLLM_CONFIGURE_LOGGING", "1") == "0"):
        return None
    settings, variable = path.with_suffix(".json"), _SETTINGS[engine]
    known = os.environ.get(variable)
    if known and known != str(settings):
        return None
    try:
        settings.write_text(json.dumps(_logging_to(path, engine)), encoding="utf-8")
    except OSError:
        return None
    os.environ[variable] = str(settings)
    if engine in sys.modules:
        _redirect(logging.getLogger(engine), path)
    return path


@contextmanager
def transformers_logged() -> Iterator[Path | None]:
    """Inside the block, what transformers says while it loads a model goes into a file; None if nobody asked for one.
    Warnings are shown too."""
    path = log_file("transformers")
    if path is None:
        yield None
        return
    handler = _file_handler(path)
    loggers = [logging.getLogger(name) for name in _TRANSFORMERS]
    before = [(logger, logger.level) for logger in loggers]
    shown = [(each, each.level) for logger in loggers for each in logger.handlers]
    try:
        for each, level in shown:
            each.setLevel(max(level, logging.WARNING))
        for logger in loggers:
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)
        yield path
    finally:
        for logger, level in before:
            logger.removeHandler(handler)
            logger.setLevel(level)
        for each, level in shown:
            each.setLevel(level)
        handler.close()


def _logging_to(path: Path, engine: str) -> dict[str, object]:
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
        "loggers": {engine: {"handlers": ["file"], "level": "INFO", "propagate": False}},
    }


def _redirect(logger: logging.Logger, path: Path) -> None:
    if not any(getattr(handler, "baseFilename", "") == str(path) for handler in logger.handlers):
        logger.handlers = [_file_handler(path)]


def _file_handler(path: Path) -> logging.FileHandler:
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter(_FORMAT))
    return handler
