"""Lines for the terminal: results on stdout, everything else as plain single lines on stderr."""

from __future__ import annotations

import logging
import os
import sys

import typer

from hybridverify.errors import HybridVerifyError, UnreadableLine

_COLOURS = {"correct": "green", "incorrect": "red", "partial": "yellow", "undecided": "yellow"}
_FAULT_COLOUR = "magenta"


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


def with_way_out(fault: HybridVerifyError) -> str:
    """The fault, with the option that goes on in spite of it. For commands that have this option."""
    if isinstance(fault, UnreadableLine):
        return f"{fault}; --skip-bad-lines leaves out lines that cannot be read"
    return str(fault)


def reader_gone() -> int:
    """The exit code where the reader of standard output has seen enough, as `head` does. What is left to print at exit
    goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def coloured(outcome: str, width: int = 0) -> str:
    """An outcome, padded to `width`; in colour on a terminal, unless NO_COLOR is set."""
    text = f"{outcome:<{width}}"
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return typer.style(text, fg=_COLOURS.get(outcome, _FAULT_COLOUR))


def show_warnings() -> None:
    """Print the library's own warnings as lines like all others. Requests are not told of, whatever else in this
    process turns logging on."""
    _listen("hybridverify", logging.WARNING)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def be_verbose() -> None:
    """Print what the library and its HTTP client tell of their work, too."""
    for name in ("hybridverify", *_TALKATIVE):
        _listen(name, logging.INFO)


_TALKATIVE = ("httpx", "httpx2", "openai")


def _listen(name: str, level: int) -> None:
    logger = logging.getLogger(name)
    logger.setLevel(level)
    for handler in logger.handlers:
        if isinstance(handler, _Lines):
            handler.setLevel(level)
            return
    logger.addHandler(_Lines(level))
    logger.propagate = False


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            warn(record.getMessage())
        else:
            note(f"{record.name.partition('.')[0]}: {record.getMessage()}")


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
