"""Tests whether the port is free and the server ready. Plain sockets: a proxy of the environment must not be used for
loopback."""

from __future__ import annotations

import errno
import http.client
import json
import socket

from hybridverify.errors import ConfigError
from hybridverify.serving.settings import ServeSettings

_ANSWER_S = 2.0
_MAX_BYTES = 1 << 20


def usable_port(host: str, port: int) -> int:
    """The port, or a free one for 0. Raises ConfigError if it is not possible to listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(
                socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
            )  # else a server that was just stopped would block it
            probe.bind(address)
            return int(probe.getsockname()[1])
    except socket.gaierror as error:
        raise ConfigError(f"--host: {host!r} has no address: {error.strerror}") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(f"--port: {port} is taken; name another, or 0 for any free one") from error
        raise ConfigError(f"cannot listen on {host} port {port}: {error.strerror}") from error


def served_names(settings: ServeSettings) -> list[str] | None:
    """The models that the server lists; None while it is not ready.

    A server with an API key refuses the list: then it counts as ready.
    """
    status, _ = _get(settings, "/health")
    if status not in (200, 404):  # 404: an engine without that page
        return None
    status, body = _get(settings, "/v1/models")
    if status in (401, 403):
        return [settings.name]
    if status != 200:
        return None
    try:
        return [str(entry["id"]) for entry in json.loads(body)["data"]] or None
    except (ValueError, TypeError, KeyError):
        return None


def _get(settings: ServeSettings, path: str) -> tuple[int, bytes]:
    """Status and body. Status 0 means that there was no answer."""
    connection = http.client.HTTPConnection(settings.reached_at, settings.port, timeout=_ANSWER_S)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read(_MAX_BYTES)
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()
