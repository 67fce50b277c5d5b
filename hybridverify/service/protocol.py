"""One connection. uvicorn's protocol waits for ever for the head of a request, and for a client that does not read its
answer; and it refuses what is no HTTP in a text of its own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

LONGEST_FAULT = 120
SLOW_HEAD = "the head of the request was not complete in time"


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, with an end to waiting."""

    patience_s = 10.0
    """Seconds. How long the head of a request may take."""
    unread_s = 30.0
    """Seconds. How long a client may read nothing of its answer."""
    heard: Callable[[], None]
    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()
        self.heard()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        self._read_on()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._read_on()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what h11 could not read. uvicorn calls this while it handles h11's exception."""
        fault = str(sys.exc_info()[1] or msg)[:LONGEST_FAULT]
        self._refuse("400 Bad Request", f"not HTTP that is read here: {fault}")

    def _wait_for_reader(self, left: int) -> None:
        self._unread = self.loop.call_later(self.unread_s, self._look_for_reader, left)

    def _look_for_reader(self, before: int) -> None:
        """What nobody reads would be held for ever, and count as large requests of which there are too many."""
        left = self.transport.get_write_buffer_size()
        if left < before:
            self._wait_for_reader(left)
        else:
            self.transport.abort()

    def _read_on(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch(self) -> None:
        """Set the clock while no request is being answered."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self._head is None:
            self._head = self.loop.call_later(self.patience_s, self._too_slow)

    def _unwatch(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _too_slow(self) -> None:
        self._head = None
        busy = self.cycle is not None and not self.cycle.response_complete
        if (
            busy or self.timeout_keep_alive_task is not None
        ):  # the second clock is uvicorn's, for idle connections
            return
        self._refuse("408 Request Timeout", SLOW_HEAD)

    def _refuse(self, status: str, fault: str) -> None:
        """An answer beside the service, unless one has begun, and the end of the connection."""
        begun = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not begun:
            body = json.dumps({"error": fault}).encode()
            head = (
                f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n"
                f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()
