"""Reads the body of a request: never more than allowed, never longer than allowed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, MutableMapping
from typing import Any

from starlette.requests import Request

from hybridverify.service.rows import Malformed

MIB = 1 << 20


HELD = "hybridverify.held"
"""The key of a request's scope under which stands how many bytes it holds."""


class Memory:
    """How many bytes of bodies this process holds at one time: each until its request is answered."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0

    def take(self, scope: MutableMapping[str, Any], size: int) -> None:
        """Count bytes of this request. Raises Malformed if there is no room for them."""
        if self.held + size > self.most:
            raise Malformed("too many large requests at one time", 429)
        self.held += size
        scope[HELD] = scope.get(HELD, 0) + size

    def give_back(self, scope: MutableMapping[str, Any]) -> None:
        """The request is answered."""
        self.held -= scope.pop(HELD, 0)


async def read_body(request: Request, most: int, timeout_s: float, memory: Memory) -> bytes:
    """The body. Raises Malformed with status 413, 408 or 429, or 400 where the client has gone."""
    told = request.headers.get("content-length", "0")
    if not (told.isascii() and told.isdigit()) or len(told) > 15 or int(told) > most:
        raise _too_long(most)
    with _limited(timeout_s) as limit:
        try:
            return await _received(request, most, memory)
        except asyncio.CancelledError:
            if limit.passed:
                raise Malformed(f"body: not complete after {timeout_s:g} s", 408) from None
            raise


async def _received(request: Request, most: int, memory: Memory) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Malformed("body: the client has gone", 400)
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > most:
            raise _too_long(most)
        memory.take(request.scope, len(chunk))
        chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks)


def _too_long(most: int) -> Malformed:
    return Malformed(f"body: more than {most / MIB:g} MiB", 413)


class _Limit:
    passed = False


@contextlib.contextmanager
def _limited(timeout_s: float) -> Iterator[_Limit]:
    """Cancels the task when the time is over. `asyncio.wait_for` would put each wait into a task of its own, which
    costs a turn of the loop."""
    task, limit = asyncio.current_task(), _Limit()
    assert task is not None

    def pass_() -> None:
        limit.passed = True
        task.cancel()

    timer = asyncio.get_running_loop().call_later(timeout_s, pass_)
    try:
        yield limit
    finally:
        timer.cancel()
