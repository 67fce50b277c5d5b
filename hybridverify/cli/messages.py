"""Words for the terminal: results on stdout, everything else as plain single lines on stderr."""

from __future__ import annotations

import logging
import sys

import typer


def say(line: str) -> None:
    """A line of the result, on stdout."""
    typer.echo(line)


def note(line: str) -> None:
    """A line beside the result, on stderr."""
    sys.stderr.write(_one_line(line) + "\n")
    sys.stderr.flush()


def warn(message: str) -> None:
    """What a user should know, and what did not stop the command."""
    note(f"warning: {message}")


def error(message: str) -> None:
    """Why the command stopped."""
    note(f"error: {message}")


def show_warnings() -> None:
    """Let the library's own warnings appear as lines like all others."""
    logger = logging.getLogger("hybridverify")
    if not any(isinstance(handler, _Lines) for handler in logger.handlers):
        logger.addHandler(_Lines(logging.WARNING))
        logger.propagate = False


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        warn(record.getMessage())


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
