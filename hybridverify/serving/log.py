"""An engine's output: passed on as it comes. Its last lines are kept, to explain why it died."""

from __future__ import annotations

import codecs
import os
import threading
from collections import deque
from pathlib import Path
from typing import IO, TextIO

from hybridverify.errors import ConfigError

_KEPT_LINES = 1000  # lines; a traceback of every worker fits, and the cause is in the first of them
_KEPT_WIDTH = 2000
_CHUNK = 65536


class EngineLog:
    """Drains a pipe in a thread. `log` is a file to append to, an open text file, or None: then only the end is kept.

    If nobody reads `log` any more, the rest is lost: the engine must never wait for a reader.
    """

    def __init__(self, log: str | Path | TextIO | None) -> None:
        self._owned = isinstance(log, (str, Path))
        self._sink = _opened(log) if isinstance(log, (str, Path)) else log
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._unfinished = ""
        self._thread: threading.Thread | None = None

    def drain(self, pipe: IO[bytes]) -> None:
        """Start. The thread ends with the pipe."""
        self._thread = threading.Thread(target=self._drain, args=(pipe,), name="engine log", daemon=True)
        self._thread.start()

    def tail(self, wait_s: float = 2.0) -> list[str]:
        """The last lines, after waiting for the last output of an engine that is gone."""
        if self._thread:
            self._thread.join(wait_s)
        return [line for line in (*self._lines, self._unfinished) if line.strip()]

    def close(self) -> None:
        """Close the pipe and the log. Call it when the engine is gone."""
        self.tail()
        if self._owned and self._sink:
            self._sink.close()

    def _drain(self, pipe: IO[bytes]) -> None:
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        with pipe:
            while chunk := os.read(pipe.fileno(), _CHUNK):
                text = decode(chunk)
                self._pass_on(text)
                self._keep(text)

    def _pass_on(self, text: str) -> None:
        if self._sink is None:
            return
        try:
            self._sink.write(text)
            self._sink.flush()
        except (OSError, ValueError):  # ValueError: closed
            self._sink = None

    def _keep(self, text: str) -> None:
        *lines, rest = (self._unfinished + text).replace("\r", "\n").split("\n")
        self._lines.extend(line[:_KEPT_WIDTH] for line in lines)
        self._unfinished = rest[:_KEPT_WIDTH]


def _opened(path: str | Path) -> TextIO:
    try:
        return open(path, "a", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--log: {path}: {error.strerror}") from error
