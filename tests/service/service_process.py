"""A service as a process of its own, as users have it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

ROOT = Path(__file__).resolve().parents[2]


class Running:
    """A running service: its address and its process."""

    def __init__(self, process: subprocess.Popen[str], base_url: str) -> None:
        self.process, self.base_url = process, base_url

    def ask(
        self, path: str, body: Any = None, headers: Mapping[str, str] | None = None, method: str = ""
    ) -> tuple[int, Any]:
        """Status and JSON of one request; a body that is no bytes is sent as JSON."""
        status, text = self.ask_text(path, body, headers, method)
        return status, json.loads(text)

    def ask_text(
        self, path: str, body: Any = None, headers: Mapping[str, str] | None = None, method: str = ""
    ) -> tuple[int, str]:
        """Status and text of one request."""
        import http.client

        address = urlsplit(self.base_url)
        assert address.hostname is not None
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=200)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            told = {"Content-Type": "application/json", **(headers or {})}
            connection.request(method or ("GET" if body is None else "POST"), path, sent, told)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def socket(self) -> socket.socket:
        """A bare connection, for clients that behave badly."""
        address = urlsplit(self.base_url)
        return socket.create_connection((address.hostname, address.port), timeout=200)

    def children(self) -> list[int]:
        """The processes that it started, the oldest first: the one for open rows, then those that serve."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return sorted(map(int, found.split()))


@contextmanager
def running(
    folder: Path, settings: Mapping[str, Any], *options: str, variables: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """A service with these settings, on a free port, until the end of the block."""
    (folder / "conf.yaml").write_text(yaml.safe_dump({"cache": None, **settings}), encoding="utf-8")
    path = os.pathsep.join((str(ROOT), str(folder)))
    with (folder / "errors").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "hybridverify", "serve", "conf.yaml", "--port", "0", *options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, **(variables or {})},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + (folder / "errors").read_text()
        yield Running(process, found.group())
    finally:
        process.terminate()
        try:
            process.wait(200)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            process.stdout.close()  # type: ignore[union-attr]
