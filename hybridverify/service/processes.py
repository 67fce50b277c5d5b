"""Several serving processes behind one socket, and the process that starts them again.

The parent listens, and its children accept: a child that is killed loses its own connections and nothing that waits in
the queue of the socket. Where N children serve, one more decides what they leave open: so there is one judge client and
one pool of workers, and open rows of all children share batches.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from hybridverify.config import ServeEntry
from hybridverify.errors import HybridVerifyError
from hybridverify.service.metrics import FOLDER
from hybridverify.service.server import BACKLOG

POLL_S = 0.05
START_S = 60.0
"""Seconds. How long the children may take to be ready."""
YOUNG_S = 5.0
"""Seconds. A child that dies younger did not work at all; the next one is waited with."""

logger = logging.getLogger("hybridverify")


class Child:
    """One serving process, started again when it dies."""

    def __init__(self, name: str, sock: socket.socket, told: Mapping[str, Any], folder: str) -> None:
        self.name, self._sock, self._folder = name, sock, folder
        self._told = json.dumps({**told, "socket": sock.fileno(), "name": name}, default=str)
        self._deaths = 0
        self._next_at = 0.0
        self.start()

    def start(self) -> None:
        """Start it. Its standard input stays open as long as this process lives."""
        self.ready = threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hybridverify.service.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[self._sock.fileno()],
            env={**os.environ, FOLDER: self._folder},
            start_new_session=True,  # Ctrl-C is the parent's
            text=True,
        )
        self._born = time.monotonic()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(self._told + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it is dead, which `revive` finds
        threading.Thread(target=self._listen, args=(self.process, self.ready), daemon=True).start()

    @staticmethod
    def _listen(process: subprocess.Popen[str], ready: threading.Event) -> None:
        assert process.stdout is not None
        if process.stdout.readline():
            ready.set()

    def revive(self) -> None:
        """Start it again if it has died; after a while, if it dies again and again."""
        if self.process.poll() is None or time.monotonic() < self._next_at:
            return
        young = time.monotonic() - self._born < YOUNG_S
        self._deaths = self._deaths + 1 if young else 0
        logger.warning(
            "serving process %s ended (%s); it is started again", self.name, self.process.returncode
        )
        self._forget()
        mark_process_dead(self.process.pid, self._folder)  # type: ignore[no-untyped-call]
        self._next_at = time.monotonic() + min(0.1 * 2**self._deaths, 10.0) if young else 0.0
        self.start()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def wait(self) -> None:
        self.process.wait()
        self._forget()

    def _forget(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Processes:
    """The children of a service. `run` returns when a signal has come and every child has ended."""

    def __init__(
        self, sock: socket.socket, settings: Mapping[str, Any], serve: ServeEntry, count: int
    ) -> None:
        self._stopped = threading.Event()
        self._temporary = tempfile.TemporaryDirectory(prefix="hybridverify-")
        folder = Path(self._temporary.name)
        self._private = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._private.bind(str(folder / "open"))
        self._private.listen(BACKLOG)
        self._private.setblocking(False)
        counters = folder / "metrics"
        counters.mkdir()
        told = {"settings": dict(settings), "serve": serve.model_dump()}
        self._owner = Child("open", self._private, {**told, "private": True}, str(counters))
        asks = {**told, "private": False, "open_rows": str(folder / "open")}
        self._children = [Child(str(number), sock, asks, str(counters)) for number in range(count)]
        self._sock = sock

    @property
    def pids(self) -> list[int]:
        """The processes that serve, and last the one that decides open rows."""
        return [child.process.pid for child in (*self._children, self._owner)]

    def ensure_ready(self) -> None:
        """Wait until all serve. Raises HybridVerifyError if one does not."""
        end = time.monotonic() + START_S
        for child in (self._owner, *self._children):
            while not child.ready.wait(POLL_S):
                if child.process.poll() is not None or time.monotonic() > end or self._stopped.is_set():
                    self.stop()
                    raise HybridVerifyError(f"serve: process {child.name} did not start")

    def run(self) -> None:
        """Watch the children until `stopped` is set."""
        while not self._stopped.wait(POLL_S):
            for child in (self._owner, *self._children):
                child.revive()
        self.stop()

    def ask_to_stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """End `run`. Fit for a signal's handler."""
        self._stopped.set()

    def stop(self) -> None:
        """End the children in order: those that serve answer what they were asked, and ask the last one meanwhile."""
        self._sock.close()
        for child in self._children:
            child.stop()
        while any(child.process.poll() is None for child in self._children):
            if self._owner.process.poll() is not None:
                self._owner.revive()
            time.sleep(POLL_S)
        for child in self._children:
            child.wait()
        self._owner.stop()
        self._owner.wait()
        self._private.close()
        self._temporary.cleanup()
