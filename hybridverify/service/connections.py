"""Connections of a client: kept open, shared by threads, made anew where one is lost. Standard library only."""

from __future__ import annotations

import http.client
import os
import socket
import threading
import weakref
from typing import NamedTuple
from urllib.parse import urlsplit

from hybridverify.errors import ConfigError

UNIX = "unix:"
"""An address with this in front is the path of a socket on this machine."""


class Reply(NamedTuple):
    """What a server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Connections:
    """Open connections to one address, at most one request at a time on each."""

    def __init__(self, base_url: str, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._unix = base_url[len(UNIX) :] if base_url.startswith(UNIX) else ""
        address = urlsplit("http://localhost" if self._unix else base_url)
        try:
            self._host, self._port, self._tls = address.hostname, address.port, address.scheme == "https"
        except ValueError as error:
            raise ConfigError(f"base_url: {base_url!r} is no address: {error}") from None
        if not self._host or address.scheme not in ("http", "https"):
            raise ConfigError(f"base_url: {base_url!r} is no address; it looks like http://127.0.0.1:8100")
        self._path = address.path.rstrip("/")
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._pid = os.getpid()
        weakref.finalize(self, _close, self._idle)  # of clients that nobody closes

    def request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], timeout_s: float
    ) -> Reply:
        """One request. Raises OSError or HTTPException if there is no whole answer."""
        connection = self._taken()
        connection.timeout = timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(timeout_s)
        try:
            try:
                connection.request(method, self._path + path, body, headers)
            except (BrokenPipeError, ConnectionResetError):
                if connection.sock is None:
                    raise
                # a server that refuses a body answers before it is sent to its end
            reply = connection.getresponse()
            told = Reply(reply.status, reply.headers, reply.read())
        except BaseException:
            connection.close()
            raise
        if reply.will_close:
            connection.close()
        else:
            self._give_back(connection)
        return told

    def close(self) -> None:
        """Close the connections that are idle."""
        with self._lock:
            _close(self._idle)

    def _taken(self) -> http.client.HTTPConnection:
        with self._lock:
            if self._pid != os.getpid():  # after a fork they are the parent's
                _close(self._idle)  # this process's copies
                self._pid = os.getpid()
            if self._idle:
                return self._idle.pop()
        if self._unix:
            return _UnixConnection(self._unix, self._timeout_s)
        assert self._host is not None
        kind = http.client.HTTPSConnection if self._tls else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout_s)

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._idle.append(connection)


def _close(idle: list[http.client.HTTPConnection]) -> None:
    while idle:
        idle.pop().close()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._socket_path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._socket_path)
