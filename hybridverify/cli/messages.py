"""Lines for the terminal: results on stdout, everything else as plain single lines on stderr."""

from __future__ import annotations

import logging
import sys

import typer


def say(line: str) -> None:
    """Print a line of the result, on stdout."""
    typer.echo(line)


def note(line: str) -> None:
    """Print a line on stderr."""
    sys.stderr.write(_one_line(line) + "\n")
    sys.stderr.flush()


def warn(message: str) -> None:
    """Print a warning that does not stop the command."""
    note(f"warning: {message}")


def error(message: str) -> None:
    """Print the fault that stopped the command."""
    note(f"error: {message}")


def show_warnings() -> None:
    """Print the library's own warnings as lines like all others."""
    logger = logging.getLogger("hybridverify")
    if not any(isinstance(handler, _Lines) for handler in logger.handlers):
        logger.addHandler(_Lines(logging.WARNING))
        logger.propagate = False


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        warn(record.getMessage())


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
