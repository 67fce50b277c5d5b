"""One serving process: uvicorn around the endpoints, and an end that loses no request."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import ipaddress
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import uvicorn

from hybridverify.config import ServeEntry
from hybridverify.errors import ConfigError
from hybridverify.service.app import Service
from hybridverify.service.memory import return_large_blocks
from hybridverify.service.protocol import PatientProtocol

KEEP_ALIVE_S = 75
SWITCH_S = 0.001
"""Seconds until a thread that grades gives way to the one that answers: Python's own five are felt by single rows."""
BACKLOG = 2048
TICKS_PER_SECOND = 10  # of uvicorn's main loop
ENDING_S = 5.0
"""Seconds that threads and engines get to end by themselves."""
STOPPING = "the service was stopped before this row was graded"


class Server(uvicorn.Server):
    """uvicorn's server; on a signal it stops listening, answers what it was asked, and ends."""

    def __init__(self, service: Service, ready: Callable[[], None] = lambda: None) -> None:
        patience_s = min(PatientProtocol.patience_s, service.settings.body_timeout_s)
        protocol = {
            "patience_s": patience_s,
            "unread_s": service.settings.body_timeout_s,
            "heard": staticmethod(service.desk.hear),
        }
        super().__init__(
            uvicorn.Config(
                service.app,
                http=type("Patient", (PatientProtocol,), protocol),
                ws="none",
                lifespan="off",
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_S,
                backlog=BACKLOG,
                proxy_headers=False,
            )
        )
        self._service = service
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.freeze()  # what is there now stays for ever, and need not be looked through again and again
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        grace_s, loop = self._service.settings.stop_grace_s, asyncio.get_running_loop()
        last = loop.call_later(grace_s, self._service.desk.end_all, STOPPING)
        end = loop.call_later(grace_s + ENDING_S, self._give_up)  # somebody does not read his answer
        await super().shutdown(sockets)
        last.cancel()
        end.cancel()

    def _give_up(self) -> None:
        self.force_exit = True

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_SECOND == 0:
            self._service.count()
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn raises the signal again at the end; here a stop that was asked for is no failure."""
        try:
            with super().capture_signals():
                yield
                self._captured_signals.clear()
        except KeyboardInterrupt:
            pass


def serve_here(
    service: Service, sockets: Sequence[socket.socket], ready: Callable[[], None] = lambda: None
) -> None:
    """Serve until a signal comes, then answer what is open. The last act of its process, which ends soon after."""
    sys.setswitchinterval(SWITCH_S)
    return_large_blocks()
    server = Server(service, ready)
    service.verifier.warm()
    try:
        server.run(sockets=list(sockets))
    finally:
        _end_soon()
        service.desk.close()
        service.verifier.close()


def _end_soon() -> None:
    """Every request is answered by now. A judge that somebody no longer waits for must not keep the process."""
    timer = threading.Timer(ENDING_S, os._exit, (0,))
    timer.daemon = True
    timer.start()


def listening(settings: ServeEntry) -> socket.socket:
    """The socket that the service listens on. Raises ConfigError where everybody could use it, OSError where it is
    taken."""
    if not settings.token_env and not is_loopback(settings.host):
        raise ConfigError(
            f"serve.host: {settings.host} is open to others; name a token's variable by --token-env"
        )
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio switches Nagle's delay off, which costs 40 ms an answer, for sockets that name their protocol
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((settings.host, settings.port))
        made.listen(BACKLOG)
    except OSError as fault:
        made.close()
        where = f"{settings.host} port {settings.port}"
        other = "; --port N names another, and 0 takes a free one" if fault.errno == errno.EADDRINUSE else ""
        raise ConfigError(f"serve: cannot listen on {where}: {fault.strerror or fault}{other}") from None
    made.setblocking(False)
    return made


def address_of(sock: socket.socket) -> str:
    """The address that clients use."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token_of(settings: ServeEntry) -> str:
    """The token, from the variable that the settings name. Raises ConfigError if it is not there."""
    if not settings.token_env:
        return ""
    token = os.environ.get(settings.token_env, "")
    if not token.isascii() or not token.isprintable():
        raise ConfigError(
            f"serve.token_env: the token in {settings.token_env} holds more than printable ASCII"
        )
    if not token.strip():
        raise ConfigError(f"serve.token_env: the variable {settings.token_env} is not set, or empty")
    return token.strip()


def stopped_with(pipe: Any, stop: Callable[[], None]) -> None:
    """Call `stop` when the other end of the pipe is closed, which it is when its process has ended."""

    def watch() -> None:
        pipe.read()
        stop()

    threading.Thread(target=watch, name="hybridverify-parent", daemon=True).start()
